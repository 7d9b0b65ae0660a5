// Keys that play a scene (`view.keys`): while one is held, the parameters that it names have its values; let go, they
// have those of a key that is still held, or their own again.

export const playKeys = ['space', 'left', 'right', 'up', 'down'] as const;
export type PlayKey = (typeof playKeys)[number];
export type Bindings = Partial<Record<PlayKey, Record<string, number>>>;

/** What `view.keys` says about parameters that act at once; others would start the run again with every touch. */
export function bindingsOf(asked: unknown, parameters: { name: string; live: boolean; derived: boolean }[]): Bindings {
  const found: Bindings = {};
  if (typeof asked !== 'object' || asked === null) return found;
  for (const key of playKeys) {
    const values = (asked as Record<string, unknown>)[key];
    if (typeof values !== 'object' || values === null) continue;
    const usable = Object.entries(values).filter(
      ([name, value]) => typeof value === 'number' && parameters.some((p) => p.name === name && p.live && !p.derived),
    );
    if (usable.length > 0) found[key] = Object.fromEntries(usable);
  }
  return found;
}

export class HeldKeys {
  private held: PlayKey[] = [];

  /** `own`: a parameter's value while no key holds it. */
  constructor(
    readonly bindings: Bindings,
    private readonly own: (name: string) => number | undefined,
    private readonly send: (name: string, value: number) => void,
  ) {}

  has(key: PlayKey): boolean {
    return this.bindings[key] !== undefined;
  }

  holds(key: PlayKey): boolean {
    return this.held.includes(key);
  }

  press(key: PlayKey): void {
    if (!this.has(key) || this.holds(key)) return;
    this.held.push(key);
    this.act(key);
  }

  release(key: PlayKey): void {
    if (!this.holds(key)) return;
    this.held = this.held.filter((one) => one !== key);
    this.act(key);
  }

  releaseAll(): void {
    for (const key of [...this.held]) this.release(key);
  }

  /** The parameters that a key names get the values that they have now: the last key pressed counts. */
  private act(key: PlayKey): void {
    for (const name of Object.keys(this.bindings[key] ?? {})) {
      const last = this.held.findLast((one) => this.bindings[one]?.[name] !== undefined);
      const value = last ? this.bindings[last]?.[name] : this.own(name);
      if (value !== undefined) this.send(name, value);
    }
  }
}
