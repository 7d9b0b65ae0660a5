// The worker: loads the engine, hands messages to the runner and calls it between them.
// A message channel gives turns without the four milliseconds that nested timers cost.
import { loadEngine } from '@tendril/engine';
import type { EngineFile, EnginePart, Reply, Request } from './protocol';
import { MissingPart, Rest } from './rest';
import { Runner } from './runner';

const post = (reply: Reply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const channel = new MessageChannel();
let runner: Runner | null = null;
let turnPending = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Requests before the engine is there. */
const early: Request[] = [];
/** The second part of the engine, where it comes by itself. */
let rest: Rest | null = null;
/** What waits for it: requests, and null for the run and its checks. */
const waiting = new Set<Request | null>();
/** After a scene was loaded [ms]: its picture and what the page prepares go before it. */
const restAfter = 1500;

function arrange(): void {
  if (turnPending || !runner || waiting.has(null)) return;
  clearTimeout(timer);
  const wait = runner.wait();
  if (wait === null) return;
  if (wait >= 2) {
    timer = setTimeout(turn, wait);
  } else {
    turnPending = true;
    channel.port2.postMessage(null);
  }
}

function tell(error: unknown): void {
  post({ type: 'broken', message: error instanceof Error ? error.message : String(error) });
}

/** What needs the second part of the engine before it is there waits for it, and is done anew; all else goes on. */
function attempt(request: Request | null, work: (runner: Runner) => void): void {
  if (!runner) return;
  try {
    work(runner);
  } catch (error) {
    if (error instanceof MissingPart && rest) hold(rest, request);
    else tell(error);
  }
}

function hold(missing: Rest, request: Request | null): void {
  waiting.add(request);
  if (waiting.size === 1) post({ type: 'fetching', on: true });
  missing.fetch().then(
    () => {
      if (!release(request)) return;
      if (request) take(request);
      else arrange();
    },
    () => {
      if (!release(request)) return;
      if (!request) {
        attempt(null, (one) => one.handle({ type: 'pause' }));
        attempt(null, (one) => one.handle({ type: 'stopChecks' }));
      }
      post({ type: 'unfetched', request });
      arrange();
    },
  );
}

/** False: it does not wait any longer. */
function release(request: Request | null): boolean {
  const waited = waiting.delete(request);
  if (waited && waiting.size === 0) post({ type: 'fetching', on: false });
  return waited;
}

function take(request: Request): void {
  if (request.type === 'load') {
    // A newer load makes an older one void.
    for (const one of waiting) if (one?.type === 'load') release(one);
    setTimeout(() => void rest?.prepare(), restAfter);
  }
  attempt(request, (one) => one.handle(request));
  arrange();
}

function turn(): void {
  turnPending = false;
  if (!waiting.has(null)) attempt(null, (one) => one.tick());
  arrange();
}

channel.port1.onmessage = turn;

self.onmessage = ({ data }: MessageEvent<Request | EngineFile>) => {
  if (data.type === 'engine') void start(data.parts);
  else if (runner) take(data);
  else early.push(data);
};

async function start(parts: EngineFile['parts']): Promise<void> {
  try {
    if (parts)
      rest = new Rest(parts.rest, (module) => self.postMessage({ type: 'part', rest: module } satisfies EnginePart));
    const engine = await loadEngine(parts && rest ? { wasm: parts.first, rest: rest.now } : {});
    runner = new Runner(engine, { now: () => performance.now() / 1000, post });
    post({ type: 'ready', version: engine.version });
    for (const request of early.splice(0)) take(request);
  } catch (error) {
    tell(error);
  }
}
