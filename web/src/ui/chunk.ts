// Code and texts that are fetched when they are needed. What could not be fetched is asked for again the next time.

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
