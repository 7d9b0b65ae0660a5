// A plot: its title, its lines' names with their values now or at the cursor, and the chart, which the pointer, a finger
// and keys can ask for values. The panel has small ones, and the dialog one that is large.
import { rowNear } from '../text/plotting';
import { plotReadings } from '../text/readings';
import { type Group, linesOf, type Series } from '../text/series';
import { h } from '../ui/dom';
import { lineColor } from '../view/colormap';
import { momentWords, PlotChart, type RunLook } from './plotChart';
import type { PlotCursor } from './plotCursor';

/** Arrow keys move the cursor by this part of the run. */
const keyStep = 1 / 50;

export class Plot {
  readonly title: HTMLElement;
  readonly note = h('span', { class: 'plot-note' });
  readonly keys: HTMLElement;
  readonly holder: HTMLElement;
  private readonly chart: PlotChart;
  private readonly values: HTMLElement[];
  private readonly past: HTMLElement[];
  private shown: boolean[];
  private series: Series | null = null;

  /** `more`: double click or Enter; `large`: values of the run before stand beside those at the cursor. */
  constructor(
    readonly group: Group,
    readonly stack: number[],
    private readonly run: RunLook,
    private readonly cursor: PlotCursor,
    private readonly options: { height: () => number; font: number; large: boolean; more: () => void },
  ) {
    this.title = h('span', { class: 'plot-title' }, group.title);
    this.values = group.members.map(() => h('span', { class: 'plot-value' }));
    this.past = group.members.map(() => h('span', { class: 'plot-past' }));
    this.shown = group.members.map(() => true);
    const named = group.members.length > 1 || group.energy;
    this.keys = h(
      'span',
      { class: 'plot-keys' },
      ...group.members.map(({ label }, i) => {
        const swatch = h('span', { class: 'swatch' });
        swatch.style.background = lineColor(i);
        return h('span', { class: 'plot-key' }, swatch, named ? label : null, this.values[i], this.past[i]);
      }),
    );
    const names = group.members.map((m) => m.label).join(', ');
    this.holder = h('div', {
      class: 'plot-canvas',
      role: 'slider',
      tabIndex: 0,
      aria: {
        label: `${group.title} over ${run.static ? 'load' : 'time'}: ${names}. Arrow keys read values, Enter enlarges.`,
        valuemin: '0',
        valuemax: '100',
        valuenow: '100',
      },
    });
    this.chart = new PlotChart(this.holder, group, stack, run, options);
    this.listen();
  }

  /** The numbers; and the chart, where it is in sight. */
  draw(series: Series, chart: boolean): void {
    this.series = series;
    const columns = this.group.members.map(({ index }) => series.column(index));
    this.shown = linesOf(this.group, columns);
    this.shown.forEach((shown, i) => {
      (this.values[i].parentElement as HTMLElement).hidden = !shown;
    });
    if (chart) {
      const small = this.chart.draw(series, this.shown);
      this.note.textContent =
        this.stack.length > 0 ? 'parts stacked' : small ? 'lines: change since the start · numbers: values' : '';
    }
    this.read();
  }

  /** The values where the cursor is, or of the last row. */
  read(): void {
    const { series } = this;
    if (!series) return;
    const { members, unit } = this.group;
    const times = series.times();
    const row = this.cursor.time === null ? -1 : rowNear(times, this.cursor.time);
    const at = row < 0 ? series.length - 1 : row;
    const values = members.map(({ index }) => (at < 0 ? Number.NaN : series.column(index)[at]));
    const past = row < 0 ? [] : this.pastAt(times[row]);
    // Before the first row there is nothing to tell.
    const texts = at < 0 ? members.map(() => '–') : plotReadings(values, past, unit);
    members.forEach((_, i) => {
      this.values[i].textContent = texts[i];
      this.past[i].textContent = past.length > 0 ? `before ${texts[members.length + i]}` : '';
    });
    this.keys.classList.toggle('at-cursor', row >= 0);
    this.chart.mark(row);
    // What has the focus is read aloud at every change.
    if (row < 0 && document.activeElement === this.holder) return;
    const part = at < 0 ? 0 : times[at] / (this.run.duration || 1);
    this.holder.setAttribute('aria-valuenow', String(Math.round(100 * Math.min(part, 1))));
    const when = at < 0 ? '' : `${momentWords(times[at], this.run)}: `;
    const words = members.map(({ label }, i) => `${label} ${texts[i]}`).filter((_, i) => this.shown[i]);
    this.holder.setAttribute('aria-valuetext', when + words.join(', '));
  }

  /** Where a mouse rests while the run goes on, the cursor stays under it. */
  timeAt(clientX: number): number | null {
    return this.chart.timeAt(clientX);
  }

  resize(): void {
    this.chart.resize();
  }

  destroy(): void {
    this.chart.destroy();
  }

  /** Values of the run before, which stand beside those at the cursor and in their unit. */
  private pastAt(time: number): number[] {
    const before = this.series?.before;
    const row = before && this.options.large ? rowNear(before.times, time) : -1;
    return before && row >= 0 ? this.group.members.map(({ index }) => before.columns[index][row]) : [];
  }

  private listen(): void {
    const { holder, cursor } = this;
    holder.addEventListener('pointermove', ({ clientX }) => cursor.point(this, clientX));
    holder.addEventListener('pointerdown', ({ clientX }) => cursor.point(this, clientX));
    holder.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse') cursor.set(null);
      else cursor.keep();
    });
    holder.addEventListener('blur', () => cursor.set(null));
    holder.addEventListener('dblclick', () => this.options.more());
    holder.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || !this.press(key)) return;
      event.preventDefault();
    });
  }

  /** Gives whether the key is one of the plot's. */
  private press(key: string): boolean {
    const { series, cursor } = this;
    const times = series?.times() ?? [];
    const last = times.length - 1;
    if (key === 'Enter') {
      this.options.more();
      return true;
    }
    if (key === 'Escape' && !this.options.large) {
      const held = cursor.time !== null;
      cursor.set(null);
      return held;
    }
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity }[key];
    if (way === undefined || last < 0) return false;
    const row = rowNear(times, cursor.time ?? times[last]);
    const step = Math.max(1, Math.round(keyStep * times.length));
    cursor.set(times[Math.min(Math.max(row + way * step, 0), last)]);
    return true;
  }
}
