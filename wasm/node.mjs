// The entry for Node, where the WebAssembly is read from disk instead of fetched.
import { readFile } from 'node:fs/promises';
import { loadEngine as load } from './engine.mjs';

export async function loadEngine(options = {}) {
  if (options.wasmBinary || options.wasmUrl || options.wasmModule) return load(options);
  return load({ ...options, wasmBinary: await readFile(new URL('tendril.wasm', import.meta.url)) });
}
