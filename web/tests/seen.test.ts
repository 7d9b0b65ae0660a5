// What is to be seen is seen: sharp folds only where the rest shape folds, light and shadow where the thing stands, a camera that
// goes along, displacements large enough, and what acts told in words.
import * as THREE from 'three';
import { describe, expect, it, vi } from 'vitest';
import { moment } from '../src/text/units';
import { actingRows, slopesOf } from '../src/view/acting';
import { Blend } from '../src/view/blend';
import { Exaggeration, roundFactor } from '../src/view/exaggeration';
import { Ground } from '../src/view/ground';
import { InSight, type Lens } from '../src/view/inSight';
import { flatAxis, lightFrom } from '../src/view/light';
import { Shells } from '../src/view/shells';
import type { Stage } from '../src/view/stage';
import { Surface } from '../src/view/surface';
import { TubeMaterial } from '../src/view/tubeMaterial';
import { Watch } from '../src/view/watch';
import { wedgeLines } from '../src/view/wedge';
import { fakeEngine } from './fakeEngine';

const drawingOf = (scene: object) => fakeEngine.simulation(JSON.stringify(scene)).drawing();
const box = (x: number, y: number, z: number): THREE.Box3 =>
  new THREE.Box3(new THREE.Vector3(0, 0, 0), new THREE.Vector3(x, y, z));

/** Two triangles that share the y axis, the second folded up by an angle [degrees]. */
function folded(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.from([0, 0, 0, 0, 1, 0, -1, 0.5, 0, Math.cos(angle), 0.5, Math.sin(angle)]);
}

const sheet = {
  ...drawingOf({ bars: 0, sheets: 1, grid: 4 }),
  parts: [
    {
      ...{ name: 'fold', kind: 'shell' as const, firstPoint: 0, pointCount: 4, color: '', label: '', opacity: 1 },
      ...{ hidden: false, bodyLength: 0, body: 0 },
    },
  ],
  halfAxes: new Float32Array(8),
  triangles: Uint32Array.from([0, 1, 2, 1, 0, 3]),
};

describe('folds', () => {
  const atRest = (degrees: number) => ({ places: folded(degrees), driven: [] });
  const normalsOf = ({ buffers }: Surface): number[][] => {
    const { index, normal } = buffers;
    return Array.from(index, (v) =>
      Array.from(normal.subarray(3 * v, 3 * v + 3), (c) => Math.round(c * 1e4) / 1e4 + 0),
    );
  };

  it('are sharp where the shape at rest folds, whatever it does later', () => {
    const surface = new Surface(sheet, [0], atRest(60));
    expect([...surface.buffers.crease]).toEqual([0, 1]);
    for (const now of [60, 120, 10]) {
      surface.update(folded(now), null);
      const normals = normalsOf(surface);
      // Each triangle has its own normal in all its corners.
      expect(normals.slice(0, 3)).toEqual([0, 1, 2].map(() => [0, 0, 1]));
      expect(normals[3]).toEqual(normals[5]);
      expect(normals[3][2]).toBeCloseTo(Math.cos((now * Math.PI) / 180), 3);
    }
    expect(surface.vertexCount).toBe(6);
  });

  it('of what was flat are smooth, however sharply it folds', () => {
    const surface = new Surface(sheet, [0], atRest(0));
    expect(surface.buffers.crease).toHaveLength(0);
    expect(surface.vertexCount).toBe(4);
    surface.update(folded(80), null);
    const normals = normalsOf(surface);
    // Along the fold both triangles have the normal between theirs.
    expect(normals[0]).toEqual(normals[4]);
    expect(normals[0][2]).toBeCloseTo(Math.cos((40 * Math.PI) / 180), 3);
  });

  it('of a shape that is driven are sharp from the moment on that it folds', () => {
    const shells = new Shells(sheet, { places: folded(0), driven: ['fold'] });
    const counts = [10, 60, 0].map((degrees) => {
      shells.update(folded(degrees), null);
      return (shells.group.children[0] as THREE.Mesh).geometry.attributes.normal.count;
    });
    expect(counts).toEqual([4, 6, 6]);
  });

  it('hand places, values and colors to the corners that they part', () => {
    const surface = new Surface(sheet, [0], atRest(90));
    surface.update(folded(90), Float32Array.from([7, 8, 9, 10]));
    const { index, value, position, color } = surface.buffers;
    expect(Array.from(index, (v) => value[v])).toEqual([7, 8, 9, 8, 7, 10]);
    expect([...position.subarray(3 * index[3], 3 * index[3] + 3)]).toEqual([0, 1, 0]);
    expect([...color.subarray(12, 15)]).toEqual([...color.subarray(0, 3)]);
  });
});

