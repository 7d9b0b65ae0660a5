// The ways in: files that are chosen or dropped, and the page's own address. What cannot be read is said.
import type { Messages } from '../panels/messages';
import { type Entry, openingScene } from '../scenes/catalogue';
import { type Link, readAddress } from './address';
import { chooseFile, onDrop, readFile } from './files';
import type { Work } from './work';

/**
 * Where a scene came from decides whether it is the next entry of the browser's history (`enters`) and what undo remembers. A
 * fallback stands in for one that could not be shown, whose text and problems stay in sight. One in which an obstacle was
 * dragged keeps its camera.
 */
export type Origin =
  | { kind: 'gallery'; entry: Entry; enters: boolean }
  | { kind: 'fallback'; entry: Entry }
  | { kind: 'other'; dragged?: Dragged; link?: Link; enters?: boolean }
  | { kind: 'work'; work: Work; enters: boolean }
  | { kind: 'history' };

/** An obstacle was dragged; `before`: the text with it where it was. */
export interface Dragged {
  obstacle: string;
  before: string;
}

export interface OpeningsHost {
  load(text: string, set: Record<string, number>, origin: Origin): void;
  /** A scene is on screen. */
  shown(): boolean;
  showGallery(): void;
  closeGallery(): void;
}

export class Openings {
  constructor(
    private readonly messages: Messages,
    private readonly host: OpeningsHost,
  ) {
    onDrop((file) => void this.openFile(file));
  }

  /** The scene that a page without another one shows. */
  openFirst(kind: 'gallery' | 'fallback'): void {
    const entry = openingScene();
    if (!entry) this.host.showGallery();
    else this.host.load(entry.text, {}, kind === 'gallery' ? { kind, entry, enters: false } : { kind, entry });
  }

  async chooseFile(): Promise<void> {
    const file = await chooseFile();
    if (!file) return;
    this.host.closeGallery();
    await this.openFile(file);
  }

  /** Opens what the address names. */
  async openAddress(): Promise<void> {
    try {
      const found = await readAddress();
      if (!found) {
        if (!this.host.shown()) this.openFirst('gallery');
        return;
      }
      const { text, set, entry, link } = found;
      this.host.load(
        text,
        set,
        entry ? { kind: 'gallery', entry, enters: false } : { kind: 'other', ...(link ? { link } : {}) },
      );
    } catch (error) {
      this.messages.keep('link', 'trouble', 'The scene of this address cannot be read.', (error as Error).message);
      if (!this.host.shown()) this.openFirst('fallback');
    }
  }

  private async openFile(file: File): Promise<void> {
    try {
      this.host.load(await readFile(file), {}, { kind: 'other', enters: true });
    } catch (error) {
      this.messages.keep('link', 'trouble', 'The file cannot be read.', (error as Error).message);
    }
  }
}
