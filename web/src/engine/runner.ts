// Runs one simulation inside the worker: paces it, slices its work so that messages get through, and reports.
// Knows the engine and the protocol, nothing of the page; time and message sending come from outside, so tests drive it.
import type { Engine, EngineError, Simulation } from '@tendril/engine';
import { assign, type CheckItem, CheckRuns, checkItems } from './checkRuns';
import { copyDrawing, transferables } from './copies';
import { sceneText, validate } from './geometry';
import { bytesOf, countsOf, fill, valuesOf, viewsOf } from './moment';
import type { Field, Reply, Request } from './protocol';
import { tensionSpan } from './tensions';
import { mayTouch } from './touching';
import { columnEnergies, columnUnits } from './units';

/** Wall time of one slice of work [s]: messages wait no longer, unless a single step takes longer. */
const sliceBudget = 0.012;
/** Probe rows of a whole run are at most about this many; steps longer than duration/rowsPerRun get a row each. */
const rowsPerRun = 4000;
/** Wall time that can be owed to the simulation at once [s]: a page that slept does not race to catch up. */
const owedAtMost = 0.1;
const saveEvery = 1;
const statusEvery = 0.2;
const factorWindow = 0.5;

export interface Host {
  /** Wall clock [s]. */
  now(): number;
  post(reply: Reply, transfer: Transferable[]): void;
}

export class Runner {
  private sim: Simulation | null = null;
  private rowInterval = 0;
  /** Statics are solved at once, and anew after every change. */
  private isStatic = false;
  private playing = false;
  private speed = 1;
  private field: Field | null = null;
  private steps = 0;
  private iterations = 0;
  private retries = 0;
  private owed = 0;
  private lastTick = 0;
  private lastSave = 0;
  private lastStatus = 0;
  private windowStart = 0;
  private windowTime = 0;
  private factor = Number.NaN;
  private limited = false;
  private rows: number[] = [];
  private fresh = true;
  private jump = true;
  private changed = false;
  private items: CheckItem[] = [];
  /** How many checks were decided when the page was last told. */
  private decided = -1;
  private checkRuns: CheckRuns | null = null;
  private revision = -1;
  private spare: ArrayBuffer[] = [];
  private buffersOut = 0;

  constructor(
    private readonly engine: Engine,
    private readonly host: Host,
  ) {}

  handle(request: Request): void {
    switch (request.type) {
      case 'load':
        return this.load(request);
      case 'validate':
        return this.post({ type: 'validated', id: request.id, ...validate(this.engine, request.text) });
      case 'recycle':
        this.buffersOut = Math.max(0, this.buffersOut - 1);
        this.spare.push(request.buffer);
        return this.sendSnapshot();
      case 'runChecks':
        return this.startChecks(request.text);
      case 'stopChecks':
        return this.stopChecks();
      case 'speed':
        this.speed = request.value;
        this.owed = 0;
        return this.startWindow();
      case 'field':
        this.field = request.field;
        this.changed = true;
        return this.sendSnapshot();
      default:
        if (this.sim) this.steer(this.sim, request);
    }
  }

  /** Milliseconds until `tick` wants to be called again; null while there is nothing to do. */
  wait(): number | null {
    if (this.checkRuns) return 0;
    if (!this.sim || !this.playing) return null;
    if (this.speed === Infinity) return 0;
    const since = this.host.now() - this.lastTick;
    const due = -this.owed / this.speed - since;
    return due <= 0 ? 0 : Math.min(due * 1000, 100);
  }

  /** One slice of work. */
  tick(): void {
    this.advanceRun();
    if (this.checkRuns?.slice(sliceBudget)) this.reportCheckRuns(this.checkRuns);
  }

  private advanceRun(): void {
    const sim = this.sim;
    if (!sim || !this.playing) return;
    const start = this.host.now();
    const elapsed = Math.min(start - this.lastTick, owedAtMost);
    this.lastTick = start;
    this.owed = this.speed === Infinity ? Infinity : this.owed + elapsed * this.speed;
    const finished = this.guarded(() => this.spend(sim, start));
    if (finished || sim.finished) this.playing = false;
    this.report(sim);
  }

