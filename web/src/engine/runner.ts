// Runs one simulation inside the worker: paces it, slices its work so that messages get through, and reports.
// Knows the engine and the protocol, nothing of the page; time and message sending come from outside, so tests drive it.
import type { Engine, EngineError, Simulation } from '@tendril/engine';
import { sentence, tidyNumbers } from '../text/troubleWords';
import { CheckReports } from './checkReports';
import { copyDrawing, transferables } from './copies';
import { sceneText, validate } from './geometry';
import { LoadSteps } from './loadSteps';
import { modesOf } from './modes';
import { bytesOf, countsOf, fill, valuesOf, viewsOf } from './moment';
import type { Field, Reply, Request } from './protocol';
import { MissingPart } from './rest';
import { type LeftOut, withTakenValues } from './takenValues';

/** Wall time of one slice of work [s]: messages wait no longer, unless a single step takes longer. */
const sliceBudget = 0.012;
/** Probe rows of a whole run are at most about this many; steps longer than duration/rowsPerRun get a row each. */
const rowsPerRun = 4000;
/** Wall time that can be owed to the simulation at once [s]: a page that slept does not race to catch up. */
const owedAtMost = 0.1;
/** A page that has taken no moment for so long is busy drawing: the run waits for it, or its clock would be ahead of the picture [s]. */
const waitsAfter = 0.25;
/** While it waits, it looks again so often [ms]. */
const waitingTurn = 20;
/** For so long after it has waited, its pace is told as the machine's [s]. */
const waitTold = 2;
const saveEvery = 1;
const statusEvery = 0.2;
const factorWindow = 0.5;
/** A run that starts again by itself shows its end for so long [s]. */
const restAtEnd = 1;

export interface Host {
  /** Wall clock [s]. */
  now(): number;
  post(reply: Reply, transfer: Transferable[]): void;
}

export class Runner {
  private sim: Simulation | null = null;
  private rowInterval = 0;
  /** Of a static scene. */
  private loads: LoadSteps | null = null;
  private loop = false;
  /** The run has ended and starts again then [s]. */
  private restUntil: number | null = null;
  /** The solver gave up, and nothing was changed since. */
  private stuck = false;
  private playing = false;
  private speed = 1;
  private field: Field | null = null;
  private steps = 0;
  private iterations = 0;
  private retries = 0;
  private owed = 0;
  private lastTick = 0;
  private lastSave = 0;
  /** Of the state that the page was sent last [s]; the status it was told is of an earlier one. */
  private sentTime = 0;
  private statusDue = false;
  private lastStatus = 0;
  private windowStart = 0;
  private windowTime = 0;
  private factor = Number.NaN;
  private limited = false;
  private rows: number[] = [];
  private fresh = true;
  private sought = false;
  private jump = true;
  private changed = false;
  private readonly checks: CheckReports;
  private revision = -1;
  private spare: ArrayBuffer[] = [];
  private buffersOut = 0;
  /** When the page was last heard to have taken a moment, or had none to take. */
  private lastTaken = 0;
  /** When the run waited for the page last. */
  private lastWait = -Infinity;

  constructor(
    private readonly engine: Engine,
    private readonly host: Host,
  ) {
    this.checks = new CheckReports(engine, (reply) => this.post(reply));
  }

  handle(request: Request): void {
    switch (request.type) {
      case 'load':
        return this.load(request);
      case 'validate':
        return this.post({ type: 'validated', id: request.id, ...validate(this.engine, request.text) });
      case 'recycle':
        this.buffersOut = Math.max(0, this.buffersOut - 1);
        this.lastTaken = this.host.now();
        this.spare.push(request.buffer);
        return this.sendSnapshot();
      case 'runChecks':
        return this.checks.start(request.text);
      case 'stopChecks':
        return this.checks.stop();
      case 'speed':
        this.speed = request.value;
        if (!this.loads) this.owed = 0;
        return this.startWindow();
      case 'loop':
        this.loop = request.value;
        return this.loopChanged();
      case 'field':
        this.field = request.field;
        this.changed = true;
        return this.sendSnapshot();
      case 'show':
        this.changed = true;
        return this.sendSnapshot();
      default:
        if (this.sim) this.steer(this.sim, request);
    }
  }

