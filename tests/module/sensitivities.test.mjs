// Derivatives and residuals in JavaScript: against theory, differences of whole runs and the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hybridArm, loadEngine, packageFolder, program } from './support.mjs';

const engine = await loadEngine();

const scene = (solver = '"integrator": "bdf2", "dt": 0.005, "duration": 0.1, "tolerance": 1e-12') => `{
  "format": "tendril/1",
  "parameters": {"E": {"value": 1e6, "min": 1e5, "max": 1e7, "unit": "Pa"}, "P": 1e-3, "zero": 0, "twice": "=2*E"},
  "materials": {"m": {"youngs": "=E", "poisson": 0.4, "density": 1000}},
  "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 10, "natural": {"curvature": [0, "=zero"]},
                 "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
  "constraints": [{"clamp": "a:first"}],
  "loads": [{"force": [0, "=0*twice", "=-P"], "at": "a:last"}],
  "states": {"sum": {"rate": "=tip.z", "initial": 0}},
  "solver": {${solver}},
  "probes": {"tip": {"position": "a:last"}}}`;

/** Runs `body` with something that is disposed of afterwards. */
function using(owned, body) {
  try {
    return body(owned);
  } finally {
    owned.dispose();
  }
}

const near = (found, expected, share) =>
  assert.ok(Math.abs(found - expected) <= share * Math.abs(expected), `${found} instead of ${expected}`);

test('slopes of a cantilever are those of its formula', () => {
  const text = scene('"mode": "static"').replace(/"states".*\n/, '');
  // A load so little that what bends it nonlinearly, the square of w/L, is 1e-7.
  using(engine.sensitivities(text, { with: ['E', 'P'], overrides: { P: 1e-4 } }), (s) => {
    s.advance(1);
    assert.ok(s.finished);
    assert.equal(s.time, s.duration);
    const { 'tip.z': w } = s.probes();
    assert.ok(w < 0);
    near(s.slopes('E')[2], -w / 1e6, 1e-5);
    near(s.gradients()['tip.z'].P, w / 1e-4, 1e-5);
    assert.deepEqual(s.with, ['E', 'P']);
    assert.deepEqual(s.doubts(), []);
  });
});

test('the run is that of a simulation, bit for bit, and slopes follow its columns, states too', () => {
  using(engine.simulation(scene(), { E: 2e6 }), (sim) => {
    using(sim.sensitivities({ with: ['P', 'zero'], scales: { zero: 1 } }), (s) => {
      for (let i = 0; i < 5; ++i) {
        const [plain, own] = [sim.step(), s.step()];
        assert.deepEqual([own.time, own.steps], [plain.time, plain.steps]);
        assert.deepEqual(s.probes(), sim.probes());
      }
      assert.equal(s.slopes('P').length, s.info().columns.length);
      assert.deepEqual(Object.keys(s.gradients()), ['tip.x', 'tip.y', 'tip.z', 'sum']);
      assert.deepEqual(Object.keys(s.gradients().sum), ['P', 'zero']);
      const kept = s.slopes('P').slice();
      const by = (P) =>
        using(engine.simulation(scene(), { E: 2e6, P }), (one) => {
          for (let i = 0; i < 5; ++i) one.step();
          return [...one.probeValues()];
        });
      const h = 1e-8;
      const [above, below] = [by(1e-3 + h), by(1e-3 - h)];
      for (const column of [2, 3]) near(kept[column], (above[column] - below[column]) / (2 * h), 1e-6);
      assert.equal(s.advanceFor(1, 0).steps, 1);
      s.advance(1);
      assert.ok(s.finished);
      assert.equal(s.step().steps, 0);
    });
    assert.equal(sim.time, 0.025);
  });
});

test('kinks are told by kind, with what they are of', () => {
  const text = scene().replace(
    '"loads"',
    '"actuation": [{"rod": "a", "curvature": [0, "=zero > 0 ? 5*zero : zero"]}], "loads"',
  );
  using(engine.sensitivities(text, { with: ['zero'], scales: { zero: 1 } }), (s) => {
    s.advance(0.02);
    const [doubt, ...more] = s.doubts();
    assert.deepEqual(more, []);
    assert.deepEqual([doubt.kind, doubt.parameter], ['kink', 'zero']);
    assert.match(doubt.message, /there is a kink/);
    near(doubt.upward / doubt.downward, 5, 0.05);
    assert.ok(doubt.time > 0 && doubt.time <= s.time);
    assert.match(doubt.column, /^(tip\.[xyz]|sum)$/);
  });
});

test('what has no derivative is refused by name', () => {
  const refused = (options, words) =>
    assert.throws(
      () => engine.sensitivities(scene(), options),
      (error) => error.code === 2 && error.problems === undefined && words.test(error.message),
    );
  refused({ with: ['F'] }, /no parameter "F" to differentiate by: the scene has E, P, zero/);
  refused({ with: ['twice'] }, /formula of others/);
  refused({ with: ['zero'] }, /is 0 and has no range/);
  assert.throws(
    () => engine.sensitivities('{', { with: ['E'] }),
    (error) => error.code === 2 && error.problems.length > 0,
  );
  assert.throws(() => engine.sensitivities(scene(), { with: 'E' }), /with must be a list of names, not "E"/);
  assert.throws(() => engine.sensitivities(scene(), { by: ['E'] }), /unknown option "by"/);
  assert.throws(() => engine.sensitivities(scene(), { with: ['E'], scales: { E: '1' } }), /scale "E" must be a finite/);
  using(engine.sensitivities(scene(), { with: ['E'] }), (s) => {
    assert.throws(() => s.slopes('P'), /nothing is differentiated by "P": with has E/);
    s.dispose();
    assert.throws(() => s.step(), /this run with derivatives was disposed of/);
  });
});