describe('light', () => {
  const front = new THREE.Vector3(0.3, -1, 0.3);

  it('comes from straight above what lies flat: its shadow lies under it', () => {
    const { x, y, z } = lightFrom(flatAxis(box(1, 1, 0.02)), front);
    expect(Math.hypot(x, y) / z).toBeLessThan(0.15);
  });

  it('comes from the side of the camera where a structure stands flat', () => {
    for (const side of [-1, 1]) {
      expect(side * lightFrom(flatAxis(box(1, 0.01, 0.8)), new THREE.Vector3(0, side, 0.2)).y).toBeGreaterThan(0.3);
      expect(side * lightFrom(flatAxis(box(0.01, 1, 0.8)), new THREE.Vector3(side, 0, 0.2)).x).toBeGreaterThan(0.3);
    }
  });

  it('of solid things, and of a straight rod, is the usual one', () => {
    expect(flatAxis(box(1, 0.6, 0.8))).toBeNull();
    expect(flatAxis(box(1, 0, 0))).toBeNull();
    expect(lightFrom(null, front).y).toBeLessThan(0);
  });

  it('lies far below at rest only while something reaches down there', () => {
    const ground = new Ground();
    ground.fit(new THREE.Box3(new THREE.Vector3(0, 0, 0.2), new THREE.Vector3(1, 1, 0.3)), null);
    const level = (): number => {
      for (let i = 0; i < 200; ++i) ground.advance(0.1);
      return ground.level;
    };
    const before = level();
    ground.keepBelow(-300, true);
    expect(level()).toBeLessThan(-300);
    ground.keepBelow(0.2, true);
    expect(level()).toBeLessThan(0.2);
    expect(level()).toBeGreaterThan(before - 1.5);
  });

  it('comes up again under what was heavy and is light: at rest at once, in motion when it stays up after a value was changed', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const ground = new Ground();
    const level = (): number => {
      for (let i = 0; i < 200; ++i) ground.advance(0.1);
      return ground.level;
    };
    const sags = (): number => {
      ground.fit(new THREE.Box3(new THREE.Vector3(0, 0, -0.2), new THREE.Vector3(1, 0, 0)), null);
      ground.keepBelow(-1);
      return level();
    };
    expect(sags()).toBeLessThan(-1);
    ground.keepBelow(0, true);
    expect(level()).toBeGreaterThan(-0.85);
    sags();
    const swing = (): number => {
      for (let ms = 0; ms <= 9000; ms += 100) {
        now.mockReturnValue(ms);
        ground.keepBelow(0);
      }
      return level();
    };
    expect(swing()).toBeLessThan(-1);
    now.mockReturnValue(0);
    ground.valueChanged();
    expect(swing()).toBeCloseTo(-0.5, 1);
    now.mockRestore();
  });

  it('throws the shadow of what lies on the ground right beside it', () => {
    const ground = new Ground();
    const lying = box(3, 2, 0.05);
    ground.fit(lying, 0);
    expect(lying.min.z - ground.level).toBeLessThan(0.01 * 3.6);
    ground.fit(lying, null);
    expect(lying.min.z - ground.level).toBeGreaterThan(0.2 * 3.6);
    ground.fit(lying, -0.1);
    expect(ground.level).toBeLessThan(-0.1);
    expect(-0.1 - ground.level).toBeLessThan(0.01 * 3.6);
  });
});

