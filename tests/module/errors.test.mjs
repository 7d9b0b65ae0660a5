// What the module does with bad input: C++ exceptions arrive as Errors with code and problems, and nothing breaks after.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { cantilever, loadEngine, packageFolder, program } from './support.mjs';

const engine = await loadEngine();
const browserEntry = await import(`${packageFolder}/engine.mjs`);

/** The Error that loading throws. */
function refusal(text) {
  try {
    engine.simulation(text).dispose();
  } catch (error) {
    return error;
  }
  return assert.fail('the scene was accepted');
}

test('exceptions are caught in C++: a bad scene gives an Error with problems, and the module works on', () => {
  const error = refusal('{"format": "tendril/1", "rods": 3}');
  assert.ok(error instanceof Error);
  assert.equal(error.code, 2);
  assert.ok(error.problems.length >= 1);
  assert.equal(error.message, error.problems[0].message);
  const sim = engine.simulation(cantilever());
  sim.step();
  sim.dispose();
});

test('a problem has its place: pointer, line, column in code points, range in UTF-16 units', () => {
  const text = cantilever()
    .replace('"title": "Cantilever",', '"title": "\u{1FAB1}\u{1FAB1}", "solver": {"dt": -1},')
    .replace(/"solver": \{"dt": 0[^\n]*\n/, '');
  const from = text.indexOf('-1}');
  const lines = text.slice(0, from).split('\n');
  const { problems } = refusal(text);
  assert.equal(problems.length, 1, JSON.stringify(problems));
  const [problem] = problems;
  assert.equal(problem.pointer, '/solver/dt');
  assert.equal(problem.line, lines.length);
  assert.equal(problem.column, [...lines.at(-1)].length + 1);
  assert.equal(problem.from, from);
  assert.equal(problem.to, from + 2);
});

test('every problem is listed, an unknown key with the nearest known one', () => {
  const text = cantilever().replace('"segments"', '"segmnts"').replace('"poisson": 0.5', '"poisson": 3');
  const { problems } = refusal(text);
  assert.ok(
    problems.some(({ message }) => message.includes('segmnts') && message.includes('segments')),
    JSON.stringify(problems),
  );
  assert.ok(problems.some(({ pointer }) => pointer === '/materials/rubber/poisson'));
});

test('the list is the one that the command line prints', () => {
  const text = cantilever().replace('"segments"', '"segmnts"').replace('"poisson": 0.5', '"poisson": 3');
  const { problems } = refusal(text);
  const { status, stdout, stderr } = spawnSync(program, ['validate', '-'], { input: text, encoding: 'utf8' });
  assert.equal(status, 2);
  for (const { line, column, message } of problems) {
    assert.ok(
      (stdout + stderr).includes(`:${line}:${column}: ${message}`),
      `${message}\nis missing from\n${stdout}${stderr}`,
    );
  }
});

test('a run that gives up names the warning of a cut step that gave the same reason', () => {
  const spinning = (
    more,
  ) => `{"format": "tendril/1", "materials": {"rubber": {"youngs": 1e8, "poisson": 0.4, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 4, "path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}}},
    "initial": [{"of": "rod", "velocity": [0, 0, "=200*x"]}], ${more},
    "solver": {"integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1}}`;
  const endOf = (more) => {
    const sim = engine.simulation(spinning(more));
    const warnings = [];
    try {
      while (!sim.finished) warnings.push(...sim.step().warnings);
    } catch ({ code, message, repeats }) {
      return { code, message, repeats, warnings };
    } finally {
      sim.dispose();
    }
    return assert.fail('the run went on');
  };
  const jump = endOf(
    '"obstacles": {"ball": {"sphere": {"center": [0, 0, 1], "radius": 0.02}, "displacement": [0, 0, "=-2*(t > 0.045)"]}}',
  );
  assert.equal(jump.code, 3);
  assert.match(jump.message, /; a smaller "dt", .* may help$/);
  assert.deepEqual(jump.warnings, [jump.repeats]);
  const failed = endOf('"loads": [{"force": [0, 0, "=1e-3*sqrt(0.045 - t)"], "at": "rod:last"}]');
  assert.match(failed.message, /sqrt/);
  assert.equal(failed.warnings.length, 1);
  assert.equal(failed.repeats, undefined);
});

test('validate gives problems and warnings without throwing', () => {
  assert.deepEqual(engine.validate(cantilever()), { problems: [], warnings: [] });
  assert.equal(engine.validate('{').problems.length, 1);
});

test('expand resolves repeat and defaults, and refuses what cannot load', () => {
  const text = `{ // three legs
    "format": "tendril/1",
    "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 1e-3}}, "segments": 4}},
    "rods": {"leg{k}": {"repeat": {"k": 3}, "path": {"line": {"from": [0, "=k", 0], "to": [1, "=k", 0]}}}}}`;
  const expanded = engine.expand(text);
  assert.deepEqual(Object.keys(JSON.parse(expanded).rods), ['leg0', 'leg1', 'leg2']);
  const sim = engine.simulation(expanded);
  assert.equal(sim.drawing().parts.length, 3);
  sim.dispose();
  assert.throws(
    () => engine.expand('{"format": "tendril/1", "rods": 3}'),
    (error) => error.code === 2 && error.problems.length > 0,
  );
});

test('a run that gives up throws code 3 and keeps the last accepted state', () => {
  const text = cantilever({ duration: 1 }).replace(
    '"gravity": [0, 0, -9.81]',
    '"gravity": [0, 0, "=-9.81*sqrt(0.105 - t)"]',
  );
  const sim = engine.simulation(text);
  assert.throws(
    () => sim.advance(1),
    (error) => error.code === 3 && error.message.length > 0 && error.problems === undefined,
  );
  assert.ok(sim.time > 0.05 && sim.time < 0.2);
  assert.ok(Number.isFinite(sim.probes()['tip.z']));
  sim.dispose();
});

test('wrong kinds of arguments are refused with words', async () => {
  assert.throws(() => engine.simulation(undefined), TypeError);
  assert.throws(() => engine.validate({}), TypeError);
  const sim = engine.simulation(cantilever());
  assert.throws(() => sim.advance('1'), TypeError);
  assert.throws(() => sim.advance(Infinity), TypeError);
  assert.throws(() => sim.grab(0), {
    name: 'TypeError',
    message: 'the target must be a list of three numbers, not undefined',
  });
  assert.throws(() => sim.grab(0.5, [0, 0, 0]), TypeError);
  assert.throws(() => engine.simulation(cantilever(), null), {
    name: 'TypeError',
    message: /overrides must be an object/,
  });
  assert.throws(
    () => engine.simulation(Promise.resolve(cantilever())),
    /the scene must be a string, not a promise: await it/,
  );
  for (const load of [loadEngine, browserEntry.loadEngine]) {
    await assert.rejects(load(null), {
      name: 'TypeError',
      message: 'the options of loadEngine must be an object, not null',
    });
    for (const option of ['wasmUrl', 'sure'])
      await assert.rejects(load({ [option]: 'x' }), {
        name: 'TypeError',
        message: `unknown option "${option}": loadEngine takes wasm and rest`,
      });
  }
  await assert.rejects(browserEntry.readScene(7), { name: 'TypeError', message: /a path or a URL, not number 7/ });
  sim.dispose();
});

test('20,000 nested brackets and texts cut anywhere are problems, not crashes', () => {
  assert.equal(refusal('['.repeat(20000)).code, 2);
  const text = cantilever();
  for (let length = 0; length < text.length - 1; length += 7)
    assert.ok(refusal(text.slice(0, length)).problems.length > 0);
});

test('the schema is the published one', () => {
  const schema = JSON.parse(engine.schema());
  assert.match(schema.$schema, /2020-12/);
  assert.ok(schema.properties.rods);
});

test('a geometry text becomes a scene that loads, a broken one problems', () => {
  const scene = engine.importGeometry('*Nodes\n0, 0, 0\n0.1, 0, 0\n0.2, 0, 0\n*Edges\n1, 2\n2, 3\n');
  assert.deepEqual(engine.validate(scene).problems, []);
  assert.throws(
    () => engine.importGeometry('*Nodes\n0, zero, 0\n'),
    (error) => error.code === 2 && error.problems.length > 0,
  );
});
