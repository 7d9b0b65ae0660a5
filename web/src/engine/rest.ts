// The second part of the engine: linkages, vines and what few scenes need. It comes after the first scene, or when something
// needs it.
import { Chunk } from '../ui/chunk';
import { download } from './download';

/** Thrown out of a call that needs the part before it is there: what was asked for is to be asked for again. */
export class MissingPart extends Error {}

export class Rest {
  private module: WebAssembly.Module | null;
  private readonly chunk: Chunk<WebAssembly.Module>;

  /** `place`: its address, or what another worker has fetched. `onCome`: it was fetched. */
  constructor(place: string | WebAssembly.Module, onCome: (module: WebAssembly.Module) => void) {
    this.module = typeof place === 'string' ? null : place;
    this.chunk = new Chunk(async () => {
      this.module ??= await download(String(place), { priority: 'low' });
      onCome(this.module);
      return this.module;
    });
  }

  async fetch(): Promise<void> {
    await this.chunk.get();
  }

  /** Ahead of need, unless the browser was told to save data: then it comes when it is needed. */
  async prepare(): Promise<void> {
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (!connection?.saveData) await this.chunk.prepare();
  }

  /** For the engine, in the middle of a call. */
  readonly now = (): WebAssembly.Module => {
    if (!this.module) throw new MissingPart();
    return this.module;
  };
}
