// The ways in: files that are chosen or dropped, and the page's own address. What cannot be read is said.
import type { Messages } from '../panels/messages';
import { type Entry, openingScene } from '../scenes/catalogue';
import { readAddress, showGalleryAddress, showPlainAddress } from './address';
import { chooseFile, onDrop, readFile } from './files';

/**
 * Where a scene came from decides what the address shows and what undo remembers. A fallback stands in for one that
 * could not be shown, whose text and problems stay in sight. One in which an obstacle was dragged keeps its camera.
 */
export type Origin =
  | { kind: 'gallery' | 'fallback'; entry: Entry }
  | { kind: 'other'; dragged?: Dragged }
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
  /** A scene has been on screen, so the address no longer speaks of the one that the page was opened with. */
  private known = false;

  constructor(
    private readonly messages: Messages,
    private readonly host: OpeningsHost,
  ) {}

  /** Opens what the address names, and follows it from now on. */
  start(): void {
    onDrop((file) => void this.openFile(file));
    window.addEventListener('hashchange', () => void this.openAddress());
    void this.openAddress();
  }

  /** The scene that a page without another one shows. */
  openFirst(kind: 'gallery' | 'fallback'): void {
    const entry = openingScene();
    if (entry) this.host.load(entry.text, {}, { kind, entry });
    else this.host.showGallery();
  }

  async chooseFile(): Promise<void> {
    const file = await chooseFile();
    if (!file) return;
    this.host.closeGallery();
    await this.openFile(file);
  }

  /** Keeps the address true to what is on screen. */
  loaded(origin: Origin): void {
    if (origin.kind === 'gallery') showGalleryAddress(origin.entry.id);
    if (origin.kind === 'other' && this.known) showPlainAddress();
    this.known = true;
  }

  private async openFile(file: File): Promise<void> {
    try {
      this.host.load(await readFile(file), {}, { kind: 'other' });
    } catch (error) {
      this.messages.keep('link', 'trouble', 'The file cannot be read.', (error as Error).message);
    }
  }

  private async openAddress(): Promise<void> {
    try {
      const found = await readAddress();
      if (!found) {
        if (!this.host.shown()) this.openFirst('gallery');
      } else if ('entry' in found) {
        this.host.load(found.entry.text, {}, { kind: 'gallery', entry: found.entry });
      } else {
        this.known = false;
        this.host.load(found.scene, found.set, { kind: 'other' });
      }
    } catch (error) {
      this.messages.keep('link', 'trouble', 'The scene of this address cannot be read.', (error as Error).message);
      if (!this.host.shown()) this.openFirst('fallback');
    }
  }
}
