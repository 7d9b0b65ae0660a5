// The life of a simulation in the module: load, step, look, change, save, restore, end.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cantilever, hybridArm, loadEngine } from './support.mjs';

const engine = await loadEngine();

/** Runs `body` with a simulation that is disposed of afterwards. */
function withSimulation(text, body, overrides) {
  const sim = engine.simulation(text, overrides);
  try {
    return body(sim);
  } finally {
    sim.dispose();
  }
}

test('info tells the checks, those of runs of their own with their values', () => {
  const own = '{"title": "long", "points": 0.5, "with": {"length": 0.3}, "expect": "tip.x > 0.1"}';
  withSimulation(cantilever().replace('"points": 2}]', `"points": 2}, {"expect": "tip.x > 0"}, ${own}]`), (sim) => {
    assert.deepEqual(sim.info().checks, [
      { title: 'falls', points: 2, with: null },
      { title: 'tip.x > 0', points: 1, with: null },
      { title: 'long', points: 0.5, with: { length: 0.3 } },
    ]);
    assert.deepEqual(sim.info().checkRuns, [
      { with: {}, indices: [0, 1] },
      { with: { length: 0.3 }, indices: [2] },
    ]);
  });
});

test('every curve of the gallery that is plotted has a unit, "1" of a pure number', () => {
  const folder = new URL('../../scenes/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.includes('schema'));
  const missing = [];
  let plotted = 0;
  for (const name of names) {
    withSimulation(readFileSync(new URL(name, folder), 'utf8'), (sim) => {
      for (const { name: column, unit, hidden } of sim.info().columns) {
        if (!hidden) plotted += 1;
        if (!hidden && unit === '') missing.push(`${name}: ${column}`);
      }
    });
  }
  assert.ok(names.length > 70 && plotted > 300);
  assert.deepEqual(missing, []);
});

test('info tells what the scene says', () => {
  withSimulation(cantilever(), (sim) => {
    const info = sim.info();
    assert.equal(info.title, 'Cantilever');
    assert.equal(info.description, 'A *soft* arm.');
    assert.equal(info.static, false);
    assert.equal(info.dt, 0.01);
    assert.equal(info.duration, 1);
    assert.ok(info.degreesOfFreedom >= 3 * 21 + 20);
    assert.deepEqual(
      info.columns.map(({ name }) => name),
      ['tip.x', 'tip.y', 'tip.z', 'bend'],
    );
    assert.deepEqual(info.columns[0], {
      name: 'tip.x',
      unit: 'm',
      quantity: 'position',
      energy: '',
      label: '',
      hidden: false,
      probe: 0,
    });
    assert.deepEqual(
      info.columns.map(({ probe }) => probe),
      [0, 0, 0, 1],
    );
    assert.deepEqual(info.follow, { parts: [], nodes: null });
    assert.deepEqual([info.mayTouch, info.tensions], [false, [0, 0]]);
    assert.deepEqual(info.view, { speed: 0.5 });
    assert.deepEqual(info.warnings, []);
    const [stiffness, length] = info.parameters;
    assert.equal(info.parameters.length, 2);
    assert.deepEqual(
      [
        stiffness.name,
        stiffness.label,
        stiffness.unit,
        stiffness.value,
        stiffness.hasRange,
        stiffness.min,
        stiffness.max,
      ],
      ['E', 'Stiffness', 'Pa', 1e6, true, 1e5, 1e8],
    );
    assert.deepEqual([stiffness.logarithmic, stiffness.live, stiffness.derived], [true, true, false]);
    assert.deepEqual([length.name, length.value, length.hasRange, length.live], ['length', 0.2, false, false]);
  });
});

test('a step advances by dt, and the arm falls', () => {
  withSimulation(cantilever(), (sim) => {
    assert.equal(sim.time, 0);
    assert.equal(sim.duration, 1);
    assert.equal(sim.probes()['tip.z'], 0);
    const progress = sim.step();
    assert.equal(progress.steps, 1);
    assert.ok(progress.iterations >= 1);
    assert.equal(progress.retries, 0);
    assert.deepEqual(progress.warnings, []);
    assert.ok(Math.abs(progress.time - 0.01) < 1e-12);
    assert.equal(sim.time, progress.time);
    assert.ok(sim.probes()['tip.z'] < 0);
    assert.ok(sim.probes().bend > 0);
  });
});

test('advance goes on until the time asked for, and ends at the duration', () => {
  withSimulation(cantilever({ duration: 0.3 }), (sim) => {
    assert.equal(sim.advance(0.1).steps, 10);
    assert.ok(Math.abs(sim.time - 0.1) < 1e-9);
    assert.equal(sim.finished, false);
    sim.advance(10);
    assert.ok(Math.abs(sim.time - 0.3) < 1e-9);
    assert.equal(sim.finished, true);
    const [check] = sim.checks();
    assert.deepEqual([check.title, check.passed, check.points], ['falls', true, 2]);
    assert.equal(check.values['tip.z'], sim.probes()['tip.z']);
  });
});

test('advanceFor stops at the budget of wall time, after at least one step, and otherwise at the time asked for', () => {
  withSimulation(cantilever({ duration: 1000 }), (sim) => {
    assert.equal(sim.advanceFor(100, 0).steps, 1);
    const began = performance.now();
    const progress = sim.advanceFor(1e6, 0.05);
    assert.ok(performance.now() - began < 2000);
    assert.ok(progress.steps >= 1 && sim.time < 1000);
    const before = sim.time;
    assert.equal(sim.advanceFor(0.05, 100).steps, 5);
    assert.ok(Math.abs(sim.time - before - 0.05) < 1e-9);
  });
});

test('reset goes back to the start', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.1);
    const tip = sim.probes();
    sim.reset();
    assert.equal(sim.time, 0);
    assert.equal(sim.probes()['tip.x'], 0.2);
    sim.advance(0.1);
    assert.deepEqual(sim.probes(), tip);
  });
});