test('linkages have slopes too, by differences of whole runs', () => {
  const text = hybridArm().replace('"format": "tendril/1",', '"format": "tendril/1", "parameters": {"T": 5},');
  const pulled = text.replace('5*ramp', 'T*ramp').replace('"duration": 1', '"duration": 1, "tolerance": 1e-12');
  using(engine.sensitivities(pulled, { with: ['T'] }), (s) => {
    s.advance(0.1);
    const { 'tip.z': slope } = Object.fromEntries(Object.entries(s.gradients()).map(([name, { T }]) => [name, T]));
    const at = (T) =>
      using(engine.simulation(pulled, { T }), (sim) => {
        sim.advance(0.1);
        return sim.probes()['tip.z'];
      });
    near(slope, (at(5 + 1e-4) - at(5 - 1e-4)) / 2e-4, 1e-5);
  });
});

test('residuals, their Jacobian and products with it', () => {
  const of = ['tip.z@end', 'tip.z@0.0333', 'sum@0.05'];
  assert.throws(() => engine.residuals(scene(), { with: ['E'], of }), /no probe column "sum"/);
  of[2] = 'tip.x@0.05';
  const options = { with: ['E', 'P'], of, data: [-0.01, 0, 0.3], sigma: new Float64Array([1e-3, 2e-3, 1e-6]) };
  using(engine.residuals(scene(), options), (f) => {
    assert.deepEqual(f.with, ['E', 'P']);
    assert.deepEqual([...f.start], [1e6, 1e-3]);
    assert.deepEqual(
      f.of.map(({ column, time }) => `${column} ${time}`),
      ['tip.z 0.1', 'tip.z 0.0333', 'tip.x 0.05'],
    );
    const x = [9e5, 0.3];
    const J = f.jacobian(x);
    const r = f.residual(x);
    assert.ok(J instanceof Float64Array && J.length === 6 && r.length === 3);
    using(engine.simulation(scene(), { E: x[0], P: x[1] }), (sim) => {
      sim.advance(0.1);
      assert.equal(r[0], (sim.probes()['tip.z'] + 0.01) / 1e-3);
    });
    for (const j of [0, 1]) {
      const beside = (share) => f.residual(x.map((value, k) => (k === j ? value * (1 + share) : value)));
      const [above, below] = [beside(1e-5), beside(-1e-5)];
      for (const i of [0, 1, 2]) near(J[2 * i + j], (above[i] - below[i]) / (2e-5 * x[j]), 1e-6);
    }
    const v = [0.5, -3, 2];
    const product = f.vjp(new Float64Array(x), v);
    for (const j of [0, 1]) {
      const terms = [0, 1, 2].map((i) => J[2 * i + j] * v[i]);
      const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
      assert.ok(Math.abs(product[j] - (terms[0] + terms[1] + terms[2])) <= 1e-15 * size);
    }
    assert.deepEqual(f.doubts(), []);
    assert.throws(
      () => f.residual([1]),
      (error) => error.code === 2 && /x has 1 numbers, and there are 2 parameters/.test(error.message),
    );
    assert.throws(() => f.residual([NaN, 1]), /x must be a finite number/);
    assert.throws(() => f.vjp(x, [1]), /v has 1 numbers, and there are 3 residuals/);
    assert.throws(
      () => f.residual([-1, 1]),
      (error) => error.code === 2 && error.problems.length > 0,
    );
  });
  assert.throws(() => engine.residuals(scene(), { with: ['E'], of, data: [1] }), /data has 1 numbers, and there are 3/);
});

test('the program gives the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradient-'));
  try {
    const file = join(folder, 'a.json');
    const text = scene();
    writeFileSync(file, text);
    const out = execFileSync(program, ['gradient', file, '--with', 'E,P', '--of', 'tip.z@0.0333,tip.x', '--json'], {
      encoding: 'utf8',
    });
    const { of } = JSON.parse(out);
    using(engine.residuals(text, { with: ['E', 'P'], of: ['tip.z@0.0333', 'tip.x@end'] }), (f) => {
      const [J, r] = [f.jacobian(f.start), f.residual(f.start)];
      of.forEach(({ value, slopes }, i) => {
        near(r[i], value, 1e-9);
        for (const [j, slope] of slopes.entries()) near(J[2 * i + j], slope, 1e-6);
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('without the second part a call says so, and what it left half done answers no more', async () => {
  const { loadEngine: load } = await import(`${packageFolder}/engine.mjs`);
  const { readFileSync } = await import('node:fs');
  const bytes = (name) => readFileSync(join(packageFolder, name));
  let rest = null;
  const early = await load({
    wasm: bytes('tendril.wasm'),
    rest: () => {
      if (!rest) throw new Error('not there yet');
      return rest;
    },
  });
  assert.throws(() => early.sensitivities(scene(), { with: ['E'] }), /not there yet/);
  rest = bytes('tendril-rest.wasm');
  using(early.sensitivities(scene(), { with: ['E'] }), (s) => {
    s.step();
    assert.ok(s.slopes('E')[2] !== 0);
  });
});
