// When a run is over: three scenes to go on with. A static scene is not over when it has come to rest for the first time.
import { h, iconButton } from '../ui/dom';
import { galleryChunk } from './gallery';

export class NextScenes {
  readonly element = h('nav', { class: 'next-scenes', aria: { label: 'Scenes to go on with' } });
  private scene: string | undefined;
  private isStatic = false;
  private ends = 0;
  private over = false;

  constructor(private readonly open: (scene: string) => void) {
    this.element.hidden = true;
  }

  /** `scene`: of the gallery; what follows on one's own text is not for us to say. */
  setScene(scene: string | undefined, isStatic: boolean): void {
    if (scene !== this.scene) this.ends = 0;
    Object.assign(this, { scene, isStatic, over: false });
    this.element.hidden = true;
  }

  status({ playing, finished }: { playing: boolean; finished: boolean }): void {
    const over = finished && !playing;
    if (over === this.over) return;
    this.over = over;
    if (over) this.ends += 1;
    this.element.hidden = true;
    if (over && this.scene !== undefined && this.ends > (this.isStatic ? 1 : 0)) void this.show(this.scene);
  }

  private async show(scene: string): Promise<void> {
    const catalog = await galleryChunk.get().catch(() => null);
    if (!catalog || !this.over || scene !== this.scene) return;
    const cards = catalog.nextScenes(scene).map((entry) => catalog.smallCardOf(entry, () => this.open(entry.id)));
    const close = iconButton('close', 'Close', () => {
      this.element.hidden = true;
    });
    this.element.replaceChildren(h('strong', {}, 'Next'), ...cards, close);
    this.element.hidden = false;
  }
}
