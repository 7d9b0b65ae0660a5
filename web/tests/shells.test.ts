// Shells in the view: surfaces keep the mesh and its normals, borders and creases are found, the pointer finds vertices,
// fields have the right words, units and ranges, loads are thinned out.
import { describe, expect, it } from 'vitest';
import type { DrawingData } from '../src/engine/protocol';
import { type BodyKind, choiceWords, FieldRanges, kindsOf } from '../src/view/fields';
import { meshEdges } from '../src/view/meshEdges';
import { pickTriangle } from '../src/view/pick';
import { handles, spread } from '../src/view/spread';
import { Surface } from '../src/view/surface';
import { fakeEngine } from './fakeEngine';

interface Scene {
  drawing: DrawingData;
  positions: Float32Array;
  directors: Float32Array;
}

function sceneOf(scene: object): Scene {
  const sim = fakeEngine.simulation(JSON.stringify(scene));
  return { drawing: sim.drawing(), positions: sim.snapshot().positions, directors: sim.snapshot().directors };
}

const mixed = sceneOf({ bars: 2, sheets: 2, grid: 6 });
const perSheet = 49;
const firstSheet = 62;

describe('a surface', () => {
  const surface = new Surface(mixed.drawing, [2, 3], { places: mixed.positions, driven: [] });
  surface.update(mixed.positions, null);

  it('has the points of its shells, with normals near those of the snapshot', () => {
    const { position, normal } = surface.buffers;
    expect(surface.vertexCount).toBe(2 * perSheet);
    expect(position).toEqual(mixed.positions.slice(3 * firstSheet));
    for (let i = 0; i < normal.length; i += 3) {
      const [x, y, z] = mixed.directors.subarray(3 * firstSheet + i, 3 * firstSheet + i + 3);
      expect(normal[i] * x + normal[i + 1] * y + normal[i + 2] * z).toBeGreaterThan(0.9);
    }
  });

  it('has their triangles, none of other bodies', () => {
    const { index } = surface.buffers;
    expect(index).toHaveLength(2 * 6 * 6 * 2 * 3);
    expect(index).toEqual(mixed.drawing.triangles.map((point) => point - firstSheet));
    expect(
      new Surface(mixed.drawing, [3], { places: mixed.positions, driven: [] }).buffers.index.every(
        (vertex) => vertex < perSheet,
      ),
    ).toBe(true);
  });

  it('draws a line along every border, once', () => {
    const { border, wire } = surface.buffers;
    expect(border).toHaveLength(2 * 4 * 6 * 2);
    // Edges of a square of n x n cells with a diagonal each: 3 n^2 + 2 n.
    expect(wire).toHaveLength(2 * (3 * 36 + 12) * 2);
    const onBorder = (vertex: number): boolean => {
      const i = vertex % perSheet;
      return i % 7 === 0 || i % 7 === 6 || i < 7 || i >= 42;
    };
    expect(border.every(onBorder)).toBe(true);
  });

  it('carries a value per vertex', () => {
    const values = Float32Array.from({ length: mixed.positions.length / 3 }, (_, i) => i);
    surface.update(mixed.positions, values);
    expect(surface.buffers.value[0]).toBe(firstSheet);
    expect(surface.buffers.value[2 * perSheet - 1]).toBe(firstSheet + 2 * perSheet - 1);
  });

  it('is rewritten in place', () => {
    const { position, normal, crease } = surface.buffers;
    for (let i = 0; i < 100; ++i) surface.update(mixed.positions, null);
    expect(surface.buffers.position).toBe(position);
    expect(surface.buffers.normal).toBe(normal);
    expect(surface.buffers.crease).toBe(crease);
  });
});

it('an edge with three triangles is listed once, with two of them', () => {
  const { count, faces } = meshEdges(Uint32Array.from([0, 1, 2, 1, 0, 3, 0, 1, 4]), 5);
  expect(count).toBe(7);
  expect([...faces.slice(0, 2)]).toEqual([0, 1]);
});

