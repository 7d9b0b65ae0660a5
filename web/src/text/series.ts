// The history of a run: time and every probe column, kept column by column for the plots, and as CSV; and of the run
// before it, with other values, to be compared.

import type { Column } from '@tendril/engine';

/** A run that ends sooner than this after its start [ms] was not looked at: a slider is being drawn. */
const glimpse = 500;

/** A history that grows no more. */
export interface PastRun {
  times: Float64Array;
  columns: Float64Array[];
}

export class Series {
  private data: Float64Array[];
  private room = 256;
  length = 0;
  /** The last run with other values that somebody can have looked at. */
  before: PastRun | null = null;
  private changed = false;
  private begun: number;

  /** `follows`: the history of what was run until now; with the same columns it is the run before. `now`: wall clock [ms]. */
  constructor(
    readonly columns: string[],
    follows: Series | null = null,
    now = performance.now(),
  ) {
    this.data = Array.from({ length: columns.length + 1 }, () => new Float64Array(this.room));
    this.begun = now;
    if (follows && follows.columns.join() === columns.join()) this.before = follows.past(now) ?? follows.before;
  }

  /** A value was set: the next start is of another run. */
  valuesChanged(): void {
    this.changed = true;
  }

  /** The run starts again. */
  startAgain(now = performance.now()): void {
    if (this.changed) this.before = this.past(now) ?? this.before;
    this.changed = false;
    this.begun = now;
    this.clear();
  }

  private past(now: number): PastRun | null {
    if (this.length < 2 || now - this.begun < glimpse) return null;
    return { times: this.times().slice(), columns: this.columns.map((_, i) => this.column(i).slice()) };
  }

  /** Rows one after the other, each the time and then every column. */
  append(rows: Float64Array): void {
    const width = this.data.length;
    const count = Math.floor(rows.length / width);
    this.reserve(this.length + count);
    for (let c = 0; c < width; ++c) {
      const column = this.data[c];
      for (let r = 0; r < count; ++r) column[this.length + r] = rows[r * width + c];
    }
    this.length += count;
  }

  clear(): void {
    this.length = 0;
  }

  /** Forgets everything after `time`: the run went back there. */
  cutAfter(time: number): void {
    while (this.length > 0 && this.data[0][this.length - 1] > time) --this.length;
  }

  times(): Float64Array {
    return this.data[0].subarray(0, this.length);
  }

  column(index: number): Float64Array {
    return this.data[index + 1].subarray(0, this.length);
  }

  last(index: number): number {
    return this.length > 0 ? this.data[index + 1][this.length - 1] : Number.NaN;
  }

  csv(): string {
    const lines = [['t', ...this.columns].join(',')];
    for (let r = 0; r < this.length; ++r) lines.push(this.data.map((column) => String(column[r])).join(','));
    return `${lines.join('\n')}\n`;
  }

  private reserve(rows: number): void {
    if (rows <= this.room) return;
    while (this.room < rows) this.room *= 2;
    this.data = this.data.map((old) => {
      const grown = new Float64Array(this.room);
      grown.set(old.subarray(0, this.length));
      return grown;
    });
  }
}

export interface Group {
  title: string;
  /** Column indices and their short labels within the group. */
  members: { index: number; label: string }[];
  unit: string;
  /** A word for what is measured, or "". */
  quantity: string;
  energy: boolean;
}

/** Energies that are never negative, in the order in which an energy budget stacks them. */
const stacked = ['kinetic', 'stretch', 'membrane', 'bend', 'twist', 'hinge', 'contact'];

/** Which members of a group make a stack, from its ground up; none where fewer than two could. */
export function stackOf({ members }: Group, looks: Column[]): number[] {
  const kindOf = (member: number): string => looks[members[member].index].energy;
  const found = members.map((_, i) => i).filter((i) => stacked.includes(kindOf(i)));
  const once = found.filter((i) => found.find((j) => kindOf(j) === kindOf(i)) === i);
  once.sort((a, b) => stacked.indexOf(kindOf(a)) - stacked.indexOf(kindOf(b)));
  return once.length > 1 ? once : [];
}

/** Columns of one probe share a plot; all energies (unit J) share one. What is hidden has none. */
export function groups(columns: string[], looks: Column[]): Group[] {
  const found = new Map<string, Group>();
  columns.forEach((column, index) => {
    const { unit, quantity, label: called, hidden } = looks[index];
    if (hidden) return;
    const energy = unit === 'J';
    const dot = column.indexOf('.');
    const stem = dot < 0 ? column : column.slice(0, dot);
    const title = energy ? 'Energy' : called || stem;
    const key = energy ? ' energy' : `${stem} ${unit}`;
    const part = dot < 0 ? '' : column.slice(dot + 1);
    const label = energy ? called || column : part || called || column;
    const group = found.get(key) ?? { title, members: [], unit, quantity: energy ? 'energy' : quantity, energy };
    group.members.push({ index, label });
    found.set(key, group);
  });
  return [...found.values()].sort((a, b) => Number(a.energy) - Number(b.energy));
}

/** Which columns get a line: a coordinate that has never been anything but zero does not, beside others that have. */
export function linesOf({ members }: Group, columns: Float64Array[]): boolean[] {
  const isPlace = members.every(({ label }) => /^[xyz]$/.test(label));
  const lives = columns.map((column) => !isPlace || column.length < 2 || column.some(Boolean));
  return lives.some(Boolean) ? lives : lives.map(() => true);
}
