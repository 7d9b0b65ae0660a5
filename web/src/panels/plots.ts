// Live plots of the probes: one per probe, one for all energies. Those far down the panel start closed.
// They share a cursor: where it is, each shows its values; a double click shows one plot large.
import type { Column } from '@tendril/engine';
import { groups, type Series, stackOf } from '../text/series';
import { h, iconButton } from '../ui/dom';
import { onThemeChange } from '../ui/theme';
import { Plot } from './plot';
import type { RunLook } from './plotChart';
import { PlotCursor } from './plotCursor';
import { PlotDialog } from './plotDialog';

/** Plots that are open at first. */
const openAtFirst = 4;
const height = 150;
const refreshEvery = 90;

interface Entry {
  plot: Plot;
  box: HTMLDetailsElement;
}

export class Plots {
  readonly element = h('div', { class: 'plots' });
  readonly cursor: PlotCursor;
  private readonly dialog = new PlotDialog();
  private readonly comparison = h('p', { class: 'quiet' }, 'Gray: the run before, with other values.');
  private entries: Entry[] = [];
  private series: Series | null = null;
  private run: RunLook = { static: false, duration: 1 };
  private lastDrawn = 0;
  private pending = 0;

  /** `marked`: the cursor's time, or null where there is none. */
  constructor(marked: (time: number | null) => void) {
    this.cursor = new PlotCursor((time) => {
      for (const plot of this.inSight()) plot.read();
      marked(time);
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
    new ResizeObserver(() => this.dialog.plot?.resize()).observe(this.dialog.element);
    onThemeChange(() => this.rebuild());
    // A finger that taps elsewhere is done with reading.
    document.addEventListener('pointerdown', ({ target, pointerType }) => {
      if (pointerType !== 'mouse' && !(target as HTMLElement).closest('.plot-canvas')) this.cursor.set(null);
    });
  }

  setScene(series: Series, looks: Column[], run: RunLook): void {
    this.destroy();
    this.cursor.set(null);
    this.series = series;
    this.run = { static: run.static, duration: run.duration };
    this.entries = groups(series.columns, looks).map((group, i) => {
      const stack = stackOf(group, looks);
      const more = (): void => this.dialog.show(group, stack, this.run, this.cursor, series);
      const options = { height: () => height, font: 11, large: false, more };
      return this.makeEntry(new Plot(group, stack, this.run, this.cursor, options), more, i < openAtFirst);
    });
    const nothing =
      series.columns.length === 0
        ? 'This scene has no probes, so there is nothing to plot.'
        : 'This scene hides its probes from the plots; the table of values has them.';
    if (this.entries.length === 0) this.element.replaceChildren(h('p', { class: 'quiet' }, nothing));
    else this.element.replaceChildren(this.dialog.element, this.comparison, ...this.entries.map(({ box }) => box));
    this.draw();
  }

  /** Of the run [s], for the axes of a run that stands at its start. */
  set duration(duration: number) {
    this.run.duration = duration;
  }

  /** The series has grown; drawn soon, not at once. */
  changed(): void {
    if (this.pending) return;
    const wait = Math.max(0, this.lastDrawn + refreshEvery - performance.now());
    this.pending = window.setTimeout(() => {
      this.pending = 0;
      requestAnimationFrame(() => this.draw());
    }, wait);
  }

  private draw(): void {
    this.lastDrawn = performance.now();
    const { series } = this;
    if (!series || this.element.offsetParent === null) return;
    this.comparison.hidden = series.before === null;
    this.cursor.follow();
    for (const { plot, box } of this.entries) plot.draw(series, box.open);
    this.dialog.plot?.draw(series, true);
  }

  private inSight(): Plot[] {
    const small = this.element.offsetParent === null ? [] : this.entries.map(({ plot }) => plot);
    return this.dialog.plot ? [...small, this.dialog.plot] : small;
  }

  private makeEntry(plot: Plot, more: () => void, open: boolean): Entry {
    const enlarge = iconButton('enlarge', `Enlarge ${plot.group.title}`, more, 'plot-more');
    const box = h(
      'details',
      { class: 'plot', open },
      h('summary', {}, plot.title, plot.note, plot.keys),
      h('div', { class: 'plot-body' }, plot.holder, enlarge),
    );
    box.addEventListener('toggle', () => this.draw());
    return { plot, box };
  }

  private resize(): void {
    for (const { plot } of this.entries) plot.resize();
    this.changed();
  }

  private rebuild(): void {
    for (const { plot } of this.entries) plot.destroy();
    this.dialog.plot?.destroy();
    this.draw();
  }

  private destroy(): void {
    this.dialog.element.close();
    for (const { plot } of this.entries) plot.destroy();
    this.entries = [];
  }
}
