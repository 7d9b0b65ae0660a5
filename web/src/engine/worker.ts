// The worker: loads the engine, hands messages to the runner and calls it between them.
// A message channel gives turns without the four milliseconds that nested timers cost.
import { loadEngine } from '@tendril/engine';
import type { EngineFile, EnginePart, Reply, Request } from './protocol';
import { Rest } from './rest';
import { Runner } from './runner';

const post = (reply: Reply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const channel = new MessageChannel();
let runner: Runner | null = null;
let turnPending = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let requests: Request[] = [];
/** The second part of the engine, where it comes by itself. */
let rest: Rest | null = null;
/** The request that waits for it. */
let waitingFor: Request | null = null;
/** After a scene was loaded [ms]: its picture and what the page prepares go before it. */
const restAfter = 1500;

function arrange(): void {
  if (turnPending || !runner || waitingFor) return;
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

function safely(work: () => void): void {
  try {
    work();
  } catch (error) {
    tell(error);
  }
}

function turn(): void {
  turnPending = false;
  if (!waitingFor) safely(() => runner?.tick());
  arrange();
}

channel.port1.onmessage = turn;

self.onmessage = ({ data }: MessageEvent<Request | EngineFile>) => {
  if (data.type === 'engine') return void start(data.parts);
  // A newer load makes an older one void that waits.
  if (data.type === 'load') requests = requests.filter(({ type }) => type !== 'load');
  requests.push(data);
  take();
};

/**
 * Takes the requests in their order. One that needs the second part of the engine waits for it, and all else with it: the
 * page is told nothing and says, as of every answer that is late, that a scene is being loaded.
 */
function take(): void {
  while (runner && requests.length > 0) {
    const [request] = requests;
    if (rest?.isMissingFor(request)) {
      if (waitingFor !== request) void fetchRest(rest, request);
      return;
    }
    waitingFor = null;
    requests.shift();
    safely(() => runner?.handle(request));
    // A scene stands: the second part may come.
    if (request.type === 'load') setTimeout(() => void rest?.prepare(), restAfter);
  }
  arrange();
}

async function fetchRest(missing: Rest, request: Request): Promise<void> {
  waitingFor = request;
  try {
    await missing.fetch();
  } catch {
    if (requests[0] === request) {
      requests.shift();
      post({ type: 'unfetched', request });
    }
  }
  if (waitingFor === request) waitingFor = null;
  take();
}

async function start(parts: EngineFile['parts']): Promise<void> {
  try {
    if (parts)
      rest = new Rest(parts.rest, (module) => self.postMessage({ type: 'part', rest: module } satisfies EnginePart));
    const engine = await loadEngine(parts && rest ? { wasm: parts.first, rest: rest.now } : {});
    runner = new Runner(engine, { now: () => performance.now() / 1000, post });
    post({ type: 'ready', version: engine.version });
    take();
  } catch (error) {
    tell(error);
  }
}
