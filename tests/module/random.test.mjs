// Random scenes of the property suite, natively and in WASM.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compare } from './agreement.mjs';
import { program } from './support.mjs';

// Random scenes of the property suite, shorter than their round-off grows.
const randomScene = join(dirname(program), 'tests', 'tendril_scene');
for (const kind of ['continuum', 'static', 'linkage']) {
  for (let seed = 1; seed <= 12; ++seed) {
    test(`random ${kind} ${seed}: WASM and native agree`, () => {
      const { status, stdout } = spawnSync(randomScene, [kind, String(seed)], { encoding: 'utf8' });
      assert.equal(status, 0);
      // A few draw a body inside the floor, which both refuse.
      if (spawnSync(program, ['validate', '-'], { input: stdout }).status !== 0) return;
      compare(stdout, true);
    });
  }
}
