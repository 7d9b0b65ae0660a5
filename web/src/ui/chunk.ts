// Code and texts that are fetched when they are needed. What could not be fetched is said, and asked for again.
import { h } from './dom';

export class Chunk<T> {
  private got: Promise<T> | null = null;

  constructor(private readonly fetch: () => Promise<T>) {}

  get(): Promise<T> {
    this.got ??= this.fetch().catch((error: unknown) => {
      this.got = null;
      throw error;
    });
    return this.got;
  }

  /** Ahead of need: a failure is told when it is needed. */
  async prepare(): Promise<void> {
    await this.get().catch(() => {});
  }
}

/** Stands where the part of the page would be. Some browsers ask for a part only once, so the page can be reloaded too. */
export function missing(what: string, again: () => void): HTMLElement {
  const retry = h('button', { type: 'button', class: 'primary', on: { click: again } }, 'Try again');
  const reload = h('button', { type: 'button', on: { click: () => location.reload() } }, 'Reload the page');
  return h(
    'div',
    { class: 'missing', role: 'alert' },
    h('strong', {}, `${what} could not be loaded.`),
    h('p', {}, 'Is there a connection? Your scene goes on meanwhile, and a reload keeps it.'),
    h('div', { class: 'missing-buttons' }, retry, reload),
  );
}

/** Stands there while it is on its way. */
export function coming(what: string): HTMLElement {
  return h('p', { class: 'coming quiet', role: 'status' }, `Loading ${what}…`);
}