it('a clear body in an opaque one of its size lies behind it', () => {
  expect(new TubeMaterial(0.6)).toMatchObject({ polygonOffset: true, polygonOffsetUnits: 300 });
  expect(new TubeMaterial(1).polygonOffset).toBe(false);
});

describe('the camera', () => {
  // It looks along y, with 45 degrees to each side.
  const lens: Lens = {
    axes: [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, -1, 0)],
    tangents: [1, 1],
  };
  const at = (x: number, z: number, size: number): THREE.Box3 =>
    new THREE.Box3(new THREE.Vector3(x, 0, z), new THREE.Vector3(x + size, 0, z + size));
  const begin = (): { inSight: InSight; sight: { target: THREE.Vector3; distance: number } } => {
    const inSight = new InSight();
    const sight = { target: new THREE.Vector3(0.5, 0, 0.5), distance: 0.7 };
    inSight.start(at(0, 0, 1), sight);
    return { inSight, sight };
  };
  const go = ({ inSight, sight }: ReturnType<typeof begin>, where: THREE.Box3, seconds: number): number => {
    let moves = 0;
    for (let i = 0; i < 30 * seconds; ++i) {
      const next = inSight.next(where, sight, lens, 1 / 30);
      if (next) Object.assign(sight, next);
      if (next) moves += 1;
    }
    return moves;
  };

  it('stays as long as all is in sight', () => {
    const run = begin();
    expect(go(run, at(0.02, 0.03, 0.9), 20)).toBe(0);
    expect(run.sight.distance).toBe(0.7);
  });

  it('follows what leaves the picture, and comes to rest', () => {
    const run = begin();
    go(run, at(5, 0, 1), 30);
    expect(Math.abs(run.sight.target.x - 5.5)).toBeLessThan(0.1);
    expect(run.sight.distance).toBeLessThan(0.85);
    expect(go(run, at(5, 0, 1), 5)).toBe(0);
  });

  it('comes near what has become small, and goes back from what grows', () => {
    const run = begin();
    go(run, at(0.4, 0.4, 0.2), 30);
    // It rests a little before that, where the thing is large enough.
    expect(run.sight.distance).toBeLessThan(0.26);
    go(run, at(0, 0, 3), 30);
    expect(run.sight.distance).toBeGreaterThan(1.6);
  });

  it('is back soon from an excursion, however far it was', () => {
    const run = begin();
    go(run, at(-2500, -2500, 5000), 5);
    expect(run.sight.distance).toBeGreaterThan(1000);
    go(run, at(0, 0, 1), 8);
    expect(run.sight.distance).toBeLessThan(1.2);
  });

  it('does not swing with what swings', () => {
    const run = begin();
    for (let i = 0; i < 20; ++i) go(run, at(i % 2 === 0 ? 0.9 : -0.9, 0, 1), 0.5);
    expect(run.sight.target.x).toBeGreaterThan(0.2);
    expect(run.sight.target.x).toBeLessThan(0.8);
    const { x } = run.sight.target;
    go(run, at(0.9, 0, 1), 0.5);
    go(run, at(-0.9, 0, 1), 0.5);
    expect(Math.abs(run.sight.target.x - x)).toBeLessThan(0.1);
  });

  it('watches nothing where there was nothing to see, and goes on when there is', () => {
    const { inSight, sight } = begin();
    for (const nothing of [new THREE.Box3(), at(Number.NaN, 0, 1), at(0, Number.POSITIVE_INFINITY, 1)]) {
      inSight.start(nothing, sight);
      expect(inSight.active).toBe(false);
      expect(inSight.next(at(0, 0, 1), sight, lens, 0.1)).toBeNull();
      expect(inSight.isSmall(at(0, 0, 1), sight, lens)).toBe(false);
    }
    inSight.start(at(0, 0, 1), sight);
    expect(inSight.active).toBe(true);
  });

  it('rests where a thing is in sight, even if that is farther away than its size asks', () => {
    // Framed for what lay off the middle of the picture, or for another shape.
    for (const [x, sizes] of [
      [3, [0.4, 1, 5]],
      [0.2, [0.05, 0.3, 8]],
    ] as const) {
      for (const seconds of [1 / 60, 0.3, 1]) {
        for (const size of sizes) {
          const inSight = new InSight();
          const sight = { target: new THREE.Vector3(x, 0, 0.5), distance: 0.7 };
          inSight.start(at(0, 0, 1), sight);
          let time = 0;
          for (let going = true; going && time < 60; time += seconds) {
            const next = inSight.next(at(1, 1, size), sight, lens, seconds);
            if (next) Object.assign(sight, next);
            going = next !== null || inSight.isSmall(at(1, 1, size), sight, lens);
          }
          expect(time).toBeLessThan(20);
        }
      }
    }
  });

  it('watches the newest state, for which it was framed, whatever is still shown', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    const drawing = drawingOf({ bars: 1 });
    const places = (length: number): Float32Array =>
      Float32Array.from({ length: 3 * drawing.round.length }, (_, i) => (i % 3 === 0 ? (i * length) / 30 : 0));
    const none = new Float32Array(0);
    const rest = { directors: none, obstacles: none, joints: none, tendons: none, tensions: none };
    const state = (positions: Float32Array) => ({ positions, ...rest });
    const blend = new Blend();
    blend.push(state(places(20)), true, 0);
    blend.push(state(places(1)), false, 200);
    expect(blend.positions[27]).toBe(places(20)[27]);
    const middle = new THREE.Box3().setFromArray(Array.from(places(1))).getCenter(new THREE.Vector3());
    const stage = { sight: { target: middle, distance: 2 }, lens, follow: vi.fn() };
    const watch = new Watch(stage as unknown as Stage, blend);
    watch.setDrawing(drawing, { parts: [], nodes: null });
    watch.start();
    for (let now = 200; now < 5000; now += 50) {
      blend.advance(now);
      expect(watch.update(now)).toBe(false);
    }
    expect(stage.follow).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('keeps in sight the nodes that a scene names', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    const drawing = drawingOf({ bars: 2 });
    const positions = new Float32Array(3 * drawing.round.length);
    // Two of three are far from everything else.
    const [, { firstPoint }] = drawing.parts;
    for (const node of [4, 5, 6]) positions[3 * (firstPoint + node)] = node === 4 ? 10 : 11;
    const blend = { latest: { positions, obstacles: new Float32Array(0) } } as unknown as Blend;
    const stage = { sight: { target: new THREE.Vector3(), distance: 2 }, lens, follow: vi.fn() };
    const watch = new Watch(stage as unknown as Stage, blend);
    const sizeOf = (nodes: [number, number] | null): number => {
      watch.setDrawing(drawing, { parts: [1], nodes });
      watch.start();
      return (watch as unknown as { inSight: InSight }).inSight.size;
    };
    expect(sizeOf([4, 6])).toBeCloseTo(1);
    expect(sizeOf([3, 6])).toBeCloseTo(11);
    expect(sizeOf([5, 6])).toBeCloseTo(0);
    vi.unstubAllGlobals();
  });
});

