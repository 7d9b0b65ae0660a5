// The same scene natively and in WASM gives the same numbers: every scene of the gallery, at a tight tolerance, over its
// first 200 steps.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare } from './agreement.mjs';
import { cantilever, hybridArm, scenesFolder } from './support.mjs';

// Two bits of round-off grow without bound in these: scene name, and why.
const chaotic = {};

const gallery = readdirSync(scenesFolder).filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'));
test('the gallery holds scenes', () => assert.ok(gallery.length > 0));

for (const file of gallery) {
  const name = file.replace(/\.json$/, '');
  if (name in chaotic) continue;
  test(`${name}: WASM and native agree`, () => compare(readFileSync(join(scenesFolder, file), 'utf8')));
}

test('a falling arm: WASM and native agree', () => compare(cantilever({ duration: 3 })));

test('a hybrid arm beside a rod: WASM and native agree', () => compare(hybridArm({ rod: true })));

test('the names of chaotic scenes are names of scenes', () => {
  for (const name of Object.keys(chaotic)) assert.ok(gallery.includes(`${name}.json`), name);
});
