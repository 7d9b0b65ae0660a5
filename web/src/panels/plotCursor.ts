// The one time at which all plots and the timeline show where they are: put there by a pointer, a finger or keys.

/** What a pointer can be over: it knows the time there. */
interface Under {
  timeAt(clientX: number): number | null;
}

export class PlotCursor {
  /** [s]; null: nowhere, and the plots show what is now. */
  time: number | null = null;
  private pointer: { over: Under; clientX: number } | null = null;

  constructor(private readonly moved: (time: number | null) => void) {}

  set(time: number | null): void {
    this.pointer = null;
    this.put(time);
  }

  /** A pointer is over something: while the axis changes under it, the time does. */
  point(over: Under, clientX: number): void {
    this.pointer = { over, clientX };
    this.put(over.timeAt(clientX));
  }

  /** The pointer is gone, its time stays. */
  keep(): void {
    this.pointer = null;
  }

  /** Axes may have changed. */
  follow(): void {
    if (this.pointer) this.put(this.pointer.over.timeAt(this.pointer.clientX));
  }

  private put(time: number | null): void {
    if (time === this.time) return;
    this.time = time;
    this.moved(time);
  }
}
