// A static run as it is shown: its load steps come at a pace that the eye can follow, each is kept, so that the load can be
// taken back and forth, and what a person pulls is in balance with the pull at the present load.
import type { Simulation } from '@tendril/engine';

/** All load steps take about this long, and the unloaded state is seen for so long before the first [s]. */
const showTime = 2.5;
const holdTime = 0.6;
/** Kept states take no more than this [bytes]: beyond it every second one goes. */
const mostBytes = 64 * 1024 * 1024;

interface Kept {
  time: number;
  bytes: Uint8Array;
  row: number[];
}

type Pull = { point: number; target: [number, number, number] };

export class LoadSteps {
  /** Solved as quickly as can be until the load stands here; null: shown step by step. */
  goal: number | null = null;
  /** What a person pulls, and that the state does not follow it yet. */
  pull: Pull | null = null;
  due = false;
  private kept: Kept[] = [];

  constructor(
    private readonly sim: Simulation,
    public duration: number,
  ) {}

  /** Load per second of wall time, as a part of the run's time. */
  get rate(): number {
    return this.goal === null ? this.duration / showTime : Infinity;
  }

  /** What the run owes when it starts from its present load: the unloaded state is seen first. */
  get head(): number {
    return this.goal === null && this.sim.time === 0 ? -holdTime * this.rate : 0;
  }

  get reached(): boolean {
    return this.goal !== null && this.sim.time >= this.goal - this.tiny;
  }

  /** A history that starts with the present state. */
  begin(): void {
    this.kept = [];
    this.pull = null;
    this.due = false;
    this.keep();
  }

  /** Keeps the present state, unless a person's pull is in it. */
  keep(): void {
    const { sim, kept } = this;
    if (this.pull || (kept.length > 0 && sim.time <= kept[kept.length - 1].time + this.tiny)) return;
    kept.push({ time: sim.time, bytes: sim.save().slice(), row: [sim.time, ...sim.probeValues()] });
    const bytes = kept.reduce((sum, one) => sum + one.bytes.length, 0);
    if (bytes > mostBytes) this.kept = kept.filter((_, i) => i % 2 === 0 || i === kept.length - 1);
  }

  /** Goes to the kept state nearest to `time`, and returns the rows up to there. `further`: the load that is still to come. */
  goTo(time: number): { rows: number[]; further: number | null } {
    const { kept } = this;
    this.pull = null;
    this.due = false;
    const last = kept[kept.length - 1];
    let at = kept.length - 1;
    if (time <= last.time) {
      for (let i = 0; i < kept.length; ++i) if (Math.abs(kept[i].time - time) < Math.abs(kept[at].time - time)) at = i;
    }
    this.sim.release();
    this.sim.restore(kept[at].bytes);
    const rows = kept.slice(0, at + 1).flatMap(({ row }) => row);
    return { rows, further: time > last.time + this.tiny ? Math.min(time, this.duration) : null };
  }

  /** One kept load step back or forth. */
  beside(by: number): number {
    const { kept, sim } = this;
    const ahead = kept.filter(({ time }) => (by > 0 ? time > sim.time + this.tiny : time < sim.time - this.tiny));
    if (ahead.length === 0) return by > 0 ? this.duration : 0;
    return by > 0 ? ahead[0].time : ahead[ahead.length - 1].time;
  }

  /** Solves the present load with the pull, from the load step before it on. Throws where the solver gives up. */
  follow(): void {
    const { sim, pull, kept } = this;
    this.due = false;
    const here = sim.time;
    const before = kept.findLast(({ time }) => time < here - this.tiny);
    if (!before || !pull) return;
    const state = sim.save().slice();
    try {
      sim.restore(before.bytes);
      sim.grab(pull.point, pull.target);
      while (sim.time < here - this.tiny) sim.step();
    } catch (error) {
      sim.restore(state);
      sim.grab(pull.point, pull.target);
      throw error;
    }
  }

  private get tiny(): number {
    return 1e-9 * this.duration;
  }
}
