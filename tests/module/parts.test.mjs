// The two parts of the WebAssembly: who needs the second one, when it is asked for, and what happens where it does not come.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cantilever, loadEngine, needsRest, packageFolder, root, scenesFolder } from './support.mjs';

const rest = readFileSync(join(packageFolder, 'tendril-rest.wasm'));
const scene = (name) => readFileSync(join(scenesFolder, `${name}.json`), 'utf8');
const scenes = readdirSync(scenesFolder)
  .filter((name) => name.endsWith('.json') && !name.includes('schema'))
  .map((name) => name.slice(0, -5));

/** An engine that counts how often it asks for its second part. */
async function counting(bring = () => rest) {
  const asked = { times: 0 };
  const engine = await loadEngine({
    rest: () => {
      asked.times += 1;
      return bring();
    },
  });
  return { engine, asked };
}

function begin(engine, name) {
  const text = scene(name);
  const sim = engine.simulation(text);
  const { parameters } = sim.info();
  sim.drawing();
  for (let left = 20; left > 0 && !sim.finished; --left) sim.step();
  sim.snapshot();
  sim.checks();
  // As a page does that goes on in another worker.
  const overrides = Object.fromEntries(
    parameters.filter(({ derived }) => !derived).map((one) => [one.name, one.value]),
  );
  const next = engine.simulation(text, overrides);
  next.restore(sim.save());
  next.probeValues();
  next.dispose();
  sim.dispose();
}

test('scenes without linkages and vines load and begin with the first part alone', async () => {
  const { engine, asked } = await counting();
  const some = scenes.filter((name) => !needsRest(scene(name)));
  assert.ok(some.length > 30);
  for (const name of some) {
    begin(engine, name);
    assert.equal(asked.times, 0, name);
  }
});

test("so does the README's scene, from its start to its end, and so do its mistakes", async () => {
  const { engine, asked } = await counting();
  const [, text] = /```json\n([^`]*)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'));
  const sim = engine.simulation(text);
  sim.advance(sim.duration);
  assert.ok(sim.finished);
  sim.dispose();
  for (const [right, wrong] of [
    ['"rods"', '"rod"'],
    ['2e6', '"x"'],
    ['2e6', '-1'],
    [',', ''],
  ])
    assert.ok(engine.validate(text.replace(right, wrong)).problems.length > 0, wrong);
  assert.equal(asked.times, 0);
});

for (const name of ['four-bar', 'vine-wall', 'hybrid-chain', 'quadruped'])
  test(`${name} asks for the second part, once`, async () => {
    assert.ok(needsRest(scene(name)));
    const { engine, asked } = await counting();
    begin(engine, name);
    begin(engine, name);
    assert.equal(asked.times, 1);
  });

test('a part that comes in the middle of a run changes no bit of it', async () => {
  const run = async (early) => {
    const { engine, asked } = await counting();
    if (early) begin(engine, 'four-bar');
    const sim = engine.simulation(scene('cantilever'));
    sim.advance(0.1);
    assert.equal(asked.times, early ? 1 : 0);
    begin(engine, 'vine-wall');
    sim.advance(0.1);
    const saved = sim.save().slice();
    sim.dispose();
    return saved;
  };
  assert.deepEqual(await run(false), await run(true));
});

test('an error that the second part raises comes out as one of the first does', async () => {
  const { engine, asked } = await counting();
  const text = scene('four-bar').replace('"links"', '"link"');
  const { problems } = engine.validate(text);
  assert.ok(problems.length > 0 && problems[0].line > 0, JSON.stringify(problems));
  assert.throws(() => engine.simulation(text), { code: 2 });
  assert.equal(asked.times, 1);
});

test('where the second part does not come the call says why, what runs goes on, and it is asked for again', async () => {
  let there = false;
  const { engine, asked } = await counting(() => {
    if (!there) throw new Error('no connection');
    return rest;
  });
  const sim = engine.simulation(cantilever());
  sim.step();
  assert.throws(() => engine.simulation(scene('four-bar')), /no connection/);
  sim.step();
  there = true;
  begin(engine, 'four-bar');
  assert.equal(asked.times, 2);
  sim.step();
  assert.ok(Math.abs(sim.time - 0.03) < 1e-12, `${sim.time}`);
  sim.dispose();
});