test('the drawing has a part per body, sections, segments and marks', () => {
  withSimulation(cantilever(), (sim) => {
    const drawing = sim.drawing();
    assert.deepEqual(
      drawing.parts.map(({ name, kind, firstPoint, pointCount }) => [name, kind, firstPoint, pointCount]),
      [['arm', 'rod', 0, 21]],
    );
    assert.equal(drawing.halfAxes.length, 42);
    assert.ok(drawing.halfAxes.every((axis) => axis === Math.fround(2e-3)));
    assert.deepEqual([...drawing.round], Array(21).fill(1));
    assert.equal(drawing.segments.length, 40);
    assert.equal(drawing.triangles.length, 0);
    assert.deepEqual(drawing.obstacles, []);
    assert.deepEqual(
      drawing.marks.map(({ kind, point }) => [kind, point]),
      [['clamp', 0]],
    );
    assert.ok(drawing.revision >= 1);
  });
});

test('obstacles are drawn with their measures, and tell how far they have moved', () => {
  const things = `"obstacles": {
    "floor": {"plane": {"point": [0, 0, -0.5], "normal": [0, 0, 2]}},
    "ball": {"sphere": {"center": [0.1, 0, -0.4], "radius": 0.05}, "displacement": [0, "=0.2*t", 0],
             "look": {"color": "#3a7", "label": "the ball", "opacity": 0.5}},
    "block": {"box": {"center": [0, 0.3, 0], "half": [0.01, 0.02, 0.03], "rotation": {"axis": [0, 0, 1], "angle": "=pi/2"}},
              "look": {"hidden": true}},
    "bar": {"capsule": {"from": [0, -0.3, 0], "to": [0.1, -0.3, 0], "radius": 0.02}},
    "post": {"cylinder": {"from": [0, -0.4, 0], "to": [0, -0.4, 0.1], "radius": 0.03}}},
  "rods"`;
  withSimulation(cantilever().replace('"rods"', things), (sim) => {
    const drawn = Object.fromEntries(sim.drawing().obstacles.map((obstacle) => [obstacle.name, obstacle]));
    assert.deepEqual(
      Object.entries(drawn).map(([name, { kind }]) => [name, kind]),
      [
        ['floor', 'plane'],
        ['ball', 'sphere'],
        ['block', 'box'],
        ['bar', 'capsule'],
        ['post', 'cylinder'],
      ],
    );
    assert.deepEqual(
      [drawn.floor.point, drawn.floor.normal],
      [
        [0, 0, -0.5],
        [0, 0, 1],
      ],
    );
    const { point, radius, color, label, opacity, hidden } = drawn.ball;
    assert.deepEqual(
      { point, radius, color, label, opacity, hidden },
      { point: [0.1, 0, -0.4], radius: 0.05, color: '#3a7', label: 'the ball', opacity: 0.5, hidden: false },
    );
    assert.deepEqual([drawn.block.half, drawn.block.hidden], [[0.01, 0.02, 0.03], true]);
    assert.ok(
      Math.abs(drawn.block.axes[1] - 1) < 1e-12 && Math.abs(drawn.block.axes[3] + 1) < 1e-12,
      'the first axis is turned to y',
    );
    assert.deepEqual([drawn.bar.point, drawn.bar.end, drawn.bar.radius], [[0, -0.3, 0], [0.1, -0.3, 0], 0.02]);
    assert.deepEqual(drawn.post.end, [0, -0.4, 0.1]);
    assert.deepEqual([...sim.snapshot().obstacles], Array(15).fill(0));
    sim.advance(0.5);
    const moves = [...sim.snapshot().obstacles];
    assert.ok(Math.abs(moves[4] - 0.2 * sim.time) < 1e-7, `the ball moved by ${moves[4]}`);
    assert.deepEqual(
      moves.map((move, i) => (i === 4 ? 0 : move)),
      Array(15).fill(0),
    );
    sim.reset();
    assert.equal(sim.snapshot().obstacles[4], 0);
  });
});

