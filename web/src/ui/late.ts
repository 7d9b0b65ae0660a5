// A part of the page that comes when the first step has been drawn, or when it is looked for: until then there is a place
// for it, and what it is told waits.
import { Chunk } from './chunk';
import { coming, missing } from './coming';
import { h } from './dom';

interface Part {
  readonly element: HTMLElement;
}

export class Late<T extends Part> {
  readonly element: HTMLElement;
  private part: T | null = null;
  private readonly chunk: Chunk<T>;
  private readonly waiting = new Map<string, (part: T) => void>();

  /** `what`: "the plots". */
  constructor(
    private readonly what: string,
    fetch: () => Promise<T>,
  ) {
    this.element = h('div', {}, coming(what));
    this.chunk = new Chunk(fetch);
  }

  /** The part, if it is there. */
  get now(): T | null {
    return this.part;
  }

  /** Tells it now, or as soon as it is there; of those of one `kind` the newest. */
  tell(kind: string, say: (part: T) => void): void {
    if (this.part) say(this.part);
    else {
      this.waiting.delete(kind);
      this.waiting.set(kind, say);
    }
  }

  come(): void {
    if (this.part) return;
    if (this.element.querySelector('.missing')) this.element.replaceChildren(coming(this.what));
    this.chunk.get().then(
      (part) => this.take(part),
      () => {
        const what = this.what.replace(/^./, (letter) => letter.toUpperCase());
        this.element.replaceChildren(missing(what, () => this.come()));
      },
    );
  }

  private take(part: T): void {
    if (this.part) return;
    this.part = part;
    this.element.replaceChildren(part.element);
    for (const say of this.waiting.values()) say(part);
    this.waiting.clear();
  }
}
