// The picture of a scene for the gallery: the scene runs for a moment, and is drawn as the page draws it.
import type { Engine } from '@tendril/engine';
import * as THREE from 'three';
import { niceBelow } from '../src/text/units';
import { Bodies } from '../src/view/bodies';
import { bodiesBox, extentOf } from '../src/view/extent';
import { directionOf, framingOf } from '../src/view/framing';
import { flatAxis, lightFrom } from '../src/view/light';
import { Linkwork } from '../src/view/linkwork';
import { Obstacles } from '../src/view/obstacles';
import { TensionRange } from '../src/view/tendons';
import { suitableThickness } from '../src/view/thickness';
import { coarse } from '../src/view/tubes';
import { type Preview, preview } from './preview';
import { type Line, type Picture, render, type Size } from './raster';

export type Theme = 'light' | 'dark';

/** A scene after a short run, for its pictures; null where it cannot run. `budget`: wall time [s]. */
export function look(engine: Engine, text: string, budget: number): Preview | null {
  const seen = preview(engine, text, budget);
  return seen && seen.moment.positions.length > 0 ? seen : null;
}

/** Nothing in it has another color on another ground. */
export function isSameInAllThemes({ drawing }: Preview): boolean {
  return drawing.obstacles.length === 0 && drawing.tendons.length === 0 && drawing.joints.length === 0;
}

export function draw({ drawing, moment, rest, touching, view }: Preview, theme: Theme, size: Size): Picture {
  const dark = theme === 'dark';
  const box = extentOf(drawing, moment.positions, moment.obstacles);
  const middle = box.getCenter(new THREE.Vector3());
  const length = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
  const bodies = new Bodies(drawing, rest, coarse);
  const asked = typeof view.thicken === 'number' ? view.thicken : 0;
  const thicken = Math.max(asked, suitableThickness(drawing, length, touching) * (touching ? 1 : 1.6));
  bodies.update(moment.positions, moment.directors, null, thicken);
  box.expandByScalar(thicken * drawing.halfAxes.reduce((most, axis) => Math.max(most, axis), 0));
  const obstacles = new Obstacles(drawing);
  obstacles.setTheme(dark);
  obstacles.update(moment.obstacles);
  obstacles.aim(middle, 1.5 * length, niceBelow(length / 6));
  const tensions = new TensionRange();
  tensions.take(moment.tensions);
  const linkwork = new Linkwork(drawing, tensions);
  linkwork.setTheme(dark);
  linkwork.look(null);
  linkwork.update(moment, thicken, length);
  const scene = new THREE.Scene();
  scene.add(bodies.group, linkwork.group, obstacles.group);
  const direction = directionOf(framingOf(view.camera), box);
  const camera = cameraFor(box, length, direction, size);
  const flat = drawing.parts.some(({ kind }) => kind === 'vine') ? 2 : flatAxis(bodiesBox(drawing, moment.positions));
  const light = { from: lightFrom(flat, direction), middle, reach: length };
  return render(scene, linesOf(drawing, moment, dark), camera, light, size);
}

function linesOf(drawing: Preview['drawing'], moment: Preview['moment'], dark: boolean): Line[] {
  let first = 0;
  return drawing.tendons.flatMap(({ hidden, color, pointCount }) => {
    const points = moment.tendons.subarray(3 * first, 3 * (first + pointCount));
    first += pointCount;
    return hidden ? [] : [{ points, color: new THREE.Color(color || (dark ? '#d7dde2' : '#39424b')) }];
  });
}

function cameraFor(
  box: THREE.Box3,
  length: number,
  direction: THREE.Vector3,
  { width, height }: Size,
): THREE.OrthographicCamera {
  const middle = box.getCenter(new THREE.Vector3());
  const camera = new THREE.OrthographicCamera();
  camera.up.set(0, 0, 1);
  camera.position.copy(middle).addScaledVector(direction, 3 * length);
  camera.lookAt(middle);
  camera.updateMatrixWorld();
  // The box as the camera sees it, with the picture's proportions.
  const corner = new THREE.Vector3();
  let across = 1e-9;
  let up = 1e-9;
  for (let i = 0; i < 8; ++i) {
    corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    corner.applyMatrix4(camera.matrixWorldInverse);
    across = Math.max(across, Math.abs(corner.x));
    up = Math.max(up, Math.abs(corner.y));
  }
  const half = 1.25 * Math.max(up, (across * height) / width);
  camera.top = half;
  camera.bottom = -half;
  camera.right = (half * width) / height;
  camera.left = -camera.right;
  return camera;
}
