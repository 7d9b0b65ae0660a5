// Tube geometry: radii are true, normals point out, frames follow the directors, nothing breaks at odd shapes.
import { describe, expect, it } from 'vitest';
import type { DrawingData } from '../src/engine/protocol';
import { coarse, Tubes } from '../src/view/tubes';

interface Shape {
  positions: number[][];
  directors?: number[][];
  a?: number;
  b?: number;
  round?: boolean;
}

function drawingOf({ positions, a = 0.01, b = 0.01, round = true }: Shape): DrawingData {
  const n = positions.length;
  return {
    parts: [
      {
        name: 'arm',
        kind: 'rod',
        firstPoint: 0,
        pointCount: n,
        color: '',
        label: '',
        opacity: 1,
        hidden: false,
        bodyLength: 0,
        body: 0,
      },
    ],
    halfAxes: Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? a : b)),
    round: new Uint8Array(n).fill(round ? 1 : 0),
    segments: Uint32Array.from({ length: 2 * (n - 1) }, (_, i) => Math.floor((i + 1) / 2)),
    triangles: new Uint32Array(0),
    marks: [],
    obstacles: [],
    joints: [],
    tendons: [],
    revision: 1,
  };
}

it('rods of very many nodes are drawn with fewer of them, from end to end', () => {
  const n = 40_000;
  const positions = Array.from({ length: n }, (_, i) => [i / (n - 1), 0, 0]);
  const tubes = new Tubes(drawingOf({ positions, a: 1e-3, b: 1e-3, round: true }), [0]);
  expect(tubes.vertexCount).toBeLessThan(60_000);
  tubes.update(Float32Array.from(positions.flat()), new Float32Array(3 * n).fill(1), null, 1);
  const x = tubes.buffers.position.filter((_, i) => i % 3 === 0);
  expect(Math.min(...x)).toBeLessThan(1e-6);
  expect(Math.max(...x)).toBeGreaterThan(1 - 1e-6);
});

function build(shape: Shape, thicken = 1): Tubes {
  const tubes = new Tubes(drawingOf(shape), [0]);
  const directors = shape.directors ?? shape.positions.map(() => [0, 0, 1]);
  tubes.update(Float32Array.from(shape.positions.flat()), Float32Array.from(directors.flat()), null, thicken);
  return tubes;
}

const straight = Array.from({ length: 6 }, (_, i) => [0.1 * i, 0, 0]);
const circle = Array.from({ length: 40 }, (_, i) => {
  const angle = (1.5 * Math.PI * i) / 39;
  return [Math.cos(angle), Math.sin(angle), 0];
});

function vertices(tubes: Tubes): number[][] {
  const { position } = tubes.buffers;
  return Array.from({ length: tubes.vertexCount }, (_, v) => [...position.subarray(3 * v, 3 * v + 3)]);
}