test('parts of two builds are not joined, and what is no part is refused', async () => {
  const other = Uint8Array.from(rest);
  other[other.length - 1] ^= 1;
  const { engine } = await counting(() => other);
  assert.throws(() => engine.simulation(scene('four-bar')), /rest is not of the same build as wasm/);
  for (const option of ['wasm', 'rest'])
    for (const none of [new Uint8Array(0), new TextEncoder().encode('<!doctype html>')])
      await assert.rejects(loadEngine({ [option]: none }), new RegExp(`${option} is no WebAssembly`));
  const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  const first = readFileSync(join(packageFolder, 'tendril.wasm'));
  for (const wasm of [empty, rest]) await assert.rejects(loadEngine({ wasm }), /wasm is not the engine's tendril.wasm/);
  for (const wrong of [empty, first])
    await assert.rejects(loadEngine({ rest: wrong }), /rest is not the engine's tendril-rest.wasm/);
  await assert.rejects(loadEngine({ rest: other }), /rest is not of the same build as wasm/);
});

test('a function that does not bring the second part at once is told what to bring', async () => {
  const wrong = [
    [async () => rest, /not a Promise/],
    [() => 'tendril-rest.wasm', /not string/],
    [() => undefined, /not undefined/],
  ];
  for (const [bring, words] of wrong) {
    const { engine } = await counting(bring);
    assert.throws(() => engine.simulation(scene('four-bar')), words);
    assert.throws(() => engine.simulation(scene('four-bar')), /rest must return bytes or a WebAssembly.Module at once/);
  }
  const { engine } = await counting(() => new DataView(rest.buffer, rest.byteOffset, rest.byteLength));
  begin(engine, 'four-bar');
});

test('in Node addresses of other schemes than file are fetched', async () => {
  const address = `data:application/wasm;base64,${rest.toString('base64')}`;
  for (const given of [address, new URL(address)]) begin(await loadEngine({ rest: given }), 'four-bar');
});

test('failing twenty thousand times leaves the engine as it was', async () => {
  const { engine } = await counting(() => {
    throw new Error('no connection');
  });
  const sim = engine.simulation(cantilever());
  const text = scene('four-bar');
  for (let left = 20_000; left > 0; --left) assert.throws(() => engine.validate(text), /no connection/);
  assert.equal(sim.step().steps, 1);
  assert.ok(Number.isFinite(sim.probes()['tip.z']));
  sim.dispose();
});

/** Runs a scene so far; `fails`: the second part is not there in the first call that asks for it. */
async function late(name, { until, fails, hold }) {
  let there = !fails;
  const { engine, asked } = await counting(() => {
    if (!there) throw new Error('no connection');
    return rest;
  });
  const sim = engine.simulation(scene(name));
  if (hold) sim.grab(hold, [0.1, 0.1, 0.1]);
  const warnings = [];
  const counts = [0, 0, 0];
  let failures = 0;
  while (sim.time < until && !sim.finished) {
    try {
      const before = sim.time;
      const progress = sim.advance(until / 7);
      assert.ok(progress.time > before);
      warnings.push(...progress.warnings);
      [progress.steps, progress.iterations, progress.retries].forEach((count, at) => {
        counts[at] += count;
      });
    } catch (error) {
      assert.match(error.message, /no connection/);
      failures += 1;
      there = true;
    }
  }
  assert.equal(failures, fails ? 1 : 0, `${name} asked ${asked.times} times`);
  const end = { saved: sim.save(), warnings, counts, checks: sim.checks(), probes: sim.probes() };
  sim.dispose();
  return end;
}

for (const [name, until, hold] of [
  ['rod-pile', 0.25],
  ['rod-pile', 0.25, 5],
])
  test(`${name} goes on as if nothing had happened after a call that failed within a step${hold ? ', held' : ''}`, async () => {
    assert.deepEqual(await late(name, { until, hold, fails: true }), await late(name, { until, hold, fails: false }));
  });
