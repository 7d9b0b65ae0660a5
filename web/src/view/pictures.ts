// Pictures of scenes for the gallery: a worker of their own runs each scene for a moment, a small renderer draws it, the
// result is kept as long as the page lives.
import * as THREE from 'three';
import type { EngineClient } from '../engine/client';
import type { PreviewReply } from '../engine/protocol';
import { niceBelow } from '../text/units';
import { Bodies } from './bodies';
import { extentOf } from './extent';
import { directionOf, framingOf } from './framing';
import { Linkwork } from './linkwork';
import { Obstacles } from './obstacles';
import { TensionRange } from './tendons';
import { suitableThickness } from './thickness';
import { coarse } from './tubes';

const width = 360;
const height = 220;
/** Wall time that one scene may run for its picture [s]. */
const budget = 0.6;

export class Pictures {
  private readonly made = new Map<string, Promise<string | null>>();
  private renderer: THREE.WebGLRenderer | null = null;
  private readonly waiting = new Map<number, (reply: PreviewReply | null) => void>();
  private nextId = 1;
  /** Scenes are run one after the other; those not begun when the gallery closes are left for the next time. */
  private queue: Promise<unknown> = Promise.resolve();
  private round = 0;
  private readonly unbegun = new Set<string>();

  /** `client`: of a worker that no scene on screen waits for. */
  constructor(private readonly client: EngineClient) {
    client.on('preview', (reply) => this.answer(reply.id, reply));
    client.on('previewFailed', ({ id }) => this.answer(id, null));
  }

  /** Address of the scene's picture, or null where it cannot be drawn or the gallery closed before. */
  get(id: string, text: string): Promise<string | null> {
    const found = this.made.get(id);
    if (found) return found;
    const { round } = this;
    const asked = this.queue.then(() => {
      if (round !== this.round) return null;
      this.unbegun.delete(id);
      return this.make(text, round);
    });
    this.queue = asked.catch(() => null);
    this.unbegun.add(id);
    this.made.set(id, asked);
    return asked;
  }

  /** Begins no more, and frees the renderer; pictures made so far stay. */
  rest(): void {
    this.round += 1;
    for (const id of this.unbegun) this.made.delete(id);
    this.unbegun.clear();
    this.free();
  }

  private free(): void {
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.renderer = null;
  }

  private async make(text: string, round: number): Promise<string | null> {
    const reply = await this.preview(text);
    if (!reply || reply.moment.positions.length === 0) return null;
    const picture = await this.draw(reply);
    if (round !== this.round) this.free();
    return picture;
  }

  private preview(text: string): Promise<PreviewReply | null> {
    const id = this.nextId++;
    this.client.send({ type: 'preview', id, text, budget });
    return new Promise((done) => this.waiting.set(id, done));
  }

  private answer(id: number, reply: PreviewReply | null): void {
    this.waiting.get(id)?.(reply);
    this.waiting.delete(id);
  }

  private draw({ drawing, moment, touching, view }: PreviewReply): Promise<string | null> {
    this.renderer ??= newRenderer();
    const box = extentOf(drawing, moment.positions, moment.obstacles);
    const middle = box.getCenter(new THREE.Vector3());
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    const bodies = new Bodies(drawing, coarse);
    const asked = typeof view.thicken === 'number' ? view.thicken : 0;
    const thicken = Math.max(asked, suitableThickness(drawing, size, touching) * (touching ? 1 : 1.6));
    bodies.update(moment.positions, moment.directors, null, thicken);
    box.expandByScalar(thicken * drawing.halfAxes.reduce((most, axis) => Math.max(most, axis), 0));
    const obstacles = new Obstacles(drawing);
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    obstacles.setTheme(dark);
    obstacles.update(moment.obstacles);
    obstacles.aim(middle, 1.5 * size, niceBelow(size / 6));
    const tensions = new TensionRange();
    tensions.take(moment.tensions);
    const linkwork = new Linkwork(drawing, tensions);
    linkwork.setTheme(dark);
    linkwork.look(null);
    linkwork.update(moment, thicken, size);
    const scene = new THREE.Scene();
    scene.add(bodies.group, linkwork.group, obstacles.group, new THREE.HemisphereLight('#ffffff', '#b9b2a7', 1.3));
    const key = keyLight(middle, size);
    scene.add(key, key.target);
    this.renderer.render(scene, cameraFor(box, size, directionOf(framingOf(view.camera), box)));
    bodies.dispose();
    obstacles.dispose();
    linkwork.dispose();
    key.dispose();
    const canvas = this.renderer.domElement;
    return new Promise((done) => canvas.toBlob((blob) => done(blob && URL.createObjectURL(blob))));
  }
}

function newRenderer(): THREE.WebGLRenderer {
  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
  renderer.setSize(width, height);
  renderer.setPixelRatio(1.5);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  return renderer;
}

/** The light from above, with shadows of what stands within `size` around the middle [m]. */
function keyLight(middle: THREE.Vector3, size: number): THREE.DirectionalLight {
  const key = new THREE.DirectionalLight('#ffffff', 2);
  key.position.copy(middle).add(new THREE.Vector3(0.5, -0.7, 1.6).multiplyScalar(size * 2));
  key.target.position.copy(middle);
  key.castShadow = true;
  key.shadow.mapSize.set(1024, 1024);
  key.shadow.bias = -3e-4;
  key.shadow.normalBias = 2e-3 * size;
  const { camera } = key.shadow;
  camera.left = camera.bottom = -size;
  camera.right = camera.top = size;
  camera.near = size;
  camera.far = 6.5 * size;
  camera.updateProjectionMatrix();
  return key;
}

function cameraFor(box: THREE.Box3, size: number, direction: THREE.Vector3): THREE.Camera {
  const middle = box.getCenter(new THREE.Vector3());
  const camera = new THREE.OrthographicCamera();
  camera.up.set(0, 0, 1);
  camera.position.copy(middle).addScaledVector(direction, 3 * size);
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
  camera.near = 0.1 * size;
  camera.far = 6 * size;
  camera.updateProjectionMatrix();
  return camera;
}