describe('displacements', () => {
  const drawing = drawingOf({ bars: 1 });
  const rest = Float32Array.from({ length: 3 * drawing.round.length }, (_, i) => (i % 3 === 0 ? i / 90 : 0));
  const moved = (by: number): Float32Array => rest.map((place, i) => (i % 3 === 2 ? place + by : place));
  const begin = (factor: unknown): Exaggeration => {
    const one = new Exaggeration();
    one.setRest(drawing, rest);
    one.ask(factor);
    return one;
  };

  it('are drawn by a round factor', () => {
    expect([0, 1, 1.9, 2, 4.99, 5, 17, 99.9999999999, 250].map(roundFactor)).toEqual([1, 1, 1, 2, 2, 5, 10, 100, 200]);
    const one = begin(20);
    expect(one.drawn(moved(1e-3), true)[2]).toBeCloseTo(0.02, 6);
    expect(one.factor).toBe(20);
  });

  it('of nothing asked are true', () => {
    for (const asked of [undefined, 1, 0, 'much']) {
      const places = moved(1e-3);
      expect(begin(asked).drawn(places, true)).toBe(places);
    }
  });

  it('keep their factor in a run as long as what is drawn keeps its place, and the next run starts with what fits', () => {
    const one = begin(100);
    const factors = (ways: number[]): number[] =>
      ways.map((way, i) => {
        one.drawn(moved(way), i === 0);
        return one.factor;
      });
    expect(factors([0, 1e-3, 4e-3])).toEqual([100, 100, 100]);
    expect(factors([0, 4e-3, 0.02, 1e-3])).toEqual([100, 100, 20, 20]);
    expect(factors([0, 0.02])).toEqual([20, 20]);
    expect(factors([0, 1e-3])).toEqual([20, 20]);
    expect(factors([0, 1e-3])).toEqual([100, 100]);
  });

  it('are pulled to where the pointer shows them', () => {
    const one = begin(10);
    const shown = one.drawn(moved(2e-3), true);
    const [x, y, z] = one.truth(3, [shown[9], shown[10], shown[11]]);
    expect([x, y]).toEqual([rest[9], rest[10]]);
    expect(z).toBeCloseTo(2e-3, 7);
  });

  it('of linkages are true', () => {
    const linkage = drawingOf({ bars: 0, linkage: true });
    const one = new Exaggeration();
    one.setRest(linkage, new Float32Array(3 * linkage.round.length));
    one.ask(10);
    expect(one.factor).toBe(1);
  });
});

