// The history of a run: time and every probe column, kept column by column for the plots, and as CSV.

export class Series {
  private data: Float64Array[];
  private room = 256;
  length = 0;

  constructor(readonly columns: string[]) {
    this.data = Array.from({ length: columns.length + 1 }, () => new Float64Array(this.room));
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
  energy: boolean;
}

/** Energies that are never negative, in the order in which an energy budget stacks them. */
const stacked = ['kinetic', 'stretch', 'membrane', 'bend', 'twist', 'hinge', 'contact'];

/** Which members of a group make a stack, from its ground up; none where fewer than two could. `energies`: per column. */
export function stackOf({ members }: Group, energies: string[]): number[] {
  const kindOf = (member: number): string => energies[members[member].index] ?? '';
  const found = members.map((_, i) => i).filter((i) => stacked.includes(kindOf(i)));
  const once = found.filter((i) => found.find((j) => kindOf(j) === kindOf(i)) === i);
  once.sort((a, b) => stacked.indexOf(kindOf(a)) - stacked.indexOf(kindOf(b)));
  return once.length > 1 ? once : [];
}

/** The columns with those of the stack each on top of the one before. */
export function stackUp(columns: Float64Array[], stack: number[]): Float64Array[] {
  const out = [...columns];
  for (let k = 1; k < stack.length; ++k) {
    const below = out[stack[k - 1]];
    out[stack[k]] = columns[stack[k]].map((value, r) => value + below[r]);
  }
  return out;
}

/** Columns of one probe share a plot; all energies (unit J) share one. */
export function groups(columns: string[], units: string[]): Group[] {
  const found = new Map<string, Group>();
  columns.forEach((column, index) => {
    const energy = units[index] === 'J';
    const dot = column.indexOf('.');
    const stem = dot < 0 ? column : column.slice(0, dot);
    const title = energy ? 'Energy' : stem;
    const key = energy ? ' energy' : `${stem} ${units[index]}`;
    const label = energy || dot < 0 ? column : column.slice(dot + 1);
    const group = found.get(key) ?? { title, members: [], unit: units[index], energy };
    group.members.push({ index, label });
    found.set(key, group);
  });
  return [...found.values()].sort((a, b) => Number(a.energy) - Number(b.energy));
}

/** From the first row to the last; one row alone has no span of its own and gets that of the whole run. */
export function timeSpan(times: ArrayLike<number>, duration: number): [number, number] {
  const low = times.length > 0 ? times[0] : 0;
  const high = times.length > 0 ? times[times.length - 1] : 0;
  return high > low ? [low, high] : [low, low + (duration > 0 ? duration : 1)];
}

/** Which columns get a line: a coordinate that has never been anything but zero does not, beside others that have. */
export function linesOf({ members }: Group, columns: Float64Array[]): boolean[] {
  const isPlace = members.every(({ label }) => /^[xyz]$/.test(label));
  const lives = columns.map((column) => !isPlace || column.length < 2 || column.some(Boolean));
  return lives.some(Boolean) ? lives : lives.map(() => true);
}
