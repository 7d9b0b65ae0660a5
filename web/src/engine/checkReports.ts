// What the page is told of a scene's checks: those that the run on screen has decided, and those of runs beside it.
import type { CheckRun, Engine, Simulation } from '@tendril/engine';
import { CheckRuns, verdictsOf } from './checkRuns';
import type { Reply } from './protocol';

export class CheckReports {
  /** Of the scene. */
  private all: CheckRun[] = [];
  /** How many checks were decided when the page was last told. */
  private decided = -1;
  private runs: CheckRuns | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly post: (reply: Reply) => void,
  ) {}

  get running(): boolean {
    return this.runs !== null;
  }

  setScene(all: CheckRun[]): void {
    this.stop();
    this.all = all;
  }

  /** The run on screen is another: what was told of it no longer holds. */
  again(): void {
    this.decided = -1;
  }

  send(sim: Simulation): void {
    const count = this.all.reduce((sum, { indices }) => sum + indices.length, 0);
    if (count === 0) return;
    const results = sim.checks();
    if (results.length === this.decided) return;
    this.decided = results.length;
    const found = verdictsOf(results);
    this.post({ type: 'checks', verdicts: Array.from({ length: count }, (_, i) => found.get(i) ?? null) });
  }

  start(text: string): void {
    this.stop();
    this.runs = new CheckRuns(this.engine, text, this.all);
    this.report(this.runs);
  }

  stop(): void {
    if (!this.runs) return;
    const { progress } = this.runs;
    this.runs.stop();
    this.runs = null;
    this.post({ type: 'checkRuns', ...progress, running: false });
  }

  slice(budget: number): void {
    if (this.runs?.slice(budget)) this.report(this.runs);
  }

  private report(runs: CheckRuns): void {
    this.post({ type: 'checkRuns', ...runs.progress });
    if (!runs.progress.running) this.runs = null;
  }
}
