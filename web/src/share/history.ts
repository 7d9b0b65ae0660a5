// Undo and redo over what a person can change in a scene: its text and its parameter values.

export interface Version {
  text: string;
  set: Record<string, number>;
  /** Differs from the version before it by an obstacle that was dragged. */
  moved?: boolean;
}

/** Changes of one slider within this time are one [ms]. */
const mergeWithin = 800;

export class History {
  private past: Version[] = [];
  private future: Version[] = [];
  private lastKey = '';
  private lastAt = -Infinity;

  constructor(private readonly most = 100) {}

  get canUndo(): boolean {
    return this.past.length > 1;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  get present(): Version | undefined {
    return this.past.at(-1);
  }

  /** What undo and redo would bring. */
  get previous(): Version | undefined {
    return this.past.at(-2);
  }

  get next(): Version | undefined {
    return this.future.at(-1);
  }

  /** The present version; `key` names what changed, so that a slider's drag becomes one entry, however long it is `held`. */
  record(version: Version, key: string, now: number, held?: boolean): void {
    const soon = held || now - this.lastAt < mergeWithin;
    const merge = key !== '' && key === this.lastKey && soon && this.past.length > 1;
    if (merge) this.past.pop();
    this.past.push(version);
    if (this.past.length > this.most) this.past.shift();
    this.future = [];
    this.lastKey = key;
    this.lastAt = now;
  }

  /** The present version turned out otherwise; the same as the one before it, it is none. */
  amend(version: Version): void {
    this.past.pop();
    const before = this.past[this.past.length - 1];
    if (!before || JSON.stringify(before) !== JSON.stringify(version)) this.past.push(version);
    this.lastKey = '';
  }

  undo(): Version | null {
    if (!this.canUndo) return null;
    this.future.push(this.past.pop() as Version);
    this.lastKey = '';
    return this.past[this.past.length - 1];
  }

  redo(): Version | null {
    const version = this.future.pop();
    if (!version) return null;
    this.past.push(version);
    this.lastKey = '';
    return version;
  }
}
