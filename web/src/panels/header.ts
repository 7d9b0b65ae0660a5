// The bar at the top: scenes, the title, undo and redo, sharing, taking along, the guide, help.
import { h, icon, iconButton } from '../ui/dom';
import { menu } from '../ui/menu';

export interface HeaderEvents {
  scenes(): void;
  text(): void;
  undo(): void;
  redo(): void;
  share(): void;
  takeScene(): void;
  takeCsv(): void;
  takePicture(): void;
  guide(): void;
  help(): void;
}

export class Header {
  readonly element: HTMLElement;
  private readonly title = h('h1', { id: 'scene-title' }, 'Tendril');
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly textButton: HTMLButtonElement;
  private readonly unrun = h('span', { class: 'unrun-dot', hidden: true, aria: { hidden: 'true' } });

  constructor(events: HeaderEvents) {
    const withIcon = (name: Parameters<typeof icon>[0], label: string, id: string): HTMLButtonElement =>
      h(
        'button',
        { type: 'button', id, aria: { label }, title: label },
        icon(name),
        h('span', { class: 'wide' }, label),
      );
    const scenes = withIcon('grid', 'Scenes', 'open-gallery');
    scenes.addEventListener('click', () => events.scenes());
    this.textButton = withIcon('code', 'Text', 'open-text');
    this.textButton.append(this.unrun);
    this.setTextUnrun(false);
    this.textButton.setAttribute('aria-expanded', 'false');
    this.textButton.addEventListener('click', () => events.text());
    this.undo = iconButton('undo', 'Undo the last change', () => events.undo());
    this.redo = iconButton('redo', 'Do it again', () => events.redo());
    const share = withIcon('share', 'Share', 'share');
    share.addEventListener('click', () => events.share());
    const take = withIcon('down', 'Take along', 'take-along');
    const takeMenu = menu(take, [
      { label: 'Scene', hint: 'the file, as it runs', action: () => events.takeScene() },
      { label: 'Probe values', hint: 'CSV of the run so far', action: () => events.takeCsv() },
      { label: 'Picture', hint: 'PNG of the view', action: () => events.takePicture() },
    ]);
    const guide = withIcon('book', 'Guide', 'open-guide');
    guide.title = 'How scenes are written, and what is computed (H)';
    guide.classList.add('wide');
    guide.addEventListener('click', () => events.guide());
    const help = iconButton('close', 'Keys and pointer (?)', () => events.help());
    help.replaceChildren(h('span', { class: 'question', aria: { hidden: 'true' } }, '?'));
    help.id = 'open-help';
    this.element = h(
      'header',
      { class: 'bar' },
      h(
        'span',
        { class: 'brand', title: 'Tendril: soft robots and slender structures, simulated in your browser' },
        h('img', { src: './favicon.svg', alt: '', width: 22, height: 22 }),
        h('span', { class: 'wide' }, 'Tendril'),
      ),
      scenes,
      this.textButton,
      this.title,
      h('div', { class: 'bar-end' }, this.undo, this.redo, share, takeMenu, guide, help),
    );
    this.setHistory(false, false);
  }

  setTitle(title: string): void {
    this.title.textContent = title;
    this.title.title = title;
    document.title = `${title} · Tendril`;
  }

  setHistory(canUndo: boolean, canRedo: boolean): void {
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
  }

  /** A changed text waits to be run. */
  setTextUnrun(unrun: boolean): void {
    this.unrun.hidden = !unrun;
    this.textButton.title = unrun ? 'The scene as text (E): changed, not run' : 'The scene as text (E)';
    this.textButton.setAttribute('aria-label', unrun ? 'Text: changed, not run' : 'Text');
  }

  setTextOpen(open: boolean): void {
    this.textButton.setAttribute('aria-expanded', String(open));
  }
}
