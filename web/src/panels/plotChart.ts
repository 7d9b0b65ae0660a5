// One chart: lines over time on canvas with titled axes, the run before in gray, and a line at the cursor's time.
import uPlot from 'uplot';
import sheetText from 'uplot/dist/uPlot.min.css?inline';
import {
  axisTexts,
  axisTitle,
  extent,
  padded,
  sinceStart,
  smallChanges,
  stackUp,
  thinned,
  timeSpan,
  timeTexts,
  withGaps,
} from '../text/plotting';
import type { Group, PastRun, Series } from '../text/series';
import { clock } from '../text/units';
import { h } from '../ui/dom';
import { theme } from '../ui/theme';
import { lineColor } from '../view/colormap';

// With the code that needs it: a sheet in a file of its own could fail alone, and would not be asked for again.
const sheet = new CSSStyleSheet();
sheet.replaceSync(sheetText);
document.adoptedStyleSheets.push(sheet);

/** What a run is like that all charts of a scene share. */
export interface RunLook {
  static: boolean;
  /** [s] */
  duration: number;
}

/** Pixels of a character of the axes, on average, per pixel of their font. */
const characterWidth = 0.55;

const noMouse = (): null => null;

/** A time as readers know it; of a static scene the load. */
export function momentWords(time: number, { static: isStatic, duration }: RunLook): string {
  return isStatic ? `load ${Math.round((100 * time) / (duration || 1))} %` : clock(time, duration);
}

/** Round distances of ticks for a span, from a thousandth of it on. */
function stepsOf(span: number): number[] {
  const top = Math.floor(Math.log10(span > 0 && Number.isFinite(span) ? span : 1));
  return [-3, -2, -1, 0, 1].flatMap((below) => [1, 2, 2.5, 5].map((lead) => Number(`${lead}e${top + below}`)));
}

export class PlotChart {
  private chart: uPlot | null = null;
  private readonly tag = h('span', { class: 'plot-time' });
  private units = { x: '', y: '' };
  private before: PastRun | null = null;
  private gray: { points: [number, number][]; extent: [number, number] }[] = [];
  private small = false;
  private series: Series | null = null;
  private drawn: Float64Array[] = [];

  constructor(
    private readonly holder: HTMLElement,
    private readonly group: Group,
    private readonly stack: number[],
    private readonly run: RunLook,
    private readonly size: { height: () => number; font: number },
  ) {}

  /** Gives whether the changes since the start are shown instead of the values. */
  draw(series: Series, shown: boolean[]): boolean {
    this.chart ??= this.make();
    const { chart } = this;
    this.series = series;
    const columns = this.group.members.map(({ index }) => series.column(index));
    const small = this.stack.length === 0 && columns.length > 1 && smallChanges(columns);
    this.drawn = this.transformed(columns, small);
    shown.forEach((show, i) => {
      if (chart.series[i + 1].show !== show) chart.setSeries(i + 1, { show });
    });
    if (series.before !== this.before || small !== this.small) this.grayOf(series.before, small);
    chart.setData([series.times(), ...this.drawn.map(withGaps)] as unknown as uPlot.AlignedData);
    return small;
  }

