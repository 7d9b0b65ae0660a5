// The second part of the engine: linkages, vines and what few scenes need. It comes after the first scene, or with the first
// that speaks of those.
import { needsRest } from '@tendril/engine';
import { Chunk } from '../ui/chunk';
import { download } from './download';
import type { Request } from './protocol';

const missing = 'A part of it did not arrive. Is there a connection?';

export class Rest {
  private module: WebAssembly.Module | null = null;
  private readonly chunk: Chunk<WebAssembly.Module>;

  constructor(private readonly address: string) {
    this.chunk = new Chunk(async () => {
      this.module = await download(address, { priority: 'low' });
      return this.module;
    });
  }

  isMissingFor(request: Request): boolean {
    return this.module === null && 'text' in request && needsRest(request.text);
  }

  async fetch(): Promise<void> {
    await this.chunk.get().catch(() => {
      throw new Error(missing);
    });
  }

  /** For the engine, in the middle of a call: at once, whatever it takes. */
  readonly now = (): WebAssembly.Module | ArrayBuffer => {
    if (this.module) return this.module;
    const request = new XMLHttpRequest();
    request.open('GET', this.address, false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
    } catch {
      // It has no status then.
    }
    if (request.status !== 200) throw new Error(missing);
    return request.response as ArrayBuffer;
  };
}
