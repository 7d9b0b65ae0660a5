// The second part of the engine: linkages, vines and what few scenes need. It comes after the first scene, or with the first
// that speaks of those.
import { needsRest } from '@tendril/engine';
import { Chunk } from '../ui/chunk';
import { download } from './download';
import type { Request } from './protocol';

export class Rest {
  private module: WebAssembly.Module | null = null;
  private readonly chunk: Chunk<WebAssembly.Module>;

  /** `place`: its address, or what another worker has fetched. `onCome`: it was fetched. */
  constructor(
    private readonly place: string | WebAssembly.Module,
    private readonly onCome: (module: WebAssembly.Module) => void,
  ) {
    if (typeof place !== 'string') this.module = place;
    this.chunk = new Chunk(async () => this.module ?? this.keep(await download(String(place), { priority: 'low' })));
  }

  isMissingFor(request: Request): boolean {
    return this.module === null && 'text' in request && needsRest(request.text);
  }

  async fetch(): Promise<void> {
    await this.chunk.get();
  }

  /** Ahead of need, unless the browser was told to save data: then it comes when it is needed. */
  async prepare(): Promise<void> {
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (!connection?.saveData) await this.chunk.prepare();
  }

  /** For the engine, in the middle of a call: at once, whatever it takes. */
  readonly now = (): WebAssembly.Module => {
    if (this.module) return this.module;
    const request = new XMLHttpRequest();
    request.open('GET', String(this.place), false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
    } catch {
      // It has no status then.
    }
    if (request.status !== 200)
      throw new Error('A part of it did not arrive. Is there a connection? If there is, reload the page.');
    return this.keep(new WebAssembly.Module(request.response as ArrayBuffer));
  };

  private keep(module: WebAssembly.Module): WebAssembly.Module {
    this.module = module;
    this.onCome(module);
    return module;
  }
}
