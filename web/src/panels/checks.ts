// The scene's checks: what passed, what failed and by which numbers, what is not decided yet, and the points. The run
// on screen decides those without parameters of their own; "Run all checks" decides all, as grading does.
import type { Check, Parameter } from '@tendril/engine';
import type { CheckProgress, Verdict } from '../engine/checkRuns';
import { valueWords } from '../text/tries';
import { entry, quantity } from '../text/units';
import { h } from '../ui/dom';

export interface ChecksEvents {
  runAll(): void;
  stop(): void;
}

export class Checks {
  readonly element: HTMLElement;
  private readonly list = h('ul', { class: 'checks', id: 'checks' });
  private readonly sum = h('span', { class: 'checks-sum', id: 'checks-sum', role: 'status' });
  private readonly button = h('button', { type: 'button', id: 'run-checks' }, 'Run all checks');
  private readonly note = h('p', { class: 'quiet' });
  private items: Check[] = [];
  private verdicts: (Verdict | null)[] = [];
  /** Unit of each column by name. */
  private units: Record<string, string> = {};
  private parameters: Parameter[] = [];
  private running = false;
  /** All were run, and nothing changed since: what the run on screen says is no news. */
  private whole = false;
  /** The run on screen was pulled by hand. */
  private pulled = false;

  constructor(events: ChecksEvents) {
    this.button.addEventListener('click', () => (this.running ? events.stop() : events.runAll()));
    const foot = h('div', { class: 'checks-foot' }, this.button, this.note);
    const head = h('summary', { id: 'checks-head' }, h('strong', {}, 'Checks '), this.sum);
    this.element = h('details', { class: 'checks-box' }, head, this.list, foot);
    this.element.hidden = true;
  }

  setScene(items: Check[], units: Record<string, string>, parameters: Parameter[]): void {
    Object.assign(this, { items, units, parameters });
    this.element.hidden = items.length === 0;
    this.forget();
  }

  /** Someone pulls at the run on screen: what it does is no more the scene's alone. */
  pull(): void {
    if (this.pulled) return;
    this.pulled = true;
    this.setProgress(this.running, 0, 0);
  }

  /** The run starts anew, with nobody's hand in it. */
  leave(): void {
    if (!this.pulled) return;
    this.pulled = false;
    this.setProgress(this.running, 0, 0);
  }

  /** Something changed, so what was decided before says nothing now. */
  forget(): void {
    this.verdicts = this.items.map(() => null);
    this.whole = false;
    this.setProgress(false, 0, 0);
    this.show();
  }

  /** Verdicts of the run on screen; those of other runs stay. */
  showRun(verdicts: (Verdict | null)[]): void {
    if (this.running || this.whole) return;
    this.verdicts = this.items.map((item, i) => verdicts[i] ?? (item.with ? this.verdicts[i] : null));
    this.show();
  }

  /** Verdicts of fresh runs. */
  showAll({ verdicts, running, done, total }: CheckProgress): void {
    this.verdicts = verdicts;
    this.whole = !running && done === total;
    this.setProgress(running, done, total);
    this.show();
  }

  private setProgress(running: boolean, done: number, total: number): void {
    this.running = running;
    this.button.textContent = running ? 'Stop' : 'Run all checks';
    const own = this.items.some((item) => item.with);
    const hand = 'This run was pulled: "Run all checks" judges the scene alone.';
    const rest =
      this.pulled && !this.whole ? hand : own ? 'Some checks need a run of their own, with other values.' : '';
    this.note.textContent = running ? `run ${done + 1} of ${total}…` : rest;
  }

  private show(): void {
    const points = (list: Check[]): number => list.reduce((total, item) => total + item.points, 0);
    const passed = this.items.filter((_, i) => this.verdicts[i]?.passed);
    const open = this.items.filter((_, i) => !this.verdicts[i]).length;
    const all = points(this.items);
    const worth = `${entry(all, '')} ${all === 1 ? 'point' : 'points'}`;
    const failed = this.items.length - passed.length - open;
    const rest = open > 0 ? `${failed > 0 ? `, ${failed} failed` : ''}, ${open} not run yet` : '';
    // What was not run has not failed.
    this.sum.textContent =
      open === this.items.length
        ? `${open}, not run yet: ${worth}`
        : `${passed.length} of ${this.items.length} passed${rest}: ${entry(points(passed), '')} of ${worth}`;
    this.list.replaceChildren(...this.items.map((item, i) => this.row(item, this.verdicts[i])));
  }

  private row(item: Check, verdict: Verdict | null): HTMLElement {
    const state = verdict === null ? 'open' : verdict.passed ? 'passed' : 'failed';
    const words = { open: 'not run yet', passed: 'passed', failed: 'failed' }[state];
    const sign = { open: '○', passed: '✓', failed: '✗' }[state];
    const unit = (name: string): string =>
      this.units[name] ?? this.parameters.find((one) => one.name === name)?.unit ?? '';
    const given = Object.entries(item.with ?? {}).map(([name, value]) => valueWords(name, value, this.parameters));
    const seen = Object.entries(verdict?.values ?? {}).map(
      ([name, value]) => `${name} = ${quantity(value, unit(name), 5)}`,
    );
    const why = verdict && !verdict.passed ? verdict.reason || seen.join(', ') : '';
    const found = verdict?.passed ? seen.join(', ') : '';
    return h(
      'li',
      { class: state },
      h('span', { class: 'verdict', title: words, aria: { hidden: 'true' } }, sign),
      h(
        'span',
        { class: 'check-words' },
        h('span', { class: 'sr-only' }, `${words}: `),
        item.title,
        given.length > 0 ? h('small', { class: 'quiet check-values' }, `with ${given.join(', ')}`) : null,
        found ? h('small', { class: 'quiet check-values' }, found) : null,
        why ? h('small', { class: 'check-why' }, why) : null,
      ),
      h('span', { class: 'quiet check-points' }, `${entry(item.points, '')} ${item.points === 1 ? 'point' : 'points'}`),
    );
  }
}
