// What a person has changed in the scene on screen: its text and the values of parameters that differ from it, with undo
// and redo over both.
import type { Parameter } from '@tendril/engine';
import { History, type Version } from './history';
import { textEdits } from './textEdits';

export interface EditsHost {
  /** Sets a parameter of the run; one that is not `live` starts it anew. A value that is refused comes back by `forget`. */
  send(name: string, value: number, live: boolean): void;
  /** A version whose text is another, or whose values only a new load can set. */
  load(version: Version): void;
  /** What undo and redo can do may be another. */
  changed(canUndo: boolean, canRedo: boolean): void;
}

export class Edits {
  /** As the run has them. */
  parameters: Parameter[] = [];
  private readonly history = new History();
  /** Parameter values that differ from the text's own, and the text's own as far as they are known. */
  private values: Record<string, number> = {};
  private base: Record<string, number> = {};
  private source = '';
  private readonly wanted = new Map<string, number>();

  constructor(private readonly host: EditsHost) {}

  get text(): string {
    return this.source;
  }

  get set(): Record<string, number> {
    return { ...this.values };
  }

  /** The text with the values that were set: what runs now, as a file. Fails where a part of the page did not arrive. */
  async asSet(): Promise<string> {
    const { text, set } = this;
    if (Object.keys(set).length === 0) return text;
    return (await textEdits.get()).withValues(text, set) ?? text;
  }

  /** What a person gave a parameter, or else the text, if that is known. */
  own(name: string): number | undefined {
    return this.values[name] ?? this.base[name];
  }

  /**
   * A scene came on screen; `again`: one of the versions that are known. `before`: it is this text with an obstacle moved,
   * so that undo leaves what else a person has changed in the text.
   */
  loaded(version: Version, parameters: Parameter[], again: boolean, before?: string): void {
    if (version.text !== this.source) this.base = {};
    const written = before !== undefined && before !== this.source;
    if (written) this.history.record({ text: before, set: { ...version.set } }, '', performance.now());
    this.source = version.text;
    this.values = { ...version.set };
    for (const { name, value } of parameters) if (!(name in this.values)) this.base[name] = value;
    this.parameters = parameters;
    const moved = before === undefined ? {} : { moved: true };
    if (!again) this.history.record({ ...this.version, ...moved }, '', performance.now());
    this.tell();
  }

  /** Slider moves are sent once per drawn frame, the newest value of each. */
  change(name: string, value: number, held?: boolean): void {
    this.changeAll({ [name]: value }, name, held);
  }

  /** Several at once, as one step of the history; changes of one `kind` that follow each other soon, or are `held`, are one too. */
  changeAll(set: Record<string, number>, kind = '', held?: boolean): void {
    if (this.wanted.size === 0) requestAnimationFrame(() => this.sendWanted());
    for (const [name, value] of Object.entries(set)) this.wanted.set(name, value);
    Object.assign(this.values, set);
    this.history.record(this.version, kind, performance.now(), held);
    this.tell();
  }

  /**
   * A refused value never was: links, files and undo go on with the one in force. False: another one is wanted by now, and
   * its answer is still to come.
   */
  forget(name: string, value: number): boolean {
    if (this.own(name) !== value) return false;
    const now = this.inForce(name)?.value;
    if (now === undefined || now === this.base[name]) delete this.values[name];
    else this.values[name] = now;
    this.history.amend(this.version);
    this.tell();
    return true;
  }

  undo(): void {
    this.goTo(this.history.undo());
  }

  redo(): void {
    this.goTo(this.history.redo());
  }

  /** The editor's own undo or redo went from one text to another: where a drag lies between them, the run goes along. */
  follow(from: string, to: string): void {
    const { present, previous, next } = this.history;
    if (present?.text !== from) return;
    if (present.moved && previous?.text === to) this.undo();
    else if (next?.moved && next.text === to) this.redo();
  }

  private get version(): Version {
    return { text: this.source, set: this.set };
  }

  private inForce(name: string): Parameter | undefined {
    return this.parameters.find((parameter) => parameter.name === name);
  }

  private tell(): void {
    this.host.changed(this.history.canUndo, this.history.canRedo);
  }

  private goTo(version: Version | null): void {
    this.tell();
    if (!version) return;
    const names = new Set([...Object.keys(this.values), ...Object.keys(version.set)]);
    const values = [...names].map((name): [string, number | undefined] => [name, version.set[name] ?? this.base[name]]);
    if (version.text !== this.source || values.some(([, value]) => value === undefined)) {
      this.host.load(version);
      return;
    }
    // What was asked for last counts: the run may not have it yet.
    for (const [name, value] of values) {
      if (value !== undefined && value !== this.own(name)) this.wanted.set(name, value);
    }
    this.values = { ...version.set };
    this.sendWanted();
  }

  private sendWanted(): void {
    for (const [name, value] of this.wanted) this.host.send(name, value, this.inForce(name)?.live ?? false);
    this.wanted.clear();
  }
}
