// The guide in a dialog: its pages beside or above the text, links between them, a way back, and a button that opens
// an example that is a whole scene. Its pages are entries of the browser's history, so Back and Forward go through them.
import type { GuideSpot } from '../share/trail';
import { Chunk } from '../ui/chunk';
import { coming, missing } from '../ui/coming';
import { h, iconButton } from '../ui/dom';

type Pages = typeof import('../guide/pages');

export interface GuideEvents {
  tryScene(text: string): void;
  /** A page was opened. */
  opened(page: string, heading: string): void;
  closed(): void;
  back(): void;
}

const idPrefix = 'guide-';

export class Guide {
  readonly element: HTMLDialogElement;
  private readonly contents = h('nav', { class: 'guide-contents', aria: { label: 'Pages of the guide' } });
  private readonly choice = h('select', { class: 'guide-choice', aria: { label: 'Page of the guide' } });
  private readonly article = h('article', { class: 'guide-text', id: 'guide-text', tabIndex: 0 });
  private readonly back = h('button', { type: 'button', id: 'guide-back' }, 'Back');
  private readonly chunk = new Chunk(() => import('../guide/pages'));
  private here: GuideSpot | null = null;
  private pages: Pages | null = null;
  /** It closes because the browser has gone elsewhere already. */
  private gone = false;

  constructor(private readonly events: GuideEvents) {
    this.article.setAttribute('aria-label', 'Guide');
    this.back.disabled = true;
    this.back.addEventListener('click', () => events.back());
    this.choice.addEventListener('change', () => this.open(this.choice.value, ''));
    const close = iconButton('close', 'Close', () => this.element.close());
    const head = h('div', { class: 'dialog-head' }, h('h2', {}, 'Guide'), this.choice, this.back, close);
    this.element = h(
      'dialog',
      { class: 'guide', id: 'guide', aria: { label: 'Guide' } },
      head,
      h('div', { class: 'guide-body' }, this.contents, this.article),
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
    this.element.addEventListener('close', () => {
      if (!this.gone) events.closed();
      this.gone = false;
    });
  }

  /** Fetches the pages ahead of need. */
  prepare(): Promise<void> {
    return this.chunk.prepare();
  }

  /** There is a page before this one. */
  set canGoBack(can: boolean) {
    this.back.disabled = !can;
  }

  /** How far the page is scrolled [px]. */
  get scrolled(): number {
    return this.article.scrollTop;
  }

  /** Opens where it was left, or at a page ("scenes" or "scenes.md"). */
  async show(page = ''): Promise<void> {
    const pages = await this.ready(() => void this.show(page));
    if (!pages) return;
    const asked = page.replace(/\.md$/, '');
    if (!asked && this.here) this.enter(this.here);
    else this.open(pages.findPage(asked) ? asked : pages.firstPage, '');
  }

  /** The browser has gone to a page, or to none. */
  async follow(spot: GuideSpot | null): Promise<void> {
    if (!spot) {
      this.leave();
      return;
    }
    const pages = await this.ready(() => void this.follow(spot));
    if (!pages) return;
    const page = spot.page.replace(/\.md$/, '');
    if (pages.findPage(page)) {
      this.render({ ...spot, page });
      return;
    }
    this.render({ page: pages.firstPage, heading: '', scroll: 0 });
    this.article.prepend(
      h('p', { class: 'no-page', role: 'alert' }, `The guide has no page "${page}". This is its first one.`),
    );
  }

  /** The pages, in the open dialog; null: they could not be fetched, which is said. */
  private async ready(again: () => void): Promise<Pages | null> {
    if (!this.element.open) this.element.showModal();
    if (this.pages) return this.pages;
    this.article.replaceChildren(coming('the guide'));
    try {
      this.pages = await this.chunk.get();
    } catch {
      this.article.replaceChildren(missing('The guide', again));
      return null;
    }
    if (this.contents.childElementCount === 0) this.fill(this.pages);
    return this.element.open ? this.pages : null;
  }

  private leave(): void {
    if (!this.element.open) return;
    this.gone = true;
    this.element.close();
  }

  private fill({ pages }: Pages): void {
    for (const { id, title } of pages) {
      const button = h('button', { type: 'button', data: { page: id }, on: { click: () => this.open(id, '') } }, title);
      this.contents.append(button);
      this.choice.append(h('option', { value: id }, title));
    }
  }

  private open(page: string, heading: string): void {
    this.enter({ page, heading, scroll: 0 });
  }

  private enter(spot: GuideSpot): void {
    this.events.opened(spot.page, spot.heading);
    this.render(spot);
  }

  private render(spot: GuideSpot): void {
    const { pages } = this;
    const page = pages?.findPage(spot.page);
    if (!pages || !page) return;
    if (this.article.dataset.page !== spot.page || this.article.querySelector('.coming, .missing, .no-page')) {
      this.article.replaceChildren(
        pages.markdown(page.text, {
          shift: 2,
          idPrefix,
          link: (link) => this.link(link, page.id),
          picture: pages.pictureAddress,
          below: ({ language, text }) => (language === 'json' ? this.tryButton(text, pages) : null),
        }),
      );
      this.article.dataset.page = page.id;
    }
    this.here = spot;
    this.article.scrollTop = spot.scroll;
    if (spot.scroll === 0 && spot.heading) document.getElementById(idPrefix + spot.heading)?.scrollIntoView();
    this.article.focus({ preventScroll: true });
    this.choice.value = page.id;
    for (const button of this.contents.querySelectorAll('button')) {
      if (button.dataset.page === page.id) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
    }
  }

  private link(link: string, from: string): { address: string; open: () => void } | null {
    const found = this.pages?.target(link, from);
    if (!found) return null;
    const { page, heading } = found;
    return { address: `?guide=${page}${heading && `#${heading}`}`, open: () => this.open(page, heading) };
  }

  /** Parts of scenes and plans of fits cannot run, so only a whole scene gets a button. */
  private tryButton(text: string, pages: Pages): HTMLElement | null {
    const scene = pages.parseJsonc(text);
    if (typeof scene !== 'object' || scene === null || !('format' in scene)) return null;
    if (!String(scene.format).startsWith('tendril/')) return null;
    const take = (): void => {
      this.leave();
      this.events.tryScene(text);
    };
    return h('button', { type: 'button', class: 'primary try', on: { click: take } }, 'Try it');
  }
}
