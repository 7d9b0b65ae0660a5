// Live plots of the probes: one per probe, one for all energies. Those far down the panel start closed.
import type { SceneInfo } from '@tendril/engine';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Group, groups, linesOf, type Series, stackOf, stackUp, timeSpan } from '../text/series';
import { plain, prettyUnit, scaleFor, together } from '../text/units';
import { h } from '../ui/dom';
import { onThemeChange, theme } from '../ui/theme';
import { lineColor } from '../view/colormap';

/** Plots that are open at first. */
const openAtFirst = 4;
const height = 132;
const refreshEvery = 90;

interface Plot {
  group: Group;
  /** Members that are stacked as bands, from the ground up; the others are lines. */
  stack: number[];
  box: HTMLDetailsElement;
  holder: HTMLElement;
  values: HTMLElement[];
  /** Which members have a line: those that are nothing but zero beside others have none. */
  drawn: boolean[];
  note: HTMLElement;
  chart: uPlot | null;
}

export class Plots {
  readonly element = h('div', { class: 'plots' });
  private plots: Plot[] = [];
  private series: Series | null = null;
  /** Of the run [s], for the axes of a run that stands at its start. */
  duration = 1;
  private isStatic = false;
  private lastDrawn = 0;
  private pending = 0;

  constructor() {
    new ResizeObserver(() => this.resize()).observe(this.element);
    onThemeChange(() => this.rebuild());
  }

  setScene(
    series: Series,
    units: string[],
    energies: string[],
    { static: isStatic, duration }: Pick<SceneInfo, 'static' | 'duration'>,
  ): void {
    this.destroy();
    this.series = series;
    this.isStatic = isStatic;
    this.duration = duration;
    this.plots = groups(series.columns, units).map((group, i) =>
      this.makePlot(group, stackOf(group, energies), i < openAtFirst),
    );
    if (this.plots.length === 0) {
      this.element.replaceChildren(
        h('p', { class: 'quiet' }, 'This scene has no probes, so there is nothing to plot.'),
      );
    } else {
      this.element.replaceChildren(...this.plots.map((plot) => plot.box));
    }
    this.draw();
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
    for (const plot of this.plots) {
      const last = plot.group.members.map(({ index }) => series.last(index));
      together(last, plot.group.unit).forEach((text, i) => {
        plot.values[i].textContent = text;
      });
      if (!plot.box.open) continue;
      plot.chart ??= this.makeChart(plot);
      const columns = plot.group.members.map(({ index }) => series.column(index));
      this.showLines(plot, columns);
      const stacks = plot.stack.length > 0;
      const small = !stacks && columns.length > 1 && smallChanges(columns);
      plot.note.textContent = stacks ? 'parts stacked' : small ? 'change since the start' : '';
      const drawn = stacks ? stackUp(columns, plot.stack) : small ? columns.map(sinceStart) : columns;
      const data = [series.times(), ...drawn];
      plot.chart.setData(data as unknown as uPlot.AlignedData);
    }
  }

  private showLines({ group, drawn, values, chart }: Plot, columns: Float64Array[]): void {
    linesOf(group, columns).forEach((shown, i) => {
      if (shown === drawn[i]) return;
      drawn[i] = shown;
      (values[i].parentElement as HTMLElement).hidden = !shown;
      chart?.setSeries(i + 1, { show: shown });
    });
  }

  private makePlot(group: Group, stack: number[], open: boolean): Plot {
    const holder = h('div', { class: 'plot-canvas', role: 'img' });
    const names = group.members.map((m) => m.label).join(', ');
    holder.setAttribute('aria-label', `${group.title} over time: ${names}. The table below has the present values.`);
    const values = group.members.map(() => h('span', { class: 'plot-value' }));
    const key = group.members.map(({ label }, i) => {
      const swatch = h('span', { class: 'swatch' });
      swatch.style.background = lineColor(i);
      return h(
        'span',
        { class: 'plot-key' },
        swatch,
        group.members.length > 1 || group.energy ? label : null,
        values[i],
      );
    });
    const note = h('span', { class: 'plot-note' });
    const summary = h(
      'summary',
      {},
      h('span', { class: 'plot-title' }, group.title),
      note,
      h('span', { class: 'plot-keys' }, ...key),
    );
    const box = h('details', { class: 'plot', open }, summary, holder);
    const drawn = group.members.map(() => true);
    const plot: Plot = { group, stack, box, holder, values, drawn, note, chart: null };
    box.addEventListener('toggle', () => this.draw());
    return plot;
  }

