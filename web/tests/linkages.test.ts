// Linkages on their way from the engine to the picture: snapshots carry joints, tendons and tensions; rigid links have flat
// ends and a color of their own, joints a symbol by kind, tendons a color by tension.
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { bytesOf, countsOf, fill, type Moment, valuesOf, viewsOf } from '../src/engine/moment';
import type { Reply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { Blend } from '../src/view/blend';
import { Bodies } from '../src/view/bodies';
import { colorsByName, mapBytes, rigidColor } from '../src/view/colormap';
import { choiceWords, FieldRanges, hasFields, hintWords, kindsOf } from '../src/view/fields';
import { MiddleFollow } from '../src/view/follow';
import { Joints } from '../src/view/joints';
import { pickTendon } from '../src/view/pickTendon';
import { Ribbons } from '../src/view/ribbons';
import { supportAim } from '../src/view/supports';
import { Tendons, TensionRange } from '../src/view/tendons';
import { Tubes } from '../src/view/tubes';
import { fakeEngine } from './fakeEngine';
import { jointKinds } from './fakeLinkage';

const text = JSON.stringify({ bars: 1, linkage: true });
const sim = fakeEngine.simulation(text);
sim.step();
const drawing = sim.drawing();
const counts = countsOf(drawing, sim.snapshot());
const moment: Moment = viewsOf(new ArrayBuffer(bytesOf(counts, false)), counts);
fill(moment, sim.snapshot());
const part = (name: string): (typeof drawing.parts)[0] => {
  const found = drawing.parts.find((p) => p.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

describe('snapshots', () => {
  const posted: Reply[] = [];
  const runner = new Runner(fakeEngine, { now: () => 0, post: (reply) => posted.push(reply) });
  runner.handle({ type: 'field', field: 'curvature' });
  runner.handle({ type: 'load', id: 1, text, set: {}, play: false });
  runner.handle({ type: 'step' });

  it('carry joints, tendons and tensions, and the values of the field behind them', () => {
    const snapshot = posted.filter((reply) => reply.type === 'snapshot').at(-1);
    if (!snapshot) throw new Error('no snapshot');
    expect(snapshot.counts).toEqual({ points: 58, obstacles: 0, joints: 8, tendonPoints: 22, tendons: 2, contacts: 0 });
    const views = viewsOf(snapshot.buffer, snapshot.counts);
    expect(views.joints).toEqual(sim.snapshot().joints);
    expect(views.tendons).toEqual(sim.snapshot().tendons);
    expect([...views.tensions]).toEqual([1, expect.closeTo(-0.01)]);
    expect(views.positions).toEqual(sim.snapshot().positions);
    expect(valuesOf(snapshot.buffer, snapshot.counts)).toEqual(sim.snapshot().curvature);
    expect(snapshot.buffer.byteLength).toBe(4 * (7 * 58 + 6 * 8 + 3 * 22 + 2));
  });

  it('a loaded scene tells the tensions that its sliders span: here none has that unit', () => {
    const loaded = posted.find((reply) => reply.type === 'loaded');
    expect(loaded?.info.tensions).toEqual([0, 0]);
  });

  it('are blended with the rest', () => {
    const blend = new Blend();
    blend.push(moment, true, 0);
    blend.push({ ...moment, tensions: Float32Array.of(3, 0), joints: moment.joints.map((x) => x + 1) }, false, 100);
    blend.advance(150);
    expect(blend.tensions[0]).toBeCloseTo(2);
    expect(blend.joints[0]).toBeCloseTo(moment.joints[0] + 0.5);
    expect(blend.tendons).toEqual(moment.tendons);
  });
});

describe('links', () => {
  const flat = new Tubes(drawing, [drawing.parts.indexOf(part('robot/hub'))], undefined, 'flat');
  flat.update(moment.positions, moment.directors, null, 1);
  const at = (v: number): number[] => [...flat.buffers.position.subarray(3 * v, 3 * v + 3)];

  it('that are rigid end where they end, with the ends facing along', () => {
    let axial = 0;
    for (let v = 0; v < flat.vertexCount; ++v) {
      const [x, y, z] = at(v);
      expect(x).toBeGreaterThan(-1e-6);
      expect(x).toBeLessThan(0.1 + 1e-6);
      expect(Math.hypot(y + 0.2, z - 0.2)).toBeLessThan(0.02 + 1e-6);
      const [nx] = flat.buffers.normal.subarray(3 * v, 3 * v + 1);
      if (Math.abs(nx) < 0.99) continue;
      axial += 1;
      expect(nx > 0 ? x : 0.1 - x).toBeCloseTo(0.1);
    }
    expect(axial).toBeGreaterThan(20);
  });

  it('rigid ones are of metal, soft ones have the colors', () => {
    const colors = colorsByName(drawing.parts);
    const of = (name: string): string => colors[drawing.parts.indexOf(part(name))];
    expect(of('robot/hub')).toBe(rigidColor);
    expect(of('robot/limb')).not.toBe(rigidColor);
    const own = colorsByName([{ name: 'a/hub', kind: 'rigid', color: '#3a7' }]);
    expect(own).toEqual(['#3a7']);
  });

  it('are drawn: tubes, and balls where they have no length', () => {
    const bodies = new Bodies(drawing, { places: moment.positions, driven: [] });
    bodies.update(moment.positions, moment.directors, null, 2);
    const meshes: THREE.Mesh[] = [];
    bodies.group.traverse((object) => {
      if (object instanceof THREE.Mesh) meshes.push(object);
    });
    const balls = meshes.filter(({ geometry }) => geometry instanceof THREE.SphereGeometry);
    expect(balls).toHaveLength(1);
    expect(balls[0].scale.x).toBeCloseTo(0.06);
    expect(balls[0].position.x).toBeCloseTo(0.4, 2);
    expect(meshes.length - balls.length).toBe(3);
    bodies.dispose();
  });

  it('fields color the soft ones as rods, and not the rigid ones', () => {
    const only = (...names: string[]): typeof drawing => ({ ...drawing, parts: names.map(part) });
    const values = new Float32Array(drawing.round.length).fill(2);
    const ranges = new FieldRanges();
    ranges.take('energy', values, only('robot/hub'));
    expect(ranges.rows('energy', kindsOf(only('robot/hub')))).toEqual([]);
    expect(hasFields(['rigid'])).toBe(false);
    ranges.take('energy', values, only('robot/limb'));
    const title = 'Elastic energy per length';
    expect(ranges.rows('energy', ['soft', 'rigid'])).toEqual([{ title, unit: 'J/m', low: 0, high: 2 }]);
    expect(ranges.rows('energy', ['soft', 'shell'])[0].title).toBe('Links: elastic energy');
    expect(ranges.rows('energy', ['rod', 'soft', 'shell'])[0].title).toBe('Rods and links: elastic energy');
    expect(ranges.look('energy', 'soft')).toMatchObject({ field: true, high: 2 });
    expect(ranges.look('energy', 'rigid').field).toBe(false);
    expect(choiceWords('strain', ['soft', 'rigid'])).toBe('axial strain');
    expect(hintWords(['soft', 'rigid'])).toBe('drag a link to pull it');
    expect(hintWords(kindsOf(drawing))).toBe('drag a rod or a link to pull it');
  });

  it('the camera follows a link or a whole linkage', () => {
    const limb = drawing.parts.indexOf(part('robot/limb'));
    const { firstPoint, pointCount } = drawing.parts[limb];
    const moved = moment.positions.slice();
    for (let i = firstPoint; i < firstPoint + pointCount; ++i) moved[3 * i] += 0.5;
    const shiftOf = (parts: number[], nodes: [number, number] | null = null): number[] => {
      const follow = new MiddleFollow();
      follow.setParts(drawing.parts, { parts, nodes });
      const shifts: number[] = [];
      for (const positions of [moment.positions, moved]) follow.update(positions, ({ x }) => shifts.push(x));
      return shifts;
    };
    expect(shiftOf([limb])).toEqual([expect.closeTo(0.5)]);
    expect(shiftOf([limb - 1, limb, limb + 1])).toEqual([expect.closeTo((0.5 * 21) / 27)]);
    expect(shiftOf([])).toEqual([]);
    expect(shiftOf([limb], [0, 1])).toEqual([]);
  });
});

describe('joints', () => {
  const joints = new Joints(drawing);
  const meshes = joints.group.children as THREE.InstancedMesh[];
  joints.update(moment, 1, 1);

  it('have a symbol each, but free ones', () => {
    expect(meshes).toHaveLength(jointKinds.length);
    for (const { geometry } of meshes.slice(0, -1)) {
      geometry.computeBoundingSphere();
      expect(geometry.boundingSphere?.radius).toBeGreaterThan(1);
      expect(geometry.boundingSphere?.radius).toBeLessThan(4);
    }
  });

  it('stand at their places, along their axes, as large as what meets there', () => {
    const matrix = new THREE.Matrix4();
    meshes.slice(0, -1).forEach((mesh, i) => {
      mesh.getMatrixAt(0, matrix);
      const [x, y, z] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
      matrix.extractBasis(x, y, z);
      expect(z.toArray()).toEqual([0, 0, expect.closeTo(0.02)]);
      expect(x.y).toBeCloseTo(0.02);
      expect(matrix.determinant()).toBeCloseTo(0.02 ** 3, 9);
      expect(new THREE.Vector3().setFromMatrixPosition(matrix).x).toBeCloseTo(0.1 * i);
    });
  });

  it('that slide have a rod from their sleeve to the link, on either side', () => {
    const rods = meshes[meshes.length - 1];
    expect(rods.count).toBe(3);
    const matrix = new THREE.Matrix4();
    const ends = (sleeveAt: number): number[] => {
      const places = moment.joints.slice();
      const first = 3 * part('robot/limb').firstPoint;
      // The joint that slides along z through the link's first point, away from it.
      places.set(moment.positions.subarray(first, first + 2), 6);
      places[8] = sleeveAt;
      joints.update({ ...moment, joints: places }, 1, 1);
      rods.getMatrixAt(0, matrix);
      const from = new THREE.Vector3().setFromMatrixPosition(matrix).z;
      return [from, from + new THREE.Vector3().setFromMatrixColumn(matrix, 2).z];
    };
    expect(moment.positions[3 * part('robot/limb').firstPoint + 2]).toBeCloseTo(0.2);
    expect(ends(0.05)).toEqual([expect.closeTo(0.05), expect.closeTo(0.2)]);
    expect(ends(0.7)).toEqual([expect.closeTo(0.2), expect.closeTo(0.7)]);
    joints.update(moment, 1, 1);
  });

  it('of thin links are large enough to be seen, and grow with the links', () => {
    const matrix = new THREE.Matrix4();
    const scale = (thicken: number, size: number): number => {
      joints.update(moment, thicken, size);
      meshes[0].getMatrixAt(0, matrix);
      return new THREE.Vector3().setFromMatrixScale(matrix).z;
    };
    expect(scale(1, 100)).toBeCloseTo(0.6);
    expect(scale(3, 1)).toBeCloseTo(0.06);
  });

  it('the pin of a revolute joint reaches farther along its axis than across', () => {
    const { boundingBox } = meshes[0].geometry;
    meshes[0].geometry.computeBoundingBox();
    const size = (boundingBox ?? meshes[0].geometry.boundingBox)?.getSize(new THREE.Vector3());
    expect(size?.z).toBeGreaterThan(1.2 * (size?.x ?? 0));
  });
});

describe('supports', () => {
  const bar = (name: string, firstPoint: number): (typeof drawing.parts)[0] => ({
    ...{ ...part('robot/hub'), name, firstPoint, pointCount: 2 },
  });
  const aimed = (kind: 'revolute' | 'spherical', axis: number[], tip: number[], joint = 0): number[] => {
    const scene = { ...drawing, parts: [bar('robot/hub', 0)], halfAxes: new Float32Array(4).fill(0.01) };
    scene.joints = [{ name: 'robot/hub', kind, size: 0.01 }];
    const places = { positions: Float32Array.from([0, 0, 0, ...tip]), joints: Float32Array.from([0, 0, 0, ...axis]) };
    return supportAim(scene, { point: 0, joint }, places)
      .toArray()
      .map((c) => c + 0);
  };

  it('hold what hangs from above, what stands from below, and what turns where it does not sweep', () => {
    expect(aimed('revolute', [0, 1, 0], [0.3, 0, 0.1])).toEqual([0, 0, 1]);
    expect(aimed('revolute', [0, 1, 0], [0, 0, -0.3])).toEqual([0, 0, -1]);
    expect(aimed('revolute', [0, 0, 1], [0.3, 0, 0])).toEqual([0, 0, 1]);
    expect(aimed('revolute', [0, 0, 1], [0.1, 0, -0.1])).toEqual([0, 0, -1].map((c) => expect.closeTo(c)));
    expect(aimed('spherical', [1, 0, 0], [0.3, 0, 0])).toEqual([1, 0, 0]);
    expect(aimed('revolute', [0, 1, 0], [0.3, 0, 0], -1)).toEqual([1, 0, 0]);
  });

  it('stand below as long as nothing is known', () => {
    const nothing = { positions: new Float32Array(0), joints: new Float32Array(0) };
    expect(supportAim(drawing, { point: 0, joint: 0 }, nothing).toArray()).toEqual([0, 0, 1]);
  });
});

describe('tendons', () => {
  it('are ribbons through their points, dashed with the length where they are outside', () => {
    const ribbons = new Ribbons(drawing.tendons);
    ribbons.update(moment.tendons, moment.tensions);
    expect(ribbons.position).toHaveLength(3 * 2 * 22);
    expect(ribbons.index).toHaveLength(2 * 10 * 6);
    expect([...ribbons.position.subarray(0, 6)]).toEqual([
      ...moment.tendons.subarray(0, 3),
      ...moment.tendons.subarray(0, 3),
    ]);
    expect([...ribbons.after.subarray(0, 3)]).toEqual([...moment.tendons.subarray(3, 6)]);
    expect([...ribbons.before.subarray(6, 9)]).toEqual([...moment.tendons.subarray(0, 3)]);
    expect(ribbons.along.subarray(0, 22).every((s) => s === -1)).toBe(true);
    expect(ribbons.along[22]).toBe(0);
    expect(ribbons.along[43]).toBeCloseTo(0.3);
    expect(ribbons.tension[0]).toBe(1);
    expect(ribbons.tension[43]).toBeCloseTo(-0.01);
    expect(Math.max(...ribbons.index)).toBe(43);
  });

  it('that are hidden are not there', () => {
    const ribbons = new Ribbons(drawing.tendons.map((tendon, i) => ({ ...tendon, hidden: i === 0 })));
    expect(ribbons.position).toHaveLength(3 * 22);
    ribbons.update(moment.tendons, moment.tensions);
    expect([...ribbons.position.subarray(0, 3)]).toEqual([...moment.tendons.subarray(33, 36)]);
  });

  it('have their own color where the scene gives one', () => {
    const tendons = new Tendons({
      ...drawing,
      tendons: drawing.tendons.map((tendon, i) => ({ ...tendon, color: i === 0 ? '#ff0000' : '' })),
    });
    const [mesh] = tendons.group.children as THREE.Mesh[];
    const own = mesh.geometry.attributes.own.array;
    expect([...own.slice(0, 4)]).toEqual([1, 0, 0, 1]);
    expect([...own.slice(-4)]).toEqual([0, 0, 0, 0]);
    tendons.dispose();
  });

  it('the range of tensions has zero in the middle of its map, and only widens', () => {
    const range = new TensionRange();
    range.reset([0, 5]);
    expect(range.take(Float32Array.of(2))).toBe(false);
    expect(range.legend()).toMatchObject({ row: { title: 'Tension of tendons', low: 0, high: 5 }, from: 0.5, to: 1 });
    expect(range.take(Float32Array.of(-8, 1))).toBe(true);
    expect(range.legend()).toMatchObject({ row: { low: -8, high: 8, unit: 'N' }, from: 0, to: 1 });
    range.reset([-3, 0]);
    expect(range.legend()).toMatchObject({ row: { low: -3, high: 0 }, from: 0, to: 0.5 });
    range.reset([0, 0]);
    expect([range.low, range.high]).toEqual([0, 0]);
  });

  it('lie under the mouse where they are near on the screen', () => {
    const camera = new THREE.OrthographicCamera(-0.5, 0.5, 0.5, -0.5, 0.1, 10);
    camera.position.set(0.25, -2.2, 0.2);
    camera.up.set(0, 0, 1);
    camera.lookAt(0.25, -0.2, 0.2);
    camera.updateMatrixWorld();
    // 1 px is 1 mm; at t = 0 the tendons lie 10 and 40 mm above the limb, which starts at x = 0.1 m.
    const places = fakeEngine.simulation(text).snapshot().tendons;
    const at = (x: number, z: number): number =>
      pickTendon(drawing.tendons, places, camera, { x: 250 + 1e3 * x, y: 700 - 1e3 * z, width: 1000, height: 1000 });
    expect(at(0.25, 0.213)).toBe(0);
    expect(at(0.25, 0.237)).toBe(1);
    expect(at(0.25, 0.224)).toBe(-1);
    expect(at(0.09, 0.21)).toBe(-1);
    expect(at(0.097, 0.21)).toBe(0);
    const hidden = drawing.tendons.map((tendon) => ({ ...tendon, hidden: true }));
    expect(pickTendon(hidden, places, camera, { x: 500, y: 487, width: 1000, height: 1000 })).toBe(-1);
  });

  it('pull and push have colors far apart, slack lies between', () => {
    const bytes = mapBytes('tension');
    const [push, slack, pull] = [0, 127, 255].map((i) => [...bytes.subarray(4 * i, 4 * i + 3)]);
    const apart = (a: number[], b: number[]): number => Math.hypot(...a.map((x, i) => x - b[i]));
    expect(apart(push, pull)).toBeGreaterThan(250);
    expect(apart(push, slack)).toBeGreaterThan(100);
    expect(apart(pull, slack)).toBeGreaterThan(100);
    expect(pull[0]).toBeGreaterThan(pull[2]);
    expect(push[2]).toBeGreaterThan(push[0]);
  });
});