  private spend(sim: Simulation, start: number): void {
    while (this.owed > 0 && !sim.finished) {
      const left = sliceBudget - (this.host.now() - start);
      if (left <= 0) break;
      const before = sim.time;
      const progress = sim.advanceFor(Math.min(this.owed, this.rowInterval), left);
      if (progress.steps === 0) {
        this.owed = 0;
        break;
      }
      this.count(progress);
      this.row(sim);
      this.owed -= sim.time - before;
    }
    this.limited = this.owed > 0 && !sim.finished;
    if (this.limited && this.speed !== Infinity) this.owed = Math.min(this.owed, owedAtMost * this.speed);
  }

  private steer(sim: Simulation, request: Request): void {
    switch (request.type) {
      case 'play':
        if (sim.finished) this.reset(sim);
        this.play();
        return this.sendStatus(sim);
      case 'pause':
        this.playing = false;
        this.factor = Number.NaN;
        this.limited = false;
        return this.report(sim, true);
      case 'step':
        this.playing = false;
        this.guarded(() => {
          this.count(sim.step());
          this.row(sim);
        });
        return this.report(sim, true);
      case 'reset':
        this.reset(sim);
        return this.report(sim, true);
      case 'set':
        return this.set(sim, request);
      case 'grab':
        return sim.grab(request.point, request.target);
      case 'release':
        return sim.release();
      case 'restore':
        sim.restore(request.bytes);
        this.playing = false;
        this.jump = true;
        this.changed = true;
        return this.report(sim, true);
    }
  }

  private load(request: Extract<Request, { type: 'load' }>): void {
    let next: Simulation | undefined;
    let text = request.text;
    try {
      text = sceneText(this.engine, request.text);
      next = this.engine.simulation(text, request.set);
      if (request.at) next.restore(request.at);
    } catch (error) {
      next?.dispose();
      const { message, problems } = error as EngineError;
      this.post({ type: 'refused', id: request.id, text: request.text, message, problems: problems ?? [] });
      return;
    }
    this.sim?.dispose();
    this.sim = next;
    const info = next.info();
    this.rowInterval = info.duration > 0 ? info.duration / rowsPerRun : 1;
    this.isStatic = info.static;
    const drawing = copyDrawing(next.drawing());
    this.revision = drawing.revision;
    this.spare = [];
    const expanded = this.engine.expand(text);
    const units = columnUnits(expanded, info.columns);
    const energies = columnEnergies(expanded, info.columns);
    this.stopChecks();
    this.items = checkItems(expanded);
    const checks = this.items;
    const touching = mayTouch(expanded, drawing);
    const tensions = tensionSpan(expanded, info.parameters);
    const shown = { info, units, energies, touching, tensions, drawing };
    const reply: Reply = { type: 'loaded', id: request.id, text, checks, ...shown };
    this.restarted(next);
    this.host.post(reply, transferables(drawing));
    this.playing = false;
    if (request.play || (this.isStatic && !request.at)) this.play();
    this.report(next, true);
  }

  private set(sim: Simulation, { name, value, held }: Extract<Request, { type: 'set' }>): void {
    let live: boolean;
    try {
      live = sim.set(name, value);
    } catch (error) {
      this.post({ type: 'setRefused', name, message: (error as Error).message });
      return;
    }
    this.stopChecks();
    this.decided = -1;
    const { duration, parameters } = sim.info();
    this.rowInterval = duration > 0 ? duration / rowsPerRun : 1;
    const ended = live && !this.isStatic && sim.finished && !held;
    const again = ended || (live && this.isStatic);
    if (again) sim.reset();
    if (!live || again) this.restarted(sim);
    if (this.isStatic) this.play();
    this.post({ type: 'parameters', parameters, duration, restarted: !live || again, ended });
    this.report(sim, true);
  }

  private reset(sim: Simulation): void {
    sim.reset();
    this.restarted(sim);
  }

  /** The run stands at t = 0 again: counts and history start anew. */
  private restarted(sim: Simulation): void {
    this.steps = this.iterations = this.retries = 0;
    this.owed = 0;
    this.rows = [];
    this.fresh = true;
    this.jump = true;
    this.changed = true;
    this.decided = -1;
    this.lastSave = this.host.now();
    this.row(sim);
    this.startWindow();
  }

  private play(): void {
    this.playing = true;
    this.owed = 0;
    this.lastTick = this.host.now();
    this.startWindow();
  }

  private startWindow(): void {
    this.windowStart = this.host.now();
    this.windowTime = this.sim?.time ?? 0;
    this.factor = Number.NaN;
  }