  /** Milliseconds until `tick` wants to be called again; null while there is nothing to do. */
  wait(): number | null {
    if (this.checks.running || this.loads?.due) return 0;
    if (!this.sim || !this.playing) return null;
    const now = this.host.now();
    if (this.pageIsBusy(now)) return waitingTurn;
    const due = this.restUntil !== null ? this.restUntil - now : -this.owed / this.rate - (now - this.lastTick);
    return due > 0 ? Math.min(due * 1000, 100) : 0;
  }

  /** One slice of work. */
  tick(): void {
    this.advanceRun();
    if (this.loads?.due && !this.playing) this.followPull(this.loads);
    this.checks.slice(sliceBudget);
  }

  /** Simulated seconds per second. */
  private get rate(): number {
    return this.loads?.rate ?? this.speed;
  }

  private advanceRun(): void {
    const sim = this.sim;
    if (!sim || !this.playing) return;
    const start = this.host.now();
    if (this.restUntil !== null) {
      if (start < this.restUntil) return;
      this.reset(sim);
      this.play();
    }
    const elapsed = Math.min(start - this.lastTick, owedAtMost);
    this.lastTick = start;
    if (this.pageIsBusy(start)) {
      this.owed = Math.min(this.owed, 0);
      this.lastWait = start;
      this.limited = !this.loads;
      this.report(sim);
      return;
    }
    this.owed = this.rate === Infinity ? Infinity : this.owed + elapsed * this.rate;
    const gaveUp = this.guarded(() => this.spend(sim, start));
    const aimed = this.loads?.goal !== null && this.loads !== null;
    if (!gaveUp && sim.finished && this.loop && !aimed) this.restUntil = start + restAtEnd;
    else if (gaveUp || sim.finished || this.loads?.reached) this.playing = false;
    this.report(sim, this.restUntil !== null);
  }

  /** Runs as fast as possible, and statics that are solved at once, are not watched and wait for nobody. */
  private pageIsBusy(now: number): boolean {
    return this.rate !== Infinity && this.buffersOut >= 2 && now - this.lastTaken > waitsAfter;
  }

  private spend(sim: Simulation, start: number): void {
    while (this.owed > 0 && !sim.finished && !this.loads?.reached) {
      const left = sliceBudget - (this.host.now() - start);
      if (left <= 0) break;
      const before = sim.time;
      const progress = this.loads ? sim.step() : sim.advanceFor(Math.min(this.owed, this.rowInterval), left);
      if (progress.steps === 0) {
        this.owed = 0;
        break;
      }
      this.count(progress);
      this.row(sim);
      this.owed -= sim.time - before;
    }
    const behind = this.owed > 0 && !sim.finished;
    this.limited = !this.loads && (behind || this.host.now() - this.lastWait < waitTold);
    if (behind && !this.loads && this.speed !== Infinity) this.owed = Math.min(this.owed, owedAtMost * this.speed);
  }

  private steer(sim: Simulation, request: Request): void {
    switch (request.type) {
      case 'play':
        if (sim.finished || this.stuck) this.reset(sim);
        this.play();
        return this.sendStatus(sim);
      case 'pause':
        this.playing = false;
        this.restUntil = null;
        this.factor = Number.NaN;
        this.limited = false;
        return this.report(sim, true);
      case 'step':
        this.playing = false;
        if (sim.finished || this.stuck) this.reset(sim);
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
      case 'seek':
        if (this.loads) this.seek(sim, this.loads, request.time ?? this.loads.beside(request.by ?? 0));
        return;
      case 'grab':
        this.stuck = false;
        if (this.loads) Object.assign(this.loads, { pull: request, due: sim.time > 0 });
        return sim.grab(request.point, request.target);
      case 'release':
        sim.release();
        if (this.loads?.pull) this.letGo(sim, this.loads);
        return;
      case 'modes': {
        this.playing = false;
        this.restUntil = null;
        this.report(sim, true);
        const reply = modesOf(sim, request.count);
        return this.host.post(
          reply,
          reply.modes.map(({ away }) => away.buffer),
        );
      }
      case 'restore':
        sim.restore(request.bytes);
        this.playing = false;
        this.restUntil = null;
        this.stuck = false;
        this.jump = true;
        this.changed = true;
        return this.report(sim, true);
    }
  }

