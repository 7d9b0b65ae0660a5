// Obstacles on their way from the engine to the picture: snapshots carry how far they have moved, the picture follows,
// solids count for framing and planes do not, floors replace the ground.
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { bytesOf, viewsOf } from '../src/engine/moment';
import type { DrawingData, Reply, SnapshotReply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { Blend } from '../src/view/blend';
import { bodiesBox, extentOf } from '../src/view/extent';
import { Ground } from '../src/view/ground';
import { boxOf, middleOf, Obstacles } from '../src/view/obstacles';
import { fakeEngine, fakeObstacles } from './fakeEngine';

const text = JSON.stringify({ bars: 2, obstacles: true });
const sim = fakeEngine.simulation(text);
const drawing = sim.drawing();
const ball = drawing.obstacles.findIndex(({ label }) => label === 'the ball');
const of = (kind: string): DrawingData['obstacles'][number] => {
  const found = fakeObstacles.find((obstacle) => obstacle.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

function replies(scene: object, field: boolean): Reply[] {
  const posted: Reply[] = [];
  const runner = new Runner(fakeEngine, { now: () => 0, post: (reply) => posted.push(reply) });
  if (field) runner.handle({ type: 'field', field: 'strain' });
  runner.handle({ type: 'load', id: 1, text: JSON.stringify(scene), set: {}, play: false });
  runner.handle({ type: 'step' });
  return posted;
}
const lastSnapshot = (posted: Reply[]): SnapshotReply => {
  const found = posted.filter((reply): reply is SnapshotReply => reply.type === 'snapshot').at(-1);
  if (!found) throw new Error('no snapshot');
  return found;
};

describe('snapshots', () => {
  it.each([false, true])('carry the moves beside the values (field: %s)', (field) => {
    const { buffer, counts } = lastSnapshot(replies({ bars: 2, obstacles: true }, field));
    expect(counts.obstacles).toBe(drawing.obstacles.length);
    expect(buffer.byteLength).toBe(bytesOf(counts, field));
    const { obstacles: moves } = viewsOf(buffer, counts);
    expect(moves).toHaveLength(3 * counts.obstacles);
    expect(moves[3 * ball + 2]).toBeCloseTo(0.01);
    expect(moves.filter((move) => move !== 0)).toHaveLength(2);
  });

  it('have nothing of them where there are none', () => {
    const { buffer, counts } = lastSnapshot(replies({ bars: 1 }, false));
    expect(counts.obstacles).toBe(0);
    expect(buffer.byteLength).toBe(24 * counts.points);
  });

  it('bodies may touch where there are obstacles, or where the scene says so', () => {
    const touching = (scene: object): boolean | undefined =>
      replies(scene, false).find((reply) => reply.type === 'loaded')?.info.mayTouch;
    expect(touching({})).toBe(false);
    expect(touching({ obstacles: true })).toBe(true);
    expect(touching({ contact: { self: true } })).toBe(true);
    expect(touching({ contact: { self: false } })).toBe(false);
  });
});

it('moves are blended as positions are', () => {
  const blend = new Blend();
  const state = (value: number): Parameters<Blend['push']>[0] => ({
    positions: new Float32Array(6),
    directors: new Float32Array(6),
    obstacles: Float32Array.of(0, 0, value),
    joints: new Float32Array(0),
    tendons: new Float32Array(0),
    tensions: new Float32Array(0),
  });
  blend.push(state(0), true, 0);
  blend.push(state(1), false, 100);
  expect(blend.advance(150)).toBe(true);
  expect(blend.obstacles[2]).toBeCloseTo(0.5);
  expect(blend.latest.obstacles[2]).toBe(1);
  expect(blend.advance(200)).toBe(false);
  expect(blend.obstacles[2]).toBe(1);
});

describe('the extent of a scene', () => {
  const positions = sim.snapshot().positions;
  const moves = sim.snapshot().obstacles;

  it('has the solids, not the planes and not what is hidden', () => {
    const all = extentOf(drawing, positions, moves);
    const bodies = bodiesBox(drawing, positions);
    expect(all.containsBox(bodies)).toBe(true);
    expect(all.min.x).toBeCloseTo(-0.24);
    expect(all.max.y).toBeCloseTo(0.35);
    expect(all.max.z).toBeLessThan(1);
    const planes = { ...drawing, obstacles: drawing.obstacles.filter(({ kind }) => kind === 'plane') };
    expect(extentOf(planes, positions, new Float32Array(6))).toEqual(bodies);
  });

  it('has the thickness of bodies that are thicker than long', () => {
    const bodies = bodiesBox(drawing, positions);
    const length = bodies.min.distanceTo(bodies.max);
    const thick = (part: number) => ({ ...drawing, halfAxes: drawing.halfAxes.map(() => part * length) });
    expect(bodiesBox(thick(0.2), positions)).toEqual(bodies);
    expect(bodiesBox(thick(3), positions).max.z).toBeCloseTo(bodies.max.z + 3 * length, 4);
  });

  it('follows what moves', () => {
    const lifted = moves.slice();
    lifted[3 * ball + 2] = 5;
    expect(extentOf(drawing, positions, lifted).max.z).toBeCloseTo(5.08);
  });

  it('knows turned boxes and both ends of capsules', () => {
    const box = boxOf(of('box'));
    expect(box.max.x - box.min.x).toBeCloseTo(2 * Math.SQRT1_2 * 0.15);
    expect(box.max.z - box.min.z).toBeCloseTo(0.1);
    const capsule = boxOf(of('capsule'));
    expect([capsule.min.x, capsule.max.x]).toEqual([expect.closeTo(0.05), expect.closeTo(0.45)]);
    expect(middleOf(of('capsule')).x).toBeCloseTo(0.25);
  });
});

describe('the drawn obstacles', () => {
  const obstacles = new Obstacles(drawing);
  const meshes = obstacles.group.children as THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>[];
  const moves = sim.snapshot().obstacles.slice();
  moves[3 * ball + 2] = 0.5;
  moves[2] = 0.25;
  obstacles.setTheme(false);
  obstacles.aim(new THREE.Vector3(0.3, -0.2, 1), 4, 0.1);
  obstacles.update(moves);
  obstacles.group.updateMatrixWorld(true);
  const drawn = (mesh: THREE.Mesh): THREE.Box3 => new THREE.Box3().setFromObject(mesh, true);

  it('leave out the hidden ones', () => expect(meshes).toHaveLength(drawing.obstacles.length - 1));

  it('fill the boxes that the extent counts with', () => {
    for (const kind of ['sphere', 'box', 'capsule', 'cylinder']) {
      const index = drawing.obstacles.findIndex((obstacle) => obstacle.kind === kind);
      const box = boxOf(drawing.obstacles[index]).translate(new THREE.Vector3().fromArray(moves, 3 * index));
      const found = drawn(meshes[index]);
      // Flat ends of cylinders reach less far than round ones would.
      const slack = kind === 'cylinder' ? drawing.obstacles[index].radius + 1e-6 : 2e-3;
      expect(box.clone().expandByScalar(1e-6).containsBox(found)).toBe(true);
      expect(found.expandByScalar(slack).containsBox(box)).toBe(true);
    }
  });

  it('show the one that is dragged away from its place, and back', () => {
    const by = new THREE.Vector3(0.1, -0.2, 0);
    obstacles.drag(ball, by);
    const shown = obstacles.shown(moves);
    expect(shown[3 * ball]).toBeCloseTo(moves[3 * ball] + 0.1);
    expect(shown.filter((move, i) => move !== moves[i])).toHaveLength(2);
    obstacles.drag(-1, by);
    expect(obstacles.shown(moves)).toBe(moves);
  });

  it('planes lie around what is looked at, and move', () => {
    const floor = drawn(meshes[0]);
    expect(floor.min.z).toBeCloseTo(0.15);
    expect(floor.max.z).toBeCloseTo(0.15);
    expect(floor.getCenter(new THREE.Vector3()).x).toBeCloseTo(0.3);
    expect(floor.max.x - floor.min.x).toBeCloseTo(8);
    const slope = meshes[1];
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(slope.quaternion);
    expect(normal.x).toBeCloseTo(-Math.SQRT1_2);
    expect(
      slope.position
        .clone()
        .sub(new THREE.Vector3(0.6, 0, -0.1))
        .dot(normal),
    ).toBeCloseTo(0);
    expect(slope.position.distanceTo(new THREE.Vector3(0.3, -0.2, 1))).toBeLessThan(1);
  });

  it('have their own color and opacity, or a quiet one of the theme', () => {
    const index = (kind: string): number => drawing.obstacles.findIndex((obstacle) => obstacle.kind === kind);
    expect(meshes[index('capsule')].material.color.getHexString()).toBe('33aa77');
    const before = meshes[ball].material.color.getHex();
    obstacles.setTheme(true);
    expect(meshes[ball].material.color.getHex()).not.toBe(before);
    expect(meshes[index('capsule')].material.color.getHexString()).toBe('33aa77');
    expect(meshes[index('cylinder')].material).toMatchObject({ transparent: true, opacity: 0.5 });
    expect(meshes[ball].material.transparent).toBe(false);
  });

  it('only a level plane to stand on is a floor, only a leaning one a slope', () => {
    const only = (i: number, normal = drawing.obstacles[i].normal): Obstacles =>
      new Obstacles({ ...drawing, obstacles: [{ ...drawing.obstacles[i], normal }] });
    const kinds = [only(0), only(1), only(ball), only(0, [0, 0, -1]), only(0, [1, 0, 0])];
    expect(kinds.map(({ hasFloor }) => hasFloor)).toEqual([true, false, false, false, false]);
    expect(kinds.map(({ hasSlope }) => hasSlope)).toEqual([false, true, false, false, false]);
  });
});

it('the ground goes below what passes it, by whole wide cells', () => {
  const ground = new Ground();
  ground.fit(new THREE.Box3(new THREE.Vector3(0, 0, 0), new THREE.Vector3(1, 1, 0)), null);
  const start = ground.group.position.z;
  ground.keepBelow(start + 0.01);
  expect(ground.advance(1 / 60)).toBe(false);
  ground.keepBelow(start - 0.01);
  let pictures = 0;
  while (ground.advance(1 / 60)) pictures += 1;
  expect(pictures).toBeGreaterThan(5);
  expect(ground.group.position.z).toBeCloseTo(start - 5 * ground.spacing);
  // Where pictures are far apart it is down after few of them.
  ground.keepBelow(start - 10 * ground.spacing);
  let slow = 0;
  while (ground.advance(0.5)) slow += 1;
  expect(slow).toBeLessThan(5);
});
