// The entry for Node, where the WebAssembly and scenes are read from disk: from paths and `file:` URLs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
  if (typeof place !== 'string' && !(place instanceof URL)) throw new TypeError('a scene is named by a path or a URL');
  const path = pathOf(place);
  return path === undefined ? fetchScene(place) : readFile(path, 'utf8');
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

/** Read at once, compiled when it is needed. */
async function restBeside() {
  const bytes = await readFile(new URL('tendril-rest.wasm', import.meta.url));
  return { rest: () => bytes, sure: true };
}

export async function loadEngine({ wasm = new URL('tendril.wasm', import.meta.url), rest } = {}) {
  return load({ wasm: await read(wasm), ...(rest === undefined ? await restBeside() : { rest: await read(rest) }) });
}
