// Random scenes of the property suite, natively and in WASM: fixed seeds in every test run; fresh ones for
// TENDRIL_PROPERTY_SECONDS a kind, counted from TENDRIL_PROPERTY_SEED. A seed that fails is shrunk, feature by feature, and
// printed with its scene.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compare } from './agreement.mjs';
import { program } from './support.mjs';

const printer = join(dirname(program), 'tests', 'tendril_scene');
// Fixed seeds of each kind.
const kinds = { continuum: 12, static: 12, linkage: 12, touching: 6, loop: 6, vine: 6 };

function print(...words) {
  const { status, stdout, stderr } = spawnSync(printer, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** What is wrong with a scene, or null; undefined: it is refused, as a few draw a body inside the floor, or cut at once. */
function wrongWith(scene) {
  if (spawnSync(program, ['validate', '-'], { input: scene }).status !== 0) return undefined;
  try {
    return compare(scene, true) ? null : undefined;
  } catch (error) {
    return error.message;
  }
}

/** Why the seed fails, with its smallest scene, or null; undefined: it says nothing. */
function failureOf(kind, seed) {
  let scene = print(kind, String(seed));
  const whole = wrongWith(scene);
  if (!whole) return whole;
  let wrong = whole;
  let without = [];
  for (const feature of print('features').trim().split('\n')) {
    const smaller = print(kind, String(seed), ...without, feature);
    if (smaller === scene) continue;
    const still = wrongWith(smaller);
    if (still) [scene, wrong, without] = [smaller, still, [...without, feature]];
  }
  return `${kind}, seed ${seed}: ${wrong} (whole: ${whole})\nwithout ${without.join(' ')}\n${scene}`;
}

const seconds = process.env.TENDRIL_PROPERTY_SECONDS;
const first = seconds ? Number(process.env.TENDRIL_PROPERTY_SEED ?? 1000000) : 1;

for (const [kind, count] of Object.entries(kinds)) {
  test(`random scenes, ${kind}: WASM and native agree`, () => {
    const until = performance.now() + 1000 * Number(seconds ?? 0);
    let tried = 0;
    let said = 0;
    for (; seconds ? performance.now() < until : tried < count; ++tried) {
      const failure = failureOf(kind, first + tried);
      if (failure) assert.fail(failure);
      if (failure === null) ++said;
    }
    console.log(`${kind}: ${said} of ${tried} scenes from seed ${first}`);
    assert.ok(said > 0.7 * tried, 'too few scenes say anything');
  });
}
