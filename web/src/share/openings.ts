// The ways in: scenes of the gallery, files that are chosen or dropped, and the page's own address. What cannot be read is
// said.
import type { Messages } from '../panels/messages';
import { firstScene } from '../scenes/course';
import { sceneText } from '../scenes/texts';
import { type Link, NoScene, readAddress } from './address';
import { chooseFile, onDrop, readFile } from './files';
import type { Work } from './work';

/**
 * Where a scene came from decides whether it is the next entry of the browser's history (`enters`) and what undo remembers. A
 * fallback stands in for one that could not be shown, whose text and problems stay in sight. One in which an obstacle was
 * dragged keeps its camera. `unread`: what in an address is not used, in words.
 */
export type Origin =
  | { kind: 'gallery'; scene: string; enters: boolean; unread?: string[] }
  | { kind: 'fallback' }
  | { kind: 'other'; dragged?: Dragged; link?: Link; enters?: boolean; unread?: string[] }
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
  /** Nothing is on its way to an empty page. */
  notComing(): void;
  closeGallery(): void;
  showGallery(): void;
}

/** A scene that takes longer to come is said to be on its way [ms]. */
const sayAfter = 400;
/** Where the scene that was asked for cannot be shown, and there is none on screen. */
export const standIn = `"${firstScene}" takes its place.`;
const onItsWay = 'The scene is on its way…';

export class Openings {
  /** What was asked for last: what comes later for an older wish is not shown. */
  private wish = 0;
  /** Asks once more for a text that did not come. */
  private again: (() => void) | null = null;

  constructor(
    private readonly messages: Messages,
    private readonly host: OpeningsHost,
  ) {
    onDrop((file, others) => void this.openFile(file, others));
  }

  /** Something is being loaded: texts that are still on their way are no longer wanted. */
  superseded(): void {
    this.wish += 1;
    this.messages.clear('files');
  }

  /** A scene of the gallery. */
  openScene(scene: string, enters: boolean, unread: string[] = []): void {
    void this.withText(scene, (text) => this.host.load(text, {}, { kind: 'gallery', scene, enters, unread }));
  }

  /** In the place of what does not come. */
  openStandIn(): void {
    void this.withText(firstScene, (text) => this.host.load(text, {}, { kind: 'fallback' }));
  }

  /** Calls `use` with the text of a gallery's scene when it has come, unless something else is wanted by then. Fails never. */
  withText(scene: string, use: (text: string) => void): Promise<void> {
    const wish = ++this.wish;
    const slow = setTimeout(() => this.messages.note(onItsWay, 60), sayAfter);
    const arrived = (): boolean => {
      clearTimeout(slow);
      this.messages.unsay((text) => text === onItsWay);
      return wish === this.wish;
    };
    return sceneText(scene).then(
      (text) => {
        if (!arrived()) return;
        this.messages.clear('text');
        this.again = null;
        use(text);
      },
      (error: Error) => {
        if (!arrived()) return;
        const again = (): void => {
          this.messages.clear('text');
          this.again = null;
          void this.withText(scene, use);
        };
        this.again = again;
        const meanwhile = this.host.shown() ? ' What is on screen goes on meanwhile.' : '';
        if (!meanwhile) this.host.notComing();
        this.messages.keep('text', 'trouble', 'The scene could not be loaded.', error.message + meanwhile, [
          { label: 'Try again', action: again },
        ]);
      },
    );
  }

  /** Whether there was a text that did not come: it is asked for again. */
  tryAgain(): boolean {
    const { again } = this;
    again?.();
    return again !== null;
  }

  async chooseFile(): Promise<void> {
    const file = await chooseFile();
    if (!file) return;
    this.host.closeGallery();
    await this.openFile(file);
  }

  /** Opens what the address names. */
  async openAddress(): Promise<void> {
    const wish = ++this.wish;
    try {
      const found = await readAddress();
      if (wish !== this.wish) return;
      const { text, set, scene, link, unread } = found;
      if (text !== undefined) this.host.load(text, set, { kind: 'other', ...(link ? { link } : {}), unread });
      else if (scene) {
        const use = (come: string): void =>
          this.host.load(come, set, { kind: 'gallery', scene, enters: false, unread });
        await this.withText(scene, use);
      } else if (!this.host.shown()) this.openScene(firstScene, false, unread);
    } catch (error) {
      const instead = this.host.shown() ? '' : standIn;
      if (error instanceof NoScene) this.noScene(error, instead);
      else {
        const words = `${(error as Error).message} ${instead}`;
        this.messages.keep('link', 'trouble', 'The scene of this address cannot be read.', words);
      }
      if (!this.host.shown()) this.openStandIn();
    }
  }

  private noScene({ message, near }: NoScene, instead: string): void {
    const meant = near === null ? [] : [{ label: `Open "${near}"`, action: () => this.openScene(near, true) }];
    const all = { label: 'All scenes', action: () => this.host.showGallery() };
    this.messages.keep('link', 'trouble', message, instead, [...meant, all]);
  }

  private async openFile(file: File, others: File[] = []): Promise<void> {
    try {
      this.host.load(await readFile(file), {}, { kind: 'other', enters: true });
    } catch (error) {
      this.messages.keep('link', 'trouble', 'The file cannot be read.', (error as Error).message);
    }
    if (others.length === 0) return;
    const names = others.map(({ name }) => `"${name}"`).join(', ');
    this.messages.keep(
      'files',
      'info',
      `Of several files the first is opened, "${file.name}".`,
      `Not opened: ${names}.`,
    );
  }
}
