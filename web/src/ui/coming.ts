// What stands in the place of a part of the page that is on its way, or could not be fetched.
import { h } from './dom';

/** Stands where the part of the page would be. Some browsers ask for a part only once, so the page can be reloaded too. */
export function missing(what: string, again: () => void): HTMLElement {
  const retry = h('button', { type: 'button', class: 'primary', on: { click: again } }, 'Try again');
  const reload = h('button', { type: 'button', on: { click: () => location.reload() } }, 'Reload the page');
  return h(
    'div',
    { class: 'missing', role: 'alert' },
    h('strong', {}, `${what} could not be loaded.`),
    h('p', {}, 'Is there a connection? Your scene goes on meanwhile, and a reload keeps it.'),
    h('div', { class: 'missing-buttons' }, retry, reload),
  );
}

/** Stands there while it is on its way. */
export function coming(what: string): HTMLElement {
  return h('p', { class: 'coming quiet', role: 'status' }, `Loading ${what}…`);
}