  private load(request: Extract<Request, { type: 'load' }>): void {
    let next: Simulation | undefined;
    let left: LeftOut[] = [];
    let rest = new Float32Array(0);
    let text = request.text;
    try {
      text = sceneText(this.engine, request.text);
      ({ sim: next, left } = withTakenValues(this.engine, text, request.set));
      rest = next.snapshot().positions.slice();
      if (request.at) next.restore(request.at);
    } catch (error) {
      next?.dispose();
      const { message, problems } = error as EngineError;
      if (error instanceof MissingPart) throw error;
      this.post({ type: 'refused', id: request.id, text: request.text, message, problems: problems ?? [] });
      return;
    }
    this.sim?.dispose();
    this.sim = next;
    const info = next.info();
    this.rowInterval = info.duration > 0 ? info.duration / rowsPerRun : 1;
    this.loads = info.static ? new LoadSteps(next, info.duration) : null;
    const drawing = copyDrawing(next.drawing());
    this.revision = drawing.revision;
    this.spare = [];
    this.checks.setScene(info.checkRuns);
    const reply: Reply = { type: 'loaded', id: request.id, text, left, info, drawing, rest };
    this.restarted(next);
    this.host.post(reply, transferables(drawing));
    this.playing = false;
    if (request.play) this.play();
    else if (this.loads && !request.at) this.play(info.duration);
    this.report(next, true);
  }

  private set(sim: Simulation, { name, value, held, play }: Extract<Request, { type: 'set' }>): void {
    let live: boolean;
    const load = this.chosenLoad(sim);
    try {
      live = sim.set(name, value);
    } catch (error) {
      if (error instanceof MissingPart) throw error;
      this.post({ type: 'setRefused', name, value, message: (error as Error).message });
      return;
    }
    this.checks.stop();
    this.checks.again();
    const { duration, parameters, acting } = sim.info();
    this.rowInterval = duration > 0 ? duration / rowsPerRun : 1;
    this.stuck = false;
    const { loads } = this;
    const ended = live && !loads && sim.finished && !held;
    const again = ended || (live && loads !== null);
    if (again) sim.reset();
    // Built anew, whose revisions count from the start.
    if (!live) this.revision = -1;
    if (!live || again) this.restarted(sim);
    if (loads) {
      loads.duration = duration;
      this.play(load * duration);
    } else if (play && !this.playing) {
      this.play();
    }
    this.post({ type: 'parameters', parameters, acting, duration, restarted: !live || again, ended });
    this.report(sim, true);
  }

  /** The part of the load that a person has chosen to see: all of it, unless they have stopped or dragged it elsewhere. */
  private chosenLoad(sim: Simulation): number {
    const aim = this.playing ? (this.loads?.goal ?? sim.duration) : sim.time;
    const part = aim / sim.duration;
    return part > 0 && part < 1 ? part : 1;
  }

  private reset(sim: Simulation): void {
    sim.reset();
    this.restarted(sim);
  }

  /** The run stands at t = 0 again: counts and history start anew. */
  private restarted(sim: Simulation): void {
    this.steps = this.iterations = this.retries = 0;
    this.owed = 0;
    this.restUntil = null;
    this.stuck = false;
    this.loads?.begin();
    this.rows = [];
    this.fresh = true;
    this.sought = false;
    this.jump = true;
    this.changed = true;
    this.checks.again();
    this.lastSave = this.host.now();
    this.row(sim);
    this.startWindow();
  }

  /** `goal`: statics are solved at once until there; otherwise their load steps are shown. */
  private play(goal: number | null = null): void {
    if (this.loads) this.loads.goal = goal;
    this.playing = true;
    this.owed = this.loads?.head ?? 0;
    this.lastTick = this.host.now();
    this.startWindow();
  }

  /** To the load step nearest to `time`; one that is not solved yet is solved at once. */
  private seek(sim: Simulation, loads: LoadSteps, time: number): void {
    this.playing = false;
    this.restUntil = null;
    const { rows, further } = loads.goTo(time);
    this.rows = rows;
    this.fresh = this.sought = this.changed = true;
    this.stuck = false;
    this.checks.again();
    if (further !== null) this.play(further);
    this.report(sim, true);
  }

  /** The present load in balance with what a person pulls. */
  private followPull(loads: LoadSteps): void {
    const { sim } = this;
    if (!sim) return;
    try {
      loads.follow();
      this.row(sim);
    } catch (error) {
      if ((error as EngineError).code !== 3) throw error;
      const messages = ['It does not follow that far: no balance was found.'];
      this.post({ type: 'retried', time: sim.time, count: 0, messages });
    }
    this.report(sim, true);
  }

