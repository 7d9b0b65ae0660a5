// The worker: loads the engine, hands messages to the runner and calls it between them.
// A message channel gives turns without the four milliseconds that nested timers cost.
import { loadEngine } from '@tendril/engine';
import type { EngineFile, Reply, Request } from './protocol';
import { Runner } from './runner';

const post = (reply: Reply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const channel = new MessageChannel();
let runner: Runner | null = null;
let turnPending = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const early: Request[] = [];

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

function safely(work: () => void): void {
  try {
    work();
  } catch (error) {
    post({ type: 'broken', message: error instanceof Error ? error.message : String(error) });
  }
}

function turn(): void {
  turnPending = false;
  safely(() => runner?.tick());
  arrange();
}

channel.port1.onmessage = turn;

self.onmessage = ({ data }: MessageEvent<Request | EngineFile>) => {
  if (data.type === 'engine') void start(data.module);
  else if (!runner) early.push(data);
  else {
    safely(() => runner?.handle(data));
    arrange();
  }
};

async function start(module: WebAssembly.Module | null): Promise<void> {
  try {
    const engine = await loadEngine(module ? { wasm: module } : {});
    runner = new Runner(engine, { now: () => performance.now() / 1000, post });
    post({ type: 'ready', version: engine.version });
    for (const request of early.splice(0)) safely(() => runner?.handle(request));
    arrange();
  } catch (error) {
    post({ type: 'broken', message: error instanceof Error ? error.message : String(error) });
  }
}