describe('what acts', () => {
  const still = { gravity: [0, 0, -9.81] as [number, number, number], friction: 0.4, pressure: -2e4, driven: ['worm'] };
  const [base] = drawingOf({ bars: 1, obstacles: true }).obstacles;
  const plane = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return {
      ...base,
      kind: 'plane' as const,
      hidden: false,
      normal: [Math.sin(angle), 0, Math.cos(angle)] as [number, number, number],
    };
  };

  it('is told with words, numbers and units', () => {
    const rows = actingRows(still, { obstacles: [plane(15)] }, true);
    expect(rows.map(({ words, value }) => `${words} ${value}`)).toEqual([
      'Gravity 9.81 m/s²',
      'Slope 15°',
      'Friction coefficient 0.40',
      'Pressure −20.0 kPa',
      ' shape of worm driven',
    ]);
  });

  it('a slope has a wedge with its angle, in its plane', () => {
    const [x0, , z0, x1, , z1, ...rest] = wedgeLines(plane(20), 2);
    expect([Math.hypot(x1 - x0, 0), z1 - z0]).toEqual([expect.closeTo(2), expect.closeTo(0)]);
    const [, , , x2, , z2] = rest;
    expect((180 / Math.PI) * Math.atan2(z2 - z0, Math.abs(x2 - x0))).toBeCloseTo(20);
    expect(wedgeLines(plane(0), 2)).toEqual([]);
    expect(wedgeLines(plane(90), 2)).toEqual([]);
  });

  it('is nothing where nothing acts; friction where nothing touches is not told', () => {
    const none = { gravity: [0, 0, 0] as [number, number, number], friction: 0.3, pressure: 0, driven: [] };
    expect(actingRows(none, { obstacles: [plane(0), plane(90)] }, false)).toEqual([]);
    expect(slopesOf({ obstacles: [plane(0), { ...plane(20), hidden: true }] })).toEqual([]);
  });
});

it('a moment early in a run is told with its digits', () => {
  expect([moment(0.05, 200), moment(0.05, 5000), moment(0.05, 10), moment(12.3, 200), moment(0, 200)]).toEqual([
    '0.050 s',
    '0.050 s',
    '0.050 s',
    '12.3 s',
    '0.0 s',
  ]);
  expect(moment(3e-5, 200)).toBe('30 µs');
});