test('info tells which parts of the drawing the camera follows', () => {
  const followOf = (follow) => {
    const text = hybridArm({ rod: true }).replace('"format"', `"view": {"follow": "${follow}"}, "format"`);
    return withSimulation(text, (sim) => {
      const { parts, nodes } = sim.info().follow;
      return [parts.map((i) => sim.drawing().parts[i].name), nodes];
    });
  };
  assert.deepEqual(followOf('arm'), [['arm/hub', 'arm/limb'], null]);
  assert.deepEqual(followOf('arm/limb'), [['arm/limb'], null]);
  assert.deepEqual(followOf('whip'), [['whip'], null]);
  assert.deepEqual(followOf('whip:3..500'), [['whip'], [3, 8]]);
  assert.deepEqual(followOf('nobody'), [[], null]);
});

test('a linkage is drawn link by link, with its joints and tendons', () => {
  withSimulation(hybridArm(), (sim) => {
    const { parts, segments, joints, tendons, marks, halfAxes } = sim.drawing();
    assert.deepEqual(
      parts.map(({ name, kind, color }) => [name, kind, color]),
      [
        ['arm/hub', 'rigid', ''],
        ['arm/limb', 'soft', '#3a7'],
      ],
    );
    const points = parts[1].firstPoint + parts[1].pointCount;
    assert.equal(parts[1].firstPoint, parts[0].pointCount);
    assert.equal(halfAxes.length, 2 * points);
    assert.equal(segments.length, 2 * (points - 2), 'the two links are lines of their own');
    assert.deepEqual(marks, [{ kind: 'fix', point: 0, direction: [0, 0, 0], joint: 0 }], 'the base carries the hub');
    assert.deepEqual(
      parts.map(({ body }) => body),
      [0, 0],
      'both are of one linkage',
    );
    assert.deepEqual(
      joints.map(({ name, kind }) => [name, kind]),
      [['arm/hub', 'revolute']],
    );
    assert.ok(Math.abs(joints[0].size - 0.01) < 1e-6);
    assert.deepEqual(
      tendons.map(({ name, firstPoint, outside, hidden }) => [name, firstPoint, outside, hidden]),
      [['arm/c1', 0, false, false]],
    );
    sim.advance(0.2);
    assert.equal(sim.snapshot().positions.length, 3 * points);
    assert.deepEqual([...sim.snapshot().joints], [0, 0, 0, 0, 0, 1], 'at the base, along z');
    assert.equal(sim.snapshot().tendons.length, 3 * tendons[0].pointCount);
    assert.deepEqual([...sim.snapshot().tensions], [5]);
    const probes = sim.probes();
    const tip = sim.snapshot().positions.slice(-3);
    for (const [i, axis] of ['x', 'y', 'z'].entries()) assert.equal(tip[i], Math.fround(probes[`tip.${axis}`]));
    assert.ok(Math.abs(probes.turn - 0.4) < 1e-9);
    assert.ok(
      Math.abs(probes.length - 0.3) > 1e-5 && Math.abs(probes.length - 0.3) < 0.02,
      `the tendon is ${probes.length} m long`,
    );
    let drawn = 0;
    const line = sim.snapshot().tendons.slice();
    for (let i = 3; i < line.length; ++i)
      if (i % 3 === 0) drawn += Math.hypot(line[i] - line[i - 3], line[i + 1] - line[i - 2], line[i + 2] - line[i - 1]);
    assert.ok(Math.abs(drawn - probes.length) < 1e-3 * probes.length, `drawn ${drawn}, measured ${probes.length}`);
  });
});

