// The entry for Node, where the WebAssembly and scenes are read from disk: from paths and `file:` URLs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { requireOptions, requirePlace, textOf } from './arguments.mjs';
import { runChecks } from './check.mjs';
import { readScene as fetchScene, loadEngine as load } from './engine.mjs';

export { needsRest } from './engine.mjs';

/** The path that `place` names on disk, or undefined: it is somewhere else. */
function pathOf(place) {
  const text = String(place);
  if (/^file:/i.test(text)) return fileURLToPath(text);
  // A letter and a colon is a drive.
  return /^[a-z][a-z0-9+.-]+:/i.test(text) ? undefined : text;
}

export async function readScene(place) {
  const path = pathOf(requirePlace(place));
  return path === undefined ? fetchScene(place) : textOf(await readFile(path), path);
}

export function checkAll(engine, scenes, options) {
  return runChecks(readScene, engine, scenes, options);
}

/** Bytes in place of a path or `file:` URL, a response in place of another address. */
async function read(given) {
  if (typeof given !== 'string' && !(given instanceof URL)) return given;
  const path = pathOf(given);
  return path === undefined ? fetch(given) : readFile(path);
}

/** The second part, read at once and compiled when it is needed. */
async function restBeside() {
  const bytes = await readFile(new URL('tendril-rest.wasm', import.meta.url));
  return () => bytes;
}

export async function loadEngine(options = {}) {
  const { wasm = new URL('tendril.wasm', import.meta.url), rest } = requireOptions(options, 'loadEngine', [
    'wasm',
    'rest',
  ]);
  const first = await read(wasm);
  return rest === undefined
    ? load({ wasm: first, rest: await restBeside() }, true)
    : load({ wasm: first, rest: await read(rest) });
}