  /** What was pulled goes back to where it is in balance without. */
  private letGo(sim: Simulation, loads: LoadSteps): void {
    if (this.playing) loads.pull = null;
    else if (sim.time > 0) this.seek(sim, loads, sim.time);
    else loads.begin();
  }

  private loopChanged(): void {
    const { sim } = this;
    if (!sim) return;
    if (this.loop && sim.finished && !this.playing) {
      this.reset(sim);
      this.play();
    } else if (!this.loop && this.restUntil !== null) {
      this.restUntil = null;
      this.playing = false;
    }
    this.report(sim, true);
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
      const { time, retries: count, warnings } = progress;
      this.post({ type: 'retried', time, count, messages: warnings.map(sentence) });
    }
  }

  private row(sim: Simulation): void {
    this.rows.push(sim.time);
    const values = sim.probeValues();
    for (let i = 0; i < values.length; ++i) this.rows.push(values[i]);
    this.changed = true;
    this.loads?.keep();
  }

  /** Runs the engine; a give-up pauses the run and is reported, its state stays. True if it gave up. */
  private guarded(work: () => void): boolean {
    try {
      work();
      return false;
    } catch (error) {
      const { code, message, repeats } = error as EngineError;
      if (code !== 3) throw error;
      this.playing = false;
      this.limited = false;
      this.changed = true;
      this.stuck = true;
      this.post({
        type: 'gaveUp',
        time: this.sim?.time ?? 0,
        message: tidyNumbers(message),
        words: sentence(message),
        repeats: repeats ? sentence(repeats) : '',
      });
      return true;
    }
  }

  private report(sim: Simulation, force = false): void {
    const now = this.host.now();
    this.sendSnapshot();
    // A wait belongs to what was run before it and after it: alone it would be a pace of nothing.
    if (now - this.windowStart >= factorWindow && this.playing && !this.pageIsBusy(now)) {
      this.factor = (sim.time - this.windowTime) / (now - this.windowStart);
      this.windowStart = now;
      this.windowTime = sim.time;
    }
    if (force || !this.playing || now - this.lastStatus >= statusEvery) {
      this.checks.send(sim);
      this.sendStatus(sim);
    }
    if (now - this.lastSave >= saveEvery || (!this.playing && this.steps > 0 && !force)) {
      this.lastSave = now;
      const bytes = sim.save().slice();
      this.host.post({ type: 'saved', time: sim.time, bytes }, [bytes.buffer]);
    }
  }

  private sendStatus(sim: Simulation): void {
    this.lastStatus = this.host.now();
    const { steps, iterations, retries, factor, limited } = this;
    // The clock tells the time of what the page was sent, and a run ends there with its last state.
    const late = this.changed && !this.fresh && this.sentTime !== sim.time;
    this.statusDue = late;
    const time = late ? this.sentTime : sim.time;
    const finished = sim.finished && !late;
    const playing = this.playing || (late && sim.finished);
    this.post({ type: 'status', time, late, playing, finished, factor, limited, steps, iterations, retries });
  }

  /** Sends the present state if it is new and one of the two buffers is at home. */
  private sendSnapshot(): void {
    const sim = this.sim;
    if (!sim || !this.changed || this.buffersOut >= 2) return;
    const current = sim.drawing();
    const drawing = current.revision !== this.revision ? copyDrawing(current) : null;
    this.revision = current.revision;
    const now = sim.snapshot();
    const counts = countsOf(current, now);
    const buffer = this.take(bytesOf(counts, this.field !== null));
    fill(viewsOf(buffer, counts), now);
    if (this.field) valuesOf(buffer, counts).set(now[this.field]);
    const rows = Float64Array.from(this.rows);
    const { jump, fresh, sought, field } = this;
    this.rows.length = 0;
    this.jump = this.fresh = this.sought = this.changed = false;
    this.sentTime = sim.time;
    if (this.buffersOut++ === 0) this.lastTaken = this.host.now();
    const reply: Reply = {
      type: 'snapshot',
      time: sim.time,
      buffer,
      counts,
      field,
      jump,
      rows,
      fresh,
      sought,
      drawing,
    };
    this.host.post(reply, [buffer, rows.buffer, ...(drawing ? transferables(drawing) : [])]);
    if (this.statusDue) this.sendStatus(sim);
  }

  private take(bytes: number): ArrayBuffer {
    const found = this.spare.pop();
    return found && found.byteLength === bytes ? found : new ArrayBuffer(bytes);
  }

  private post(reply: Reply): void {
    this.host.post(reply, []);
  }
}