test('a linkage beside a rod moves as it does alone, and so does the rod', () => {
  withSimulation(hybridArm({ rod: true }), (sim) => {
    sim.advance(0.2);
    const both = sim.probes();
    assert.deepEqual(
      sim
        .drawing()
        .parts.map(({ name, firstPoint }) => [name, firstPoint])
        .slice(0, 2),
      [
        ['whip', 0],
        ['arm/hub', 9],
      ],
    );
    assert.equal(sim.snapshot().positions[3 * 8 + 2], Math.fround(both['whip.z']));
    withSimulation(hybridArm(), (alone) => {
      alone.advance(0.2);
      for (const name of ['tip.x', 'tip.y', 'tip.z', 'turn', 'length'])
        assert.equal(both[name], alone.probes()[name], name);
      assert.ok(both.energy > alone.probes().energy, 'the energy of both');
    });
    const gap = Math.hypot(
      both['whip.x'] - both['tip.x'],
      both['whip.y'] - both['tip.y'],
      both['whip.z'] - both['tip.z'],
    );
    assert.ok(Math.abs(both.gap - gap) < 1e-12);
    const bytes = sim.save();
    sim.advance(0.1);
    const later = sim.save();
    sim.restore(bytes);
    sim.advance(0.1);
    assert.deepEqual(sim.save(), later);
  });
});

test('a scene without linkages has no joints and no tendons', () => {
  withSimulation(cantilever(), (sim) => {
    assert.deepEqual([sim.drawing().joints, sim.drawing().tendons], [[], []]);
    for (const list of [sim.snapshot().joints, sim.snapshot().tendons, sim.snapshot().tensions]) {
      assert.ok(list instanceof Float32Array);
      assert.equal(list.length, 0);
    }
  });
});

