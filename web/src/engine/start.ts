// How workers start. The document has asked for the engine before this script came: the first part of its WebAssembly is
// taken over from there, compiled once and handed to every worker, and the first worker is the one that start.js has started.
import { Chunk } from '../ui/chunk';
import { download } from './download';
import type { EngineFile, EnginePart, Reply } from './protocol';

declare global {
  interface Window {
    /** Of start.js; null once it has failed. */
    engineWorker?: Worker | null;
  }
}

const compiled = new Chunk(compile);
let rest: WebAssembly.Module | null = null;

export function newWorker(): Worker {
  const early = window.engineWorker;
  window.engineWorker = null;
  const worker = early ?? new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  // Of those who start workers alone: who listens after this hears of the scene only.
  worker.addEventListener('message', (event: MessageEvent<Reply | EnginePart>) => {
    if (event.data.type !== 'part') return;
    rest = event.data.rest;
    event.stopImmediatePropagation();
  });
  compiled.get().then(
    (parts) =>
      worker.postMessage({
        type: 'engine',
        parts: parts && { ...parts, rest: rest ?? parts.rest },
      } satisfies EngineFile),
    (error: Error) => worker.dispatchEvent(new ErrorEvent('error', { message: error.message, cancelable: true })),
  );
  return worker;
}

/** null: the document has not asked for it, as in development, and the worker finds it by itself. */
async function compile(): Promise<{ first: WebAssembly.Module; rest: string } | null> {
  const link = document.querySelector<HTMLLinkElement>('#engine-wasm');
  const second = document.querySelector<HTMLMetaElement>('meta[name="engine-rest"]');
  if (!link || !second) return null;
  return { first: await download(link.href), rest: new URL(second.content, document.baseURI).href };
}
