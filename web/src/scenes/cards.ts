// What shows a scene of the gallery: a card with its picture, and the smaller one at the end of a run.
import { withFormulas } from '../text/formula';
import { h } from '../ui/dom';
import { isDark } from '../ui/theme';
import type { Entry } from './describe';

export const noScenes = 'No scenes came with this page. Open a file.';
const noPicture = 'The picture could not be loaded.';

/** Asked for when it comes into sight; words stand in the place of one that does not come. */
export function pictureOf({ id }: Entry): HTMLElement {
  const theme = isDark() ? 'dark' : 'light';
  const image = h('img', { alt: '', loading: 'lazy', decoding: 'async', src: `./pictures/${id}-${theme}.png` });
  image.addEventListener('error', () => image.replaceWith(h('span', { class: 'no-picture quiet' }, noPicture)));
  return image;
}

export function cardOf(entry: Entry, open: () => void): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'card', data: { scene: entry.id }, on: { click: open } },
    h('span', { class: 'card-picture' }, pictureOf(entry)),
    h('span', { class: 'card-title' }, entry.title),
    h('span', { class: 'card-sentence' }, ...withFormulas(entry.sentence)),
    h('span', { class: 'tags' }, ...entry.tags.map((tag) => h('span', { class: 'tag' }, tag))),
  );
}

export function smallCardOf(entry: Entry, open: () => void): HTMLElement {
  return h(
    'button',
    { type: 'button', data: { scene: entry.id }, title: entry.sentence.replaceAll('$', ''), on: { click: open } },
    h('span', { class: 'card-picture' }, pictureOf(entry)),
    h('span', {}, entry.title),
  );
}

export function sectionOf(title: string, cards: HTMLElement[]): HTMLElement {
  return h('section', {}, h('h3', {}, title), h('div', { class: 'cards' }, ...cards));
}