test('positions, directors and scalars are views with 3, 3 and 1 floats per point', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.2);
    const { time, positions, directors } = sim.snapshot();
    assert.equal(time, sim.time);
    assert.ok(positions instanceof Float32Array);
    assert.equal(positions.length, 63);
    assert.equal(positions[62], Math.fround(sim.probes()['tip.z']));
    assert.equal(directors.length, 63);
    for (let p = 0; p < 21; ++p) assert.ok(Math.abs(Math.hypot(...directors.subarray(3 * p, 3 * p + 3)) - 1) < 1e-5);
    for (const field of ['curvature', 'strain', 'energy']) {
      const values = sim.snapshot()[field].slice();
      assert.equal(values.length, 21);
      assert.ok(values.every(Number.isFinite) && values.some((value) => value !== 0), `${field} is not all zero`);
    }
  });
});

test('views taken after the memory grew show the present state', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.1);
    const old = sim.snapshot().positions;
    const kept = old.slice();
    const others = [];
    while (old.length > 0 && others.length < 60) others.push(engine.simulation(cantilever({ segments: 5000 })));
    assert.equal(old.length, 0, 'the memory grew, which ends the old view');
    assert.deepEqual(sim.snapshot().positions.slice(), kept);
    assert.equal(sim.probeValues().length, 4);
    for (const other of others) other.dispose();
    sim.step();
    assert.notDeepEqual(sim.snapshot().positions.slice(), kept);
  });
});

test('info tells what acts, with the present parameters', () => {
  const text = cantilever()
    .replace('"length": 0.2}', '"length": 0.2, "g": {"value": 9.81, "min": 0, "max": 20}, "mu": 0.3}')
    .replace('[0, 0, -9.81]', '[0, 0, "=-g"]')
    .replace(
      '"solver"',
      `"shells": {"plate": {"material": "rubber", "thickness": 1e-3,
        "mesh": {"rectangle": {"corner": [0, 1, 0], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.05, "pattern": "right-isosceles"}}}},
      "loads": [{"pressure": "=-200*t", "on": "plate"}],
      "actuation": [{"rod": "arm", "curvature": ["=t", 0]}],
      "obstacles": {"floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}, "friction": 0.5}},
      "contact": {"friction": "=mu"}, "solver"`,
    );
  withSimulation(text, (sim) => {
    // What is nothing at the start is told as it is at the end, after a second.
    const expected = { friction: 0.5, pressure: -200, driven: ['arm'] };
    assert.deepEqual(sim.info().acting, { gravity: [0, 0, -9.81], ...expected });
    sim.set('g', 3);
    assert.deepEqual(sim.info().acting.gravity, [0, 0, -3]);
  });
  withSimulation(cantilever(), (sim) => assert.deepEqual(sim.info().acting.driven, []));
});

test('a live parameter acts at once, another restarts the run', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.05);
    const before = sim.time;
    assert.equal(sim.set('E', 5e6), true);
    assert.equal(sim.time, before);
    assert.equal(sim.info().parameters[0].value, 5e6);
    assert.equal(sim.set('length', 0.3), false);
    assert.equal(sim.time, 0);
    assert.equal(sim.probes()['tip.x'], 0.3);
    assert.equal(sim.snapshot().positions[60], Math.fround(0.3));
    assert.equal(sim.info().parameters[0].value, 5e6, 'a restart keeps what was set');
  });
});

test('an unknown parameter or an impossible value is refused and changes nothing', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.05);
    const before = sim.probes();
    assert.throws(
      () => sim.set('F', 1),
      (error) => error.code === 2 && /F/.test(error.message),
    );
    assert.throws(() => sim.set('E', -1), { code: 2 });
    assert.throws(() => sim.set('E', Number.NaN), TypeError);
    assert.ok(Math.abs(sim.time - 0.05) < 1e-12);
    assert.deepEqual(sim.probes(), before);
    assert.equal(sim.info().parameters[0].value, 1e6);
  });
});