describe('picking', () => {
  const { positions, drawing } = mixed;
  const none = (): boolean => false;
  const down = (x: number, y: number, z = 5): Parameters<typeof pickTriangle>[0] => ({
    origin: { x, y, z },
    direction: { x: 0, y: 0, z: -1 },
  });

  it('takes the vertex nearest to where the ray meets the sheet', () => {
    for (const point of [firstSheet, firstSheet + 24, firstSheet + 48, firstSheet + perSheet + 10]) {
      const [x, y, z] = positions.subarray(3 * point, 3 * point + 3);
      const inwards = (value: number, middle: number): number => value + 0.2 * Math.sign(middle - value) * (0.4 / 6);
      const hit = pickTriangle(
        down(inwards(x, 0.2), inwards(y, y < 0.85 ? 0.6 : 1.1)),
        positions,
        drawing.triangles,
        none,
      );
      expect(hit?.point).toBe(point);
      expect(hit?.distance).toBeCloseTo(5 - z, 1);
    }
  });

  it('meets both sides, and nothing beside, behind or hidden', () => {
    const up = { origin: { x: 0.21, y: 0.61, z: -5 }, direction: { x: 0, y: 0, z: 1 } };
    expect(pickTriangle(up, positions, drawing.triangles, none)).not.toBeNull();
    expect(pickTriangle(down(0.2, 0.85), positions, drawing.triangles, none)).toBeNull();
    expect(pickTriangle(down(0.2, 0.6, -5), positions, drawing.triangles, none)).toBeNull();
    expect(pickTriangle(down(0.2, 0.6), positions, drawing.triangles, () => true)).toBeNull();
  });

  it('takes the nearer of two sheets', () => {
    const two = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1]);
    const hit = pickTriangle(down(0.1, 0.1), two, Uint32Array.from([0, 1, 2, 3, 4, 5]), none);
    expect(hit).toEqual({ distance: 4, point: 3 });
  });
});

describe('fields', () => {
  const values = new Float32Array(mixed.positions.length / 3);
  values[3] = -0.5;
  values[firstSheet + 5] = 20;
  const parts = (...kinds: BodyKind[]): DrawingData => ({
    ...mixed.drawing,
    parts: mixed.drawing.parts.filter(({ kind }) => kinds.includes(kind)),
  });
  const rows = (field: 'curvature' | 'strain' | 'energy', drawing: DrawingData): string[] => {
    const ranges = new FieldRanges();
    ranges.take(field, values, drawing);
    return ranges
      .rows(field, kindsOf(drawing))
      .map(({ title, unit, low, high }) => `${title} [${unit}] ${low} ${high}`);
  };

  it('are called after what they are on each kind of body', () => {
    expect(rows('energy', parts('rod'))).toEqual(['Elastic energy per length [J/m] -0.5 0']);
    expect(rows('energy', parts('shell'))).toEqual(['Bending energy per area [J/m^2] 0 20']);
    expect(rows('strain', parts('shell'))).toEqual(['Membrane strain [] -20 20']);
    expect(choiceWords('strain', ['rod'])).toBe('axial strain');
    expect(choiceWords('strain', ['rod', 'shell'])).toBe('strain');
  });

  it('of one unit share a range, energies have one each', () => {
    expect(rows('curvature', parts('rod', 'shell'))).toEqual(['Curvature [1/m] -0.5 20']);
    expect(rows('energy', parts('rod', 'shell'))).toEqual([
      'Rods: elastic energy [J/m] -0.5 0',
      'Shells: bending energy [J/m^2] 0 20',
    ]);
  });

  it('color each kind by its own range, and only widen', () => {
    const ranges = new FieldRanges();
    expect(ranges.take('energy', values, mixed.drawing)).toBe(true);
    expect(ranges.take('energy', new Float32Array(values.length), mixed.drawing)).toBe(false);
    expect(ranges.look('energy', 'shell')).toMatchObject({ field: true, low: 0, high: 20 });
    expect(ranges.look('energy', 'rod')).toMatchObject({ low: -0.5, high: 0 });
    expect(ranges.look('curvature', 'rod')).toMatchObject({ low: -0.5, high: 20 });
    expect(ranges.look(null, 'rod').field).toBe(false);
  });

  it('of hidden bodies do not count', () => {
    const hidden = { ...mixed.drawing, parts: mixed.drawing.parts.map((p) => ({ ...p, hidden: p.kind === 'shell' })) };
    expect(rows('curvature', hidden)).toEqual(['Curvature [1/m] -0.5 0']);
  });
});

describe('thinning out', () => {
  const points = Array.from({ length: perSheet }, (_, i) => firstSheet + i);

  it('keeps few that lie far apart', () => {
    const few = spread(points, mixed.positions, 4);
    expect(new Set(few).size).toBe(4);
    const at = (point: number): Float32Array => mixed.positions.subarray(3 * point, 3 * point + 2);
    for (const a of few) {
      for (const b of few)
        if (a !== b) expect(Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1])).toBeGreaterThan(0.3);
    }
  });

  it('offers to keys the ends and middles of rods and some vertices of each shell', () => {
    const found = handles(mixed.drawing, mixed.positions);
    expect(found.slice(0, 6)).toEqual([30, 15, 0, 61, 46, 31]);
    expect(found.filter((point) => point >= firstSheet && point < firstSheet + perSheet)).toHaveLength(6);
    expect(found).toHaveLength(6 + 2 * 6);
  });

  it('keeps all of a few, and takes every so many where places are unknown', () => {
    expect(spread([3, 4], mixed.positions, 4)).toEqual([3, 4]);
    expect(spread(points, new Float32Array(0), 10)).toHaveLength(10);
  });
});