  private makeChart(plot: Plot): uPlot {
    const colors = theme();
    const { group, stack, holder } = plot;
    const axis = { stroke: colors.faint, font: '11px system-ui, sans-serif', ticks: { show: false } };
    const grid = { stroke: colors.line, width: 1 };
    let scale = { factor: 1, unit: prettyUnit(group.unit) };
    const options: uPlot.Options = {
      width: Math.max(120, holder.clientWidth),
      height,
      // The last time's label stands half beyond the axis.
      padding: [8, 24, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 5 }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => timeSpan(this.series?.times() ?? [], this.duration) },
        y: { range: (_, low, high) => padded(stack.length > 0 ? Math.min(low ?? 0, 0) : low, high) },
      },
      series: [
        {},
        ...group.members.map(({ label }, i) => ({
          label,
          stroke: lineColor(i),
          width: 1.5,
          points: { show: false },
          show: plot.drawn[i],
          ...(i === stack[0] ? { fill: bandColor(i), fillTo: 0 } : {}),
        })),
      ],
      bands: stack.slice(1).map((member, k) => ({ series: [member + 1, stack[k] + 1], fill: bandColor(member) })),
      axes: [
        {
          ...axis,
          grid,
          size: 24,
          space: 60,
          values: (plot, ticks) => this.timeTicks(ticks, plot.scales.x.max ?? Infinity),
        },
        {
          ...axis,
          grid,
          size: 52,
          space: 28,
          values: (_, ticks) => {
            scale = scaleFor(Math.max(...ticks.map(Math.abs)), group.unit);
            const gap = ticks.length > 1 ? (ticks[1] - ticks[0]) / scale.factor : 1;
            return ticks.map(
              (v, i) => `${tick(v / scale.factor, gap)}${i === ticks.length - 1 && scale.unit ? ` ${scale.unit}` : ''}`,
            );
          },
        },
      ],
    };
    return new uPlot(options, undefined, holder);
  }

  /** The last tick in sight carries the unit. */
  private timeTicks(ticks: number[], end: number): string[] {
    if (this.isStatic) return ticks.map((t) => plain(t, 2));
    const last = ticks.findLastIndex((t) => t <= end);
    const scale = scaleFor(ticks[last] ?? 1, 's');
    const use = scale.factor >= 1 ? { factor: 1, unit: 's' } : scale;
    const gap = ticks.length > 1 ? (ticks[1] - ticks[0]) / use.factor : 1;
    return ticks.map((t, i) => `${tick(t / use.factor, gap)}${i === last ? ` ${use.unit}` : ''}`);
  }

  private resize(): void {
    for (const { chart, holder } of this.plots) {
      if (chart && holder.clientWidth > 0) chart.setSize({ width: holder.clientWidth, height });
    }
    this.changed();
  }

  private rebuild(): void {
    for (const plot of this.plots) {
      plot.chart?.destroy();
      plot.chart = null;
    }
    this.draw();
  }

  private destroy(): void {
    for (const { chart } of this.plots) chart?.destroy();
    this.plots = [];
  }
}

function bandColor(index: number): string {
  return `${lineColor(index)}40`;
}

/** What moves is lost beside what stands far from zero: then the changes are plotted. */
function smallChanges(columns: Float64Array[]): boolean {
  let farthest = 0;
  let widest = 0;
  for (const column of columns) {
    let low = Infinity;
    let high = -Infinity;
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    farthest = Math.max(farthest, Math.abs(low), Math.abs(high));
    widest = Math.max(widest, high - low);
  }
  return widest > 1e-9 * farthest && farthest > 20 * widest && Number.isFinite(farthest);
}

function sinceStart(column: Float64Array): Float64Array {
  return column.map((value) => value - column[0]);
}

/** A flat line gets room, and so does round-off around zero; others a little air above and below. */
function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest < 1e-12) return [-1, 1];
  const least = largest * 1e-6;
  if (high - low <= least) {
    const room = Math.max(Math.abs(high) * 0.1, 1e-9);
    return [low - room, high + room];
  }
  const air = 0.08 * (high - low);
  return [low - air, high + air];
}

/** Enough decimals for ticks that lie `gap` apart. */
function tick(value: number, gap: number): string {
  let decimals = 0;
  const step = Math.abs(gap) || 1;
  while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) ++decimals;
  const text = Math.abs(value) < step * 1e-6 ? '0' : value.toFixed(decimals);
  return text.replace('-', '−');
}