test('states of the scene are columns after the probes', () => {
  const text = cantilever().replace('"view"', '"states": {"sum": {"rate": "=2", "initial": 1}}, "view"');
  withSimulation(text, (sim) => {
    assert.deepEqual(
      sim.info().columns.map(({ name }) => name),
      ['tip.x', 'tip.y', 'tip.z', 'bend', 'sum'],
    );
    assert.equal(sim.probes().sum, 1);
    sim.advance(0.5);
    assert.equal(sim.probeValues().length, 5);
    assert.ok(Math.abs(sim.probes().sum - 2) < 1e-9);
  });
});

test('overrides act as --set does', () => {
  withSimulation(cantilever(), (sim) => assert.equal(sim.probes()['tip.x'], 0.25), { length: 0.25 });
  assert.throws(
    () => engine.simulation(cantilever(), { lenth: 0.25 }),
    (error) => error.code === 2 && /length/.test(error.message),
  );
});

test('a restored run continues bit for bit, also in another simulation of the scene', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.1);
    const bytes = sim.save();
    assert.ok(bytes instanceof Uint8Array && bytes.length > 0);
    sim.advance(0.2);
    const later = sim.save();
    const probes = sim.probes();
    sim.restore(bytes);
    assert.ok(Math.abs(sim.time - 0.1) < 1e-12);
    sim.advance(0.2);
    assert.deepEqual(sim.save(), later);
    assert.deepEqual(sim.probes(), probes);
    withSimulation(cantilever(), (other) => {
      other.restore(bytes);
      other.advance(0.2);
      assert.deepEqual(other.save(), later);
    });
  });
});

test('bytes that are not a save of this scene are refused and change nothing', () => {
  withSimulation(cantilever(), (sim) => {
    sim.advance(0.1);
    const good = sim.save();
    assert.throws(() => sim.restore(new Uint8Array([1, 2, 3])), { code: 2 });
    assert.throws(() => sim.restore(good.slice(0, good.length - 8)), { code: 2 });
    assert.throws(() => sim.restore('text'), TypeError);
    withSimulation(cantilever({ segments: 7 }), (other) => assert.throws(() => other.restore(good), { code: 2 }));
    assert.deepEqual(sim.save(), good);
  });
});

test('a grabbed point goes where it is pulled, and falls back when released', () => {
  withSimulation(cantilever({ duration: 100 }), (sim) => {
    sim.advance(0.5);
    sim.grab(20, [0.15, 0, 0.1]);
    sim.advance(2);
    const held = sim.probes();
    assert.ok(held['tip.z'] > 0.02, `pulled up to ${held['tip.z']}`);
    sim.release();
    sim.advance(3);
    assert.ok(sim.probes()['tip.z'] < 0);
    assert.throws(() => sim.grab(21, [0, 0, 0]), { code: 2, message: /21/ });
    assert.throws(() => sim.grab(0, [0, 0]), TypeError);
  });
});

test('two simulations side by side do not disturb each other', () => {
  withSimulation(cantilever(), (alone) => {
    alone.advance(0.2);
    withSimulation(cantilever(), (first) => {
      withSimulation(cantilever({ segments: 9 }), (second) => {
        for (let i = 0; i < 20; ++i) {
          first.step();
          second.step();
        }
        assert.deepEqual(first.probes(), alone.probes());
        assert.equal(second.snapshot().positions.length, 30);
      });
    });
  });
});

test('a disposed simulation says so; disposing twice is harmless', () => {
  const sim = engine.simulation(cantilever());
  sim.dispose();
  sim.dispose();
  assert.throws(() => sim.step(), /disposed/);
  assert.throws(() => sim.time, /disposed/);
});

test('many simulations, each disposed of, do not use up the memory', () => {
  const text = cantilever({ segments: 500 });
  const bytes = () => {
    let size = 0;
    withSimulation(text, (sim) => {
      sim.step();
      size = sim.snapshot().positions.buffer.byteLength;
    });
    return size;
  };
  bytes();
  const before = bytes();
  for (let i = 0; i < 100; ++i) bytes();
  assert.ok(bytes() <= 1.3 * before, 'memory stays where it was');
});
