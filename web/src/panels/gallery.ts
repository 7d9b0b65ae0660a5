// The gallery: a card per scene with a picture made when the page was built, a sentence and tags, in the order of a course; search;
// and the way in for a person's own files.
import type { Entry } from '../scenes/describe';
import { Chunk } from '../ui/chunk';
import { coming, missing } from '../ui/coming';
import { h, iconButton } from '../ui/dom';
import { onThemeChange } from '../ui/theme';

type Catalog = typeof import('../scenes/catalog');

/** What the gallery shows: of use elsewhere too, when it is there. */
export const galleryChunk = new Chunk<Catalog>(() => import('../scenes/catalog'));

export interface GalleryEvents {
  open(scene: string): void;
  openFile(): void;
}

export class Gallery {
  readonly element: HTMLDialogElement;
  private readonly search: HTMLInputElement;
  private readonly body = h('div', { class: 'gallery-body' });
  private readonly none = h('p', { class: 'quiet' }, 'No scene has all of these words.');
  private readonly cards: { entry: Entry; card: HTMLElement }[] = [];
  private catalog: Catalog | null = null;

  constructor(private readonly events: GalleryEvents) {
    this.search = h('input', {
      type: 'search',
      placeholder: 'Search',
      id: 'gallery-search',
      aria: { label: 'Search the scenes' },
    });
    this.search.addEventListener('input', () => this.filter());
    this.search.addEventListener('keydown', (event) => {
      // What was searched for goes first, then the gallery.
      if (event.key !== 'Escape' || this.search.value === '') return;
      event.preventDefault();
      event.stopPropagation();
      this.search.value = '';
      this.filter();
    });
    const openFile = h('button', { type: 'button', on: { click: () => this.events.openFile() } }, 'Open a file…');
    this.element = h(
      'dialog',
      { class: 'gallery', id: 'gallery', aria: { label: 'Scenes' } },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', {}, 'Scenes'),
        this.search,
        openFile,
        iconButton('close', 'Close', () => this.element.close()),
      ),
      this.body,
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
    onThemeChange(() => this.drawCards());
  }

  show(): void {
    if (!this.element.open) this.element.showModal();
    this.search.focus();
    if (this.body.querySelector('.no-picture')) this.drawCards();
    if (this.catalog) return;
    this.body.replaceChildren(coming('the gallery'));
    galleryChunk.get().then(
      (catalog) => this.fill(catalog),
      () => this.body.replaceChildren(missing('The gallery', () => this.show())),
    );
  }

  close(): void {
    this.element.close();
  }

  private fill(catalog: Catalog): void {
    if (this.catalog) return;
    this.catalog = catalog;
    this.body.replaceChildren();
    for (const { title, entries } of catalog.chapters()) {
      const cards = entries.map((entry) => {
        const card = catalog.cardOf(entry, () => {
          this.element.close();
          this.events.open(entry.id);
        });
        this.cards.push({ entry, card });
        return card;
      });
      this.body.append(catalog.sectionOf(title, cards));
    }
    if (catalog.catalog.length === 0) this.body.append(h('p', { class: 'quiet' }, catalog.noScenes));
    this.body.append(this.none);
    this.filter();
  }

  private filter(): void {
    const { catalog } = this;
    if (!catalog) return;
    const query = this.search.value.trim();
    let any = false;
    for (const { entry, card } of this.cards) {
      card.hidden = query !== '' && !catalog.matches(entry, query);
      any ||= !card.hidden;
    }
    for (const section of this.body.querySelectorAll('section')) {
      section.hidden = !section.querySelector('.card:not([hidden])');
    }
    this.none.hidden = any || this.cards.length === 0;
  }

  private drawCards(): void {
    for (const { entry, card } of this.cards)
      card.querySelector('.card-picture')?.replaceChildren(this.catalog?.pictureOf(entry) ?? '');
  }
}
