// Runs all checks of a scene as the command line does, in the runs that the engine names, each in a fresh simulation, in
// slices of time.
import type { CheckResult, CheckRun, Engine, EngineError, Simulation } from '@tendril/engine';

/** What came of a check; `reason` tells why one was not decided. */
export interface Verdict {
  passed: boolean;
  at: number;
  values: Record<string, number>;
  reason: string;
}

export interface CheckProgress {
  /** One per check; null: not yet. */
  verdicts: (Verdict | null)[];
  running: boolean;
  /** Runs done and to do. */
  done: number;
  total: number;
}

/** The verdicts of results, by the index of their check. */
export function verdictsOf(results: CheckResult[]): Map<number, Verdict> {
  return new Map(results.map(({ index, passed, at, values }) => [index, { passed, at, values, reason: '' }]));
}

export class CheckRuns {
  private readonly verdicts: (Verdict | null)[];
  private at = 0;
  private sim: Simulation | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly text: string,
    private readonly runs: CheckRun[],
  ) {
    this.verdicts = runs.flatMap(({ indices }) => indices).map(() => null);
  }

  get progress(): CheckProgress {
    const total = this.runs.length;
    return { verdicts: this.verdicts.slice(), running: this.at < total, done: this.at, total };
  }

  /** Works for about `budget` seconds; true once a run has ended. */
  slice(budget: number): boolean {
    const run = this.runs[this.at];
    if (!run) return false;
    try {
      this.sim ??= this.engine.simulation(this.text, run.with);
      if (!this.sim.finished) this.sim.advanceFor(this.sim.duration, budget);
      if (!this.sim.finished) return false;
      this.end(run, 'its time was not reached');
    } catch (error) {
      const { code, message } = error as EngineError;
      if (code === undefined) throw error;
      this.end(run, code === 3 ? `the solver gave up: ${message}` : message);
    }
    return true;
  }

  stop(): void {
    this.sim?.dispose();
    this.sim = null;
    this.at = this.runs.length;
  }

  private end(run: CheckRun, reason: string): void {
    const found = verdictsOf(this.sim?.checks() ?? []);
    const at = this.sim?.time ?? 0;
    for (const i of run.indices) this.verdicts[i] = found.get(i) ?? { passed: false, at, values: {}, reason };
    this.sim?.dispose();
    this.sim = null;
    this.at += 1;
  }
}
