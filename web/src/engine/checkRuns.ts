// Runs all checks of a scene as the command line does: the checks without parameters of their own in one run, those
// with equal ones ("with") in another, each in a fresh simulation, in slices of time.
import type { Check, CheckResult, Engine, EngineError, Simulation } from '@tendril/engine';

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

interface Group {
  with: Record<string, number>;
  indices: number[];
}

function groupsOf(items: Check[]): Group[] {
  const groups = new Map<string, Group>();
  items.forEach((item, i) => {
    const own = item.with ?? {};
    const key = JSON.stringify(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { with: own, indices: [] };
    group.indices.push(i);
    groups.set(key, group);
  });
  return [...groups.values()];
}

export class CheckRuns {
  private readonly groups: Group[];
  private readonly verdicts: (Verdict | null)[];
  private at = 0;
  private sim: Simulation | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly text: string,
    items: Check[],
  ) {
    this.groups = groupsOf(items);
    this.verdicts = items.map(() => null);
  }

  get progress(): CheckProgress {
    const total = this.groups.length;
    return { verdicts: this.verdicts.slice(), running: this.at < total, done: this.at, total };
  }

  /** Works for about `budget` seconds; true once a run has ended. */
  slice(budget: number): boolean {
    const group = this.groups[this.at];
    if (!group) return false;
    try {
      this.sim ??= this.engine.simulation(this.text, group.with);
      if (!this.sim.finished) this.sim.advanceFor(this.sim.duration, budget);
      if (!this.sim.finished) return false;
      this.end(group, 'its time was not reached');
    } catch (error) {
      const { code, message } = error as EngineError;
      if (code === undefined) throw error;
      this.end(group, code === 3 ? `the solver gave up: ${message}` : message);
    }
    return true;
  }

  stop(): void {
    this.sim?.dispose();
    this.sim = null;
    this.at = this.groups.length;
  }

  private end(group: Group, reason: string): void {
    const found = verdictsOf(this.sim?.checks() ?? []);
    const at = this.sim?.time ?? 0;
    for (const i of group.indices) this.verdicts[i] = found.get(i) ?? { passed: false, at, values: {}, reason };
    this.sim?.dispose();
    this.sim = null;
    this.at += 1;
  }
}