  /** Marks the row, or takes the mark away (-1). */
  mark(row: number): void {
    const { chart, series, tag } = this;
    if (!chart || !series) return;
    const time = row < 0 ? Number.NaN : series.times()[row];
    tag.hidden = Number.isNaN(time);
    if (tag.hidden) {
      chart.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    const left = chart.valToPos(time, 'x');
    chart.setCursor({ left, top: 0 }, false);
    tag.textContent = momentWords(time, this.run);
    const half = tag.offsetWidth / 2;
    const wide = chart.over.clientWidth;
    tag.style.left = `${Math.min(Math.max(left, half), Math.max(half, wide - half))}px`;
  }

  /** The time under a place of the window, wherever it is beside the axes. */
  timeAt(clientX: number): number | null {
    const { chart } = this;
    if (!chart) return null;
    const { left, width } = chart.over.getBoundingClientRect();
    return chart.posToVal(Math.min(Math.max(clientX - left, 0), width), 'x');
  }

  resize(): void {
    const { chart, holder } = this;
    if (chart && holder.clientWidth > 0) chart.setSize({ width: holder.clientWidth, height: this.size.height() });
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
  }

  private transformed(columns: Float64Array[], small: boolean): Float64Array[] {
    if (this.stack.length > 0) return stackUp(columns, this.stack);
    return small ? columns.map(sinceStart) : columns;
  }

  private grayOf(before: PastRun | null, small: boolean): void {
    this.before = before;
    this.small = small;
    const columns = before ? this.group.members.map(({ index }) => before.columns[index]) : [];
    const drawn = before ? this.transformed(columns, small) : [];
    this.gray = drawn.map((column) => ({ points: thinned(before?.times ?? column, column), extent: extent(column) }));
  }

  private make(): uPlot {
    const colors = theme();
    const { group, stack, holder, size } = this;
    const font = `${size.font}px system-ui, sans-serif`;
    const axis = { stroke: colors.faint, font, labelFont: font, labelGap: 0, ticks: { show: false } };
    const grid = { stroke: colors.line, width: 1 };
    const line = size.font + 4;
    const options: uPlot.Options = {
      width: Math.max(120, holder.clientWidth),
      height: size.height(),
      padding: [8, 14, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { size: 6 },
        drag: { x: false, y: false },
        bind: {
          mousedown: noMouse,
          mouseup: noMouse,
          mousemove: noMouse,
          mouseleave: noMouse,
          mouseenter: noMouse,
          click: noMouse,
          dblclick: noMouse,
        },
      },
      scales: {
        x: {
          time: false,
          range: () => timeSpan(this.series?.times() ?? [], this.run.duration, this.before?.times),
        },
        y: { range: () => this.range() },
      },
      series: [
        {},
        ...group.members.map(({ label }, i) => ({
          label,
          stroke: lineColor(i),
          width: 1.5,
          points: { show: false },
          // On whole pixels a gentle slope is a staircase.
          pxAlign: 0,
          ...(i === stack[0] ? { fill: bandColor(i), fillTo: 0 } : {}),
        })),
      ],
      bands: stack.slice(1).map((member, k) => ({ series: [member + 1, stack[k] + 1], fill: bandColor(member) })),
      hooks: { drawAxes: [(chart) => this.drawGray(chart, colors.past)] },
      axes: [
        {
          ...axis,
          grid,
          size: line + 8,
          labelSize: line,
          space: 60,
          label: () => axisTitle(this.run.static ? 'load' : 'time', this.units.x, 40),
          values: (_, ticks) => {
            const texts = this.run.static ? this.loadTexts(ticks) : timeTexts(ticks);
            this.units.x = texts.unit;
            return texts.ticks;
          },
        },
        {
          ...axis,
          grid,
          size: 4 * size.font,
          labelSize: line,
          space: 28,
          // uPlot's own steps end at 10^±16.
          incrs: (_, __, low, high) => stepsOf(high - low),
          label: (chart) => this.yTitle(chart),
          values: (_, ticks) => {
            const texts = axisTexts(ticks, group.unit);
            this.units.y = texts.unit;
            return texts.ticks;
          },
        },
      ],
    };
    const chart = new uPlot(options, undefined, holder);
    this.tag.hidden = true;
    chart.over.append(this.tag);
    return chart;
  }

  private yTitle(chart: uPlot): string {
    const { quantity: measured, title } = this.group;
    const words = (this.small ? 'change of ' : '') + (measured || title);
    const room = chart.over.clientHeight / (characterWidth * this.size.font);
    return axisTitle(words, this.units.y, room, this.small ? 'change' : '');
  }

  private loadTexts(ticks: number[]): { ticks: string[]; unit: string } {
    const whole = this.run.duration || 1;
    return {
      ticks: axisTexts(
        ticks.map((t) => (100 * t) / whole),
        '',
      ).ticks,
      unit: '%',
    };
  }

  /** Of all lines in sight, those of the run before included. */
  private range(): [number, number] {
    const { chart, stack } = this;
    let low = stack.length > 0 ? 0 : Infinity;
    let high = -Infinity;
    const take = ([least, most]: [number, number]): void => {
      low = Math.min(low, least);
      high = Math.max(high, most);
    };
    this.drawn.forEach((column, i) => {
      if (chart?.series[i + 1].show === false) return;
      take(extent(column));
      if (this.gray[i]) take(this.gray[i].extent);
    });
    return padded(low, high);
  }

  private drawGray(chart: uPlot, color: string): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    this.gray.forEach(({ points }, i) => {
      if (!chart.series[i + 1].show) return;
      ctx.beginPath();
      let pen = false;
      for (const [time, value] of points) {
        if (!Number.isFinite(value)) {
          pen = false;
          continue;
        }
        const x = chart.valToPos(time, 'x', true);
        const y = chart.valToPos(value, 'y', true);
        if (pen) ctx.lineTo(x, y);
        else ctx.moveTo(x, y);
        pen = true;
      }
      ctx.stroke();
    });
    ctx.restore();
  }
}

function bandColor(index: number): string {
  return `${lineColor(index)}40`;
}
