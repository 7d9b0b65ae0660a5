// The entry for Node, where the WebAssembly and scenes are read from disk: from paths and `file:` URLs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runChecks } from './check.mjs';
import { readScene as fetchScene, loadEngine as load } from './engine.mjs';

/** The path that `place` names on disk, or undefined: it is somewhere else. */
function pathOf(place) {
  const text = String(place);
  if (/^file:/i.test(text)) return fileURLToPath(text);
  return place instanceof URL || /^https?:/i.test(text) ? undefined : text;
}

export async function readScene(place) {
  if (typeof place !== 'string' && !(place instanceof URL)) throw new TypeError('a scene is named by a path or a URL');
  const path = pathOf(place);
  return path === undefined ? fetchScene(place) : readFile(path, 'utf8');
}

export function checkAll(engine, scenes, options) {
  return runChecks(readScene, engine, scenes, options);
}

export async function loadEngine({ wasm = new URL('tendril.wasm', import.meta.url) } = {}) {
  const named = typeof wasm === 'string' || wasm instanceof URL;
  const path = named ? pathOf(wasm) : undefined;
  if (path !== undefined) return load({ wasm: await readFile(path) });
  return load({ wasm: named ? await fetch(wasm) : wasm });
}