describe('a straight round rod', () => {
  it('has its radius along its length and a half ball at each end', () => {
    for (const [x, y, z] of vertices(build({ positions: straight }))) {
      const off = x < 0 ? Math.hypot(x, y, z) : x > 0.5 ? Math.hypot(x - 0.5, y, z) : Math.hypot(y, z);
      expect(off).toBeCloseTo(0.01, 6);
      expect(x).toBeGreaterThan(-0.0101);
      expect(x).toBeLessThan(0.5101);
    }
  });

  it('is drawn thicker when asked', () => {
    const radii = vertices(build({ positions: straight }, 3))
      .filter(([x]) => x > 0 && x < 0.5)
      .map(([, y, z]) => Math.hypot(y, z));
    expect(Math.min(...radii)).toBeCloseTo(0.03, 6);
    expect(Math.max(...radii)).toBeCloseTo(0.03, 6);
  });

  it('shows its outside: every triangle faces along its normals', () => {
    const tubes = build({ positions: circle, a: 0.05, b: 0.03 });
    const { index, normal } = tubes.buffers;
    const points = vertices(tubes);
    let checked = 0;
    for (let t = 0; t < index.length; t += 3) {
      const [p, q, r] = [points[index[t]], points[index[t + 1]], points[index[t + 2]]];
      const u = q.map((c, i) => c - p[i]);
      const v = r.map((c, i) => c - p[i]);
      const face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      if (Math.hypot(...face) < 1e-9) continue;
      const n = normal.subarray(3 * index[t], 3 * index[t] + 3);
      expect(face[0] * n[0] + face[1] * n[1] + face[2] * n[2]).toBeGreaterThan(0);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(1000);
  });

  it('has unit normals', () => {
    const { normal } = build({ positions: circle, a: 0.02, b: 0.05 }).buffers;
    for (let i = 0; i < normal.length; i += 3) {
      expect(Math.hypot(normal[i], normal[i + 1], normal[i + 2])).toBeCloseTo(1, 5);
    }
  });
});

it('a curve through points of a circle stays near the circle, also at its ends', () => {
  const tubes = build({ positions: circle, a: 1e-4, b: 1e-4 });
  for (const [x, y] of vertices(tubes)) expect(Math.abs(Math.hypot(x, y) - 1)).toBeLessThan(5e-4);
});

it('a rectangle has its width along d1 and its height along d2', () => {
  const directors = straight.map(() => [0, 1, 0]);
  const inside = vertices(build({ positions: straight, directors, a: 0.02, b: 0.005, round: false })).filter(
    ([x]) => x >= 0 && x <= 0.5,
  );
  const span = (axis: number): number => Math.max(...inside.map((p) => Math.abs(p[axis])));
  expect(span(1)).toBeCloseTo(0.02, 6);
  expect(span(2)).toBeCloseTo(0.005, 6);
});

it('the stripe lies along d1 and follows the twist', () => {
  const directors = straight.map((_, i) => [0, Math.sin(0.3 * i), Math.cos(0.3 * i)]);
  const tubes = build({ positions: straight, directors, a: 0.02, b: 0.005, round: false });
  const { around, position } = tubes.buffers;
  for (let v = 0; v < tubes.vertexCount; ++v) {
    const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
    if (Math.abs(around[v]) !== 0.25 || x < 0.01 || x > 0.49) continue;
    const angle = (0.3 * x) / 0.1;
    expect(y * Math.sin(angle) + z * Math.cos(angle)).toBeGreaterThan(0.014);
  }
});

describe('odd shapes stay finite', () => {
  const finite = (tubes: Tubes): boolean =>
    [tubes.buffers.position, tubes.buffers.normal].every((a) => a.every(Number.isFinite));
  it('two nodes', () => expect(finite(build({ positions: straight.slice(0, 2) }))).toBe(true));
  it('nodes in one place', () =>
    expect(
      finite(
        build({
          positions: [
            [0, 0, 0],
            [0, 0, 0],
            [1, 0, 0],
          ],
        }),
      ),
    ).toBe(true));
  it('a sharp turn back', () =>
    expect(
      finite(
        build({
          positions: [
            [0, 0, 0],
            [1, 0, 0],
            [0, 0, 0],
          ],
        }),
      ),
    ).toBe(true));
  it('directors along the rod', () => {
    const directors = straight.map(() => [1, 0, 0]);
    expect(finite(build({ positions: straight, directors }))).toBe(true);
  });
  it('no radius', () => expect(finite(build({ positions: straight, a: 0, b: 0 }))).toBe(true));
});

it('a thousand frames use the same buffers', () => {
  const tubes = build({ positions: straight });
  const { position, normal } = tubes.buffers;
  const moved = Float32Array.from(straight.flat());
  const directors = Float32Array.from(straight.flatMap(() => [0, 0, 1]));
  for (let i = 0; i < 1000; ++i) tubes.update(moved, directors, null, 1);
  expect(tubes.buffers.position).toBe(position);
  expect(tubes.buffers.normal).toBe(normal);
});

it('a rod of many nodes is drawn coarsely within the budget, from end to end', () => {
  const many = Array.from({ length: 3001 }, (_, i) => [0.001 * i, 0, 0]);
  const tubes = new Tubes(drawingOf({ positions: many }), [0], coarse);
  tubes.update(Float32Array.from(many.flat()), Float32Array.from(many.flatMap(() => [0, 0, 1])), null, 1);
  expect(tubes.vertexCount).toBeLessThan(520 * 10);
  const along = vertices(tubes).map(([x]) => x);
  expect(Math.min(...along)).toBeCloseTo(-0.01, 5);
  expect(Math.max(...along)).toBeCloseTo(3.01, 5);
});
