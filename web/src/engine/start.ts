// How workers start. The document has asked for the engine before this script came: its WebAssembly is taken over from there,
// compiled once and handed to every worker, and the first worker is the one that start.js has started.
import { Chunk } from '../ui/chunk';

declare global {
  interface Window {
    /** Of start.js; null once it has failed. */
    engineWorker?: Worker | null;
  }
}

const compiled = new Chunk(compile);

export function newWorker(): Worker {
  const early = window.engineWorker;
  window.engineWorker = null;
  const worker = early ?? new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  compiled.get().then(
    (module) => worker.postMessage({ type: 'engine', module }),
    (error: Error) => worker.dispatchEvent(new ErrorEvent('error', { message: error.message, cancelable: true })),
  );
  return worker;
}

/** null: the document has not asked for it, as in development, and the worker finds it by itself. */
async function compile(): Promise<WebAssembly.Module | null> {
  const link = document.querySelector<HTMLLinkElement>('#engine-wasm');
  if (!link) return null;
  const response = await fetch(link.href).catch(() => null);
  if (!response?.ok) throw new Error('Is there a connection?');
  // Some servers do not know the type.
  if (!response.headers.get('Content-Type')?.startsWith('application/wasm'))
    return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}
