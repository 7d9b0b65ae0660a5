// The guide in a dialog: its pages beside or above the text, links between them, a way back, and a button that opens
// an example that is a whole scene.
import { parseJsonc } from '../scenes/jsonc';
import { markdown } from '../text/markdown';
import { h, iconButton } from '../ui/dom';

type Pages = typeof import('../guide/pages');

interface Spot {
  page: string;
  heading: string;
  /** How far it was scrolled when it was left. */
  scroll: number;
}

const idPrefix = 'guide-';

export class Guide {
  readonly element: HTMLDialogElement;
  private readonly contents = h('nav', { class: 'guide-contents', aria: { label: 'Pages of the guide' } });
  private readonly choice = h('select', { class: 'guide-choice', aria: { label: 'Page of the guide' } });
  private readonly article = h('article', { class: 'guide-text', id: 'guide-text', tabIndex: 0 });
  private readonly back = h('button', { type: 'button', id: 'guide-back' }, 'Back');
  private readonly past: Spot[] = [];
  private here: Spot | null = null;
  private pages: Pages | null = null;

  constructor(private readonly tryScene: (text: string) => void) {
    this.article.setAttribute('aria-label', 'Guide');
    this.back.disabled = true;
    this.back.addEventListener('click', () => this.goBack());
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
  }

  /** Fetches the pages ahead of need. */
  prepare(): void {
    void import('../guide/pages');
  }

  /** Opens where it was left, or at a page ("scenes" or "scenes.md"). */
  async show(page = ''): Promise<void> {
    if (!this.element.open) this.element.showModal();
    this.pages ??= await import('../guide/pages');
    const { firstPage, findPage } = this.pages;
    if (this.contents.childElementCount === 0) this.fill(this.pages);
    const asked = page.replace(/\.md$/, '');
    if (asked || !this.here) this.open(findPage(asked) ? asked : firstPage, location.hash.slice(1));
    this.article.focus();
  }

  private fill({ pages }: Pages): void {
    for (const { id, title } of pages) {
      const button = h('button', { type: 'button', data: { page: id }, on: { click: () => this.open(id, '') } }, title);
      this.contents.append(button);
      this.choice.append(h('option', { value: id }, title));
    }
  }

  private open(page: string, heading: string): void {
    if (this.here) this.past.push({ ...this.here, scroll: this.article.scrollTop });
    this.back.disabled = this.past.length === 0;
    this.render({ page, heading, scroll: 0 });
    const goal = heading ? document.getElementById(idPrefix + heading) : null;
    goal?.scrollIntoView();
    this.article.focus({ preventScroll: true });
  }

  private goBack(): void {
    const spot = this.past.pop();
    if (!spot) return;
    this.back.disabled = this.past.length === 0;
    this.render(spot);
    this.article.scrollTop = spot.scroll;
    this.article.focus({ preventScroll: true });
  }

  private render(spot: Spot): void {
    const page = this.pages?.findPage(spot.page);
    if (!page) return;
    if (this.here?.page !== spot.page || this.article.childElementCount === 0) {
      this.article.replaceChildren(
        markdown(page.text, {
          shift: 2,
          idPrefix,
          link: (link) => this.link(link, page.id),
          picture: (link) => this.pages?.pictureAddress(link),
          below: ({ language, text }) => (language === 'json' ? this.tryButton(text) : null),
        }),
      );
      this.article.dataset.page = page.id;
    }
    this.here = spot;
    this.article.scrollTop = 0;
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

  /** Parts of scenes cannot run, so only a whole one gets a button. */
  private tryButton(text: string): HTMLElement | null {
    const scene = parseJsonc(text);
    if (typeof scene !== 'object' || scene === null || !('format' in scene)) return null;
    const take = (): void => {
      this.element.close();
      this.tryScene(text);
    };
    return h('button', { type: 'button', class: 'primary try', on: { click: take } }, 'Try it');
  }
}
