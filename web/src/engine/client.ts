// The page's end of the worker: sends requests, passes replies on, watches for silence, and can replace a worker
// that a single long step has blocked by a new one that goes on from the last save.
import type { Reply, Request } from './protocol';

type Handlers = { [K in Reply['type']]: ((reply: Extract<Reply, { type: K }>) => void)[] };

/** Silence after which an answer that is due counts as late [ms]; that a scene is being loaded is said sooner. */
const lateAfter = 1500;
const loadingAfter = 400;

export class EngineClient {
  /** Called again and again while an answer is late, with the seconds waited; with 0 once it has come. */
  onLate: (seconds: number) => void = () => {};
  private worker: Worker;
  private readonly handlers: Partial<Handlers> = {};
  private nextId = 1;
  private lastHeard = performance.now();
  private due = false;
  private late = false;
  /** The engine is there: one that is still on its way is not blocked. */
  private ready = false;
  /** It has failed: nothing is late that it was to answer. */
  private broken = false;
  /** onLate was called and waits for its 0. */
  private told = false;
  private running = false;
  private saved: Uint8Array | null = null;
  private scene: { text: string; set: Record<string, number> } | null = null;
  /** Asked for and not answered yet. */
  private loading: Extract<Request, { type: 'load' }> | null = null;
  /** Number of the text that is being validated, or 0. */
  private checking = 0;

  constructor(private readonly create: () => Worker) {
    this.worker = this.start();
    setInterval(() => this.watch(), 250);
  }

  on<K extends Reply['type']>(type: K, handler: (reply: Extract<Reply, { type: K }>) => void): void {
    const list = (this.handlers[type] ??= [] as never) as ((reply: Extract<Reply, { type: K }>) => void)[];
    list.push(handler);
  }

  load(text: string, set: Record<string, number>, play: boolean): number {
    const id = this.nextId++;
    if (this.late && this.ready) this.restart();
    this.loading = { type: 'load', id, text, set, play };
    this.send(this.loading);
    return id;
  }

  validate(text: string): number {
    const id = this.nextId++;
    this.checking = id;
    this.send({ type: 'validate', id, text });
    return id;
  }

  send(request: Request, transfer: Transferable[] = []): void {
    if (request.type !== 'recycle' && !this.due) {
      this.due = this.isAnswered(request.type);
      this.lastHeard = performance.now();
    }
    this.worker.postMessage(request, transfer);
  }

  /** Without a scene there is an answer only to what brings or holds a text. */
  private isAnswered(type: Request['type']): boolean {
    if (type === 'load' || type === 'validate' || type === 'runChecks') return true;
    const holds = this.scene !== null || this.loading !== null;
    return holds && type !== 'grab' && type !== 'release' && type !== 'speed';
  }

  /** Sends once more what the engine lacked a part for. */
  sendAgain(request: Request): void {
    if (request.type === 'load') this.loading = request;
    if (request.type === 'validate') this.checking = request.id;
    this.send(request);
  }

  recycle(buffer: ArrayBuffer): void {
    this.send({ type: 'recycle', buffer }, [buffer]);
  }

  /** Ends a blocked worker. A scene that waits to be loaded is loaded; otherwise the present one stands, paused, where
   * the last save was made. */
  replace(): void {
    this.restart();
    if (this.loading) {
      this.send(this.loading);
      return;
    }
    if (!this.scene) return;
    const { text, set } = this.scene;
    const at = this.saved?.slice();
    this.send({ type: 'load', id: this.nextId++, text, set, play: false, ...(at ? { at } : {}) });
  }

  /** The engine is not there, or no longer. */
  get isBroken(): boolean {
    return this.broken;
  }

  /** It has been there, whatever became of it. */
  get hasCome(): boolean {
    return this.ready;
  }

  /** A scene was asked for and is not there yet. */
  get isLoading(): boolean {
    return this.loading !== null;
  }

  /** Gives up the scene that is being loaded: the one before it stands again, paused. */
  stopLoading(): void {
    this.loading = null;
    this.replace();
  }

  /** A text is being validated. */
  get isChecking(): boolean {
    return this.checking > 0;
  }

  private restart(): void {
    this.worker.terminate();
    this.checking = 0;
    this.running = false;
    this.worker = this.start();
    this.heard();
  }

  private heard(): void {
    this.late = false;
    if (!this.told) return;
    this.told = false;
    this.onLate(0);
  }

  private start(): Worker {
    const worker = this.create();
    worker.onmessage = (event: MessageEvent<Reply>) => {
      if (worker === this.worker) this.receive(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.pass({ type: 'broken', message: event.message || 'Is there a connection?' });
    };
    this.due = true;
    this.ready = false;
    this.broken = false;
    this.lastHeard = performance.now();
    return worker;
  }

  private receive(reply: Reply): void {
    this.lastHeard = performance.now();
    this.due = false;
    this.heard();
    this.remember(reply);
    this.pass(reply);
  }

  private remember(reply: Reply): void {
    if ((reply.type === 'loaded' || reply.type === 'refused') && reply.id === this.loading?.id) this.loading = null;
    if (reply.type === 'validated' && reply.id === this.checking) this.checking = 0;
    if (reply.type === 'unfetched') {
      if (reply.request?.type === 'load' && reply.request.id === this.loading?.id) this.loading = null;
      if (reply.request?.type === 'validate') this.checking = 0;
    }
    if (reply.type === 'loaded') {
      // Whatever failed before: it works.
      this.broken = false;
      this.scene = { text: reply.text, set: settable(reply.info.parameters) };
      this.saved = null;
    } else if (reply.type === 'parameters') {
      if (this.scene) this.scene.set = settable(reply.parameters);
      if (reply.restarted) this.saved = null;
    } else if (reply.type === 'saved') {
      this.saved = reply.bytes;
    } else if (reply.type === 'ready') {
      this.ready = true;
    } else if (reply.type === 'status') {
      this.running = reply.playing;
    }
  }

  private pass(reply: Reply): void {
    if (reply.type === 'broken') this.broken = true;
    const list = this.handlers[reply.type] as ((reply: Reply) => void)[] | undefined;
    for (const handler of list ?? []) handler(reply);
  }

  private watch(): void {
    if (this.broken || (!this.running && !this.due && !this.loading)) return;
    const silent = performance.now() - this.lastHeard;
    this.late = silent > lateAfter;
    if (silent <= (this.loading ? loadingAfter : lateAfter)) return;
    this.told = true;
    this.onLate(silent / 1000);
  }
}

/** The values of all parameters that are not formulas of others. */
export function settable(parameters: { name: string; value: number; derived: boolean }[]): Record<string, number> {
  const set: Record<string, number> = {};
  for (const { name, value, derived } of parameters) {
    if (!derived) set[name] = value;
  }
  return set;
}
