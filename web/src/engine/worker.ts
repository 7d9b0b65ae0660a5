// The worker: loads the engine, hands messages to the runner and calls it between them.
// A message channel gives turns without the four milliseconds that nested timers cost.
import { loadEngine } from '@tendril/engine';
import type { EngineFile, Reply, Request } from './protocol';
import { Rest } from './rest';
import { Runner } from './runner';

const post = (reply: Reply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const channel = new MessageChannel();
let runner: Runner | null = null;
let turnPending = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const requests: Request[] = [];
/** The second part of the engine, where it comes by itself. */
let rest: Rest | null = null;
let waiting = false;
/** After a scene was loaded [ms]: its picture and what the page prepares go before it. */
const restAfter = 1500;

function arrange(): void {
  if (turnPending || !runner) return;
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
  safely(() => runner?.tick());
  arrange();
}

channel.port1.onmessage = turn;

self.onmessage = ({ data }: MessageEvent<Request | EngineFile>) => {
  if (data.type === 'engine') return void start(data.parts);
  requests.push(data);
  take();
};

/** Takes the requests in their order; one that needs the second part of the engine waits for it, and those behind it too. */
function take(): void {
  while (runner && !waiting && requests.length > 0) {
    if (rest?.isMissingFor(requests[0])) return void fetchRest(rest);
    const request = requests.shift() as Request;
    safely(() => runner?.handle(request));
    // A scene stands: the second part may come.
    if (request.type === 'load') setTimeout(() => void rest?.fetch().catch(() => {}), restAfter);
  }
  arrange();
}

async function fetchRest(missing: Rest): Promise<void> {
  waiting = true;
  try {
    await missing.fetch();
  } catch (error) {
    requests.shift();
    tell(error);
  }
  waiting = false;
  take();
}

async function start(parts: EngineFile['parts']): Promise<void> {
  try {
    if (parts) rest = new Rest(parts.rest);
    const engine = await loadEngine(parts && rest ? { wasm: parts.first, rest: rest.now } : {});
    runner = new Runner(engine, { now: () => performance.now() / 1000, post });
    post({ type: 'ready', version: engine.version });
    take();
  } catch (error) {
    tell(error);
  }
}
