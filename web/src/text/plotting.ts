// What a plot makes of numbers before it draws them: which rows, which range, which ticks, which words.
import { powerOfTen, prettyUnit, scaleFor } from './units';

/** The columns with those of the stack each on top of the one before. */
export function stackUp(columns: Float64Array[], stack: number[]): Float64Array[] {
  const out = [...columns];
  for (let k = 1; k < stack.length; ++k) {
    const below = out[stack[k - 1]];
    out[stack[k]] = columns[stack[k]].map((value, r) => value + below[r]);
  }
  return out;
}

/** What moves is lost beside what stands far from zero: then the changes are plotted. */
export function smallChanges(columns: Float64Array[]): boolean {
  let farthest = 0;
  let widest = 0;
  for (const column of columns) {
    const [low, high] = extent(column);
    farthest = Math.max(farthest, Math.abs(low), Math.abs(high));
    widest = Math.max(widest, high - low);
  }
  return widest > 1e-9 * farthest && farthest > 20 * widest && Number.isFinite(farthest);
}

export function sinceStart(column: Float64Array): Float64Array {
  return column.map((value) => value - column[0]);
}

/** Least and largest number, infinite where there is none. */
export function extent(column: ArrayLike<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < column.length; ++i) {
    if (column[i] < low) low = column[i];
    if (column[i] > high) high = column[i];
  }
  return [low, high];
}

/**
 * From the first row to the last, those of the run before included; one row alone has no span of its own and gets that
 * of the whole run.
 */
export function timeSpan(times: ArrayLike<number>, duration: number, before: ArrayLike<number> = []): [number, number] {
  const all = [times, before].filter(({ length }) => length > 0);
  const low = all.length > 0 ? Math.min(...all.map((list) => list[0])) : 0;
  const high = all.length > 0 ? Math.max(...all.map((list) => list[list.length - 1])) : 0;
  return high > low ? [low, high] : [low, low + (duration > 0 ? duration : 1)];
}

/** The row nearest to `time`; -1 where there is none. */
export function rowNear(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return high > low && time - times[low] > times[high] - time ? high : Math.min(low, high);
}

/** A line of at most four points per bucket of time that looks the same: first, least, largest and last of each. */
export function thinned(times: Float64Array, values: Float64Array, buckets = 600): [number, number][] {
  const count = times.length;
  if (count <= 4 * buckets) return Array.from(times, (t, i) => [t, values[i]]);
  const out: [number, number][] = [];
  for (let b = 0; b < buckets; ++b) {
    const from = Math.floor((b * count) / buckets);
    const to = Math.floor(((b + 1) * count) / buckets);
    let low = from;
    let high = from;
    for (let i = from; i < to; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    const rows = [...new Set([from, low, high, to - 1])].sort((i, j) => i - j);
    for (const i of rows) out.push([times[i], values[i]]);
  }
  return out;
}

/** uPlot leaves a gap where there is null, and joins what is on both sides of a NaN. */
export function withGaps(values: Float64Array): Float64Array | (number | null)[] {
  return values.every(Number.isFinite)
    ? values
    : Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

/** A flat line gets room; others a little air above and below. */
export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest === 0) return [-1, 1];
  const least = largest * 1e-6;
  if (high - low <= least) {
    const room = largest * 0.1;
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

/** The numbers at the ticks of an axis, and its unit with the prefix that suits them. */
export interface AxisTexts {
  ticks: string[];
  unit: string;
}

export function axisTexts(ticks: number[], unit: string): AxisTexts {
  const largest = Math.max(...ticks.map(Math.abs));
  const scale = scaleFor(largest, unit);
  const large = largest / scale.factor;
  // Where no prefix fits, a power of ten stands with the unit: the numbers stay short.
  const fits = large === 0 || (large >= 1e-2 && large < 1e5);
  const power = Math.floor(Math.log10(largest * (1 + 1e-9)));
  const factor = fits ? scale.factor : Number(`1e${power}`);
  const gap = ticks.length > 1 ? (ticks[1] - ticks[0]) / factor : 1;
  const shown = fits ? scale.unit : `${powerOfTen(power)} ${prettyUnit(unit)}`.trim();
  return { ticks: ticks.map((value) => tick(value / factor, gap)), unit: shown };
}

/** Of time, seconds and below. */
export function timeTexts(ticks: number[]): AxisTexts {
  const texts = axisTexts(ticks, 's');
  if (!/^[kMGT]/.test(texts.unit)) return texts;
  const gap = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
  return { ticks: ticks.map((value) => tick(value, gap)), unit: 's' };
}

/** "position (mm)"; where `room` characters do not hold it with `brief` words, or the unit alone: the words stand over the plot. */
export function axisTitle(words: string, unit: string, room: number, brief = ''): string {
  const shown = prettyUnit(unit);
  const end = shown ? ` (${shown})` : '';
  const found = [words, brief].find((one) => one.length + end.length <= room) ?? '';
  return (found + end).trim();
}