  private count(progress: {
    steps: number;
    iterations: number;
    retries: number;
    warnings: string[];
    time: number;
  }): void {
    this.steps += progress.steps;
    this.iterations += progress.iterations;
    this.retries += progress.retries;
    if (progress.retries > 0 || progress.warnings.length > 0) {
      const { time, retries: count, warnings: messages } = progress;
      this.post({ type: 'retried', time, count, messages });
    }
  }

  private row(sim: Simulation): void {
    this.rows.push(sim.time);
    const values = sim.probeValues();
    for (let i = 0; i < values.length; ++i) this.rows.push(values[i]);
    this.changed = true;
  }

  /** Runs the engine; a give-up pauses the run and is reported, its state stays. True if it gave up. */
  private guarded(work: () => void): boolean {
    try {
      work();
      return false;
    } catch (error) {
      const known = (error as EngineError).code === 3;
      if (!known) throw error;
      this.playing = false;
      this.limited = false;
      this.changed = true;
      this.post({ type: 'gaveUp', time: this.sim?.time ?? 0, message: (error as Error).message });
      return true;
    }
  }

  private report(sim: Simulation, force = false): void {
    const now = this.host.now();
    this.sendSnapshot();
    if (now - this.windowStart >= factorWindow && this.playing) {
      this.factor = (sim.time - this.windowTime) / (now - this.windowStart);
      this.windowStart = now;
      this.windowTime = sim.time;
    }
    if (force || !this.playing || now - this.lastStatus >= statusEvery) {
      this.sendChecks(sim);
      this.sendStatus(sim);
    }
    if (now - this.lastSave >= saveEvery || (!this.playing && this.steps > 0 && !force)) {
      this.lastSave = now;
      const bytes = sim.save().slice();
      this.host.post({ type: 'saved', time: sim.time, bytes }, [bytes.buffer]);
    }
  }

  private sendChecks(sim: Simulation): void {
    if (this.items.length === 0) return;
    const results = sim.checks();
    if (results.length === this.decided) return;
    this.decided = results.length;
    const own = this.items.map((_, i) => i);
    own.sort((a, b) => Number(this.items[a].with !== null) - Number(this.items[b].with !== null));
    const found = assign(this.items, own, results);
    this.post({ type: 'checks', verdicts: this.items.map((_, i) => found.get(i) ?? null) });
  }

  private startChecks(text: string): void {
    this.stopChecks();
    this.checkRuns = new CheckRuns(this.engine, text, this.items);
    this.reportCheckRuns(this.checkRuns);
  }

  private stopChecks(): void {
    if (!this.checkRuns) return;
    const { progress } = this.checkRuns;
    this.checkRuns.stop();
    this.checkRuns = null;
    this.post({ type: 'checkRuns', ...progress, running: false });
  }

  private reportCheckRuns(runs: CheckRuns): void {
    this.post({ type: 'checkRuns', ...runs.progress });
    if (!runs.progress.running) this.checkRuns = null;
  }

  private sendStatus(sim: Simulation): void {
    this.lastStatus = this.host.now();
    const { steps, iterations, retries, playing, factor, limited } = this;
    const { time, finished } = sim;
    this.post({ type: 'status', time, playing, finished, factor, limited, steps, iterations, retries });
  }

  /** Sends the present state if it is new and one of the two buffers is at home. */
  private sendSnapshot(): void {
    const sim = this.sim;
    if (!sim || !this.changed || this.buffersOut >= 2) return;
    const current = sim.drawing();
    const drawing = current.revision !== this.revision ? copyDrawing(current) : null;
    this.revision = current.revision;
    const counts = countsOf(current, sim);
    const buffer = this.take(bytesOf(counts, this.field !== null));
    fill(viewsOf(buffer, counts), sim);
    if (this.field) valuesOf(buffer, counts).set(sim.scalars(this.field));
    const rows = Float64Array.from(this.rows);
    const { jump, fresh, field } = this;
    this.rows.length = 0;
    this.jump = this.fresh = this.changed = false;
    ++this.buffersOut;
    const reply: Reply = { type: 'snapshot', time: sim.time, buffer, counts, field, jump, rows, fresh, drawing };
    this.host.post(reply, [buffer, rows.buffer, ...(drawing ? transferables(drawing) : [])]);
  }

  private take(bytes: number): ArrayBuffer {
    const found = this.spare.pop();
    return found && found.byteLength === bytes ? found : new ArrayBuffer(bytes);
  }

  private post(reply: Reply): void {
    this.host.post(reply, []);
  }
}
