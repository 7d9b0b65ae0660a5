// A button that opens a small panel of choices; Escape, a click elsewhere or leaving it by keyboard closes it.
import { h } from './dom';

export interface MenuItem {
  label: string;
  hint?: string;
  action: () => void;
}

/** Makes `button` open `panel`, which is placed beside it in the returned wrapper. */
export function popover(button: HTMLButtonElement, panel: HTMLElement): HTMLElement {
  const wrapper = h('div', { class: 'popover' }, button, panel);
  panel.hidden = true;
  button.setAttribute('aria-expanded', 'false');
  const show = (open: boolean): void => {
    panel.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => {
    show(panel.hidden !== false);
    if (!panel.hidden) panel.querySelector<HTMLElement>('button, input, select')?.focus();
  });
  // Before all others: the focus may be gone from here (what the pointer changed gives it back), and the view keeps its
  // pointer to itself.
  const first = { capture: true };
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || panel.hidden) return;
      event.stopPropagation();
      show(false);
      button.focus();
    },
    first,
  );
  wrapper.addEventListener('focusout', (event) => {
    const next = event.relatedTarget as Node | null;
    if (next && !wrapper.contains(next)) show(false);
  });
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (!wrapper.contains(event.target as Node)) show(false);
    },
    first,
  );
  return wrapper;
}

export function menu(button: HTMLButtonElement, items: MenuItem[]): HTMLElement {
  const panel = h('div', { class: 'menu' });
  const wrapper = popover(button, panel);
  for (const { label, hint, action } of items) {
    const choose = (): void => {
      panel.hidden = true;
      button.setAttribute('aria-expanded', 'false');
      button.focus();
      action();
    };
    panel.append(
      h('button', { type: 'button', on: { click: choose } }, h('span', {}, label), hint ? h('small', {}, hint) : null),
    );
  }
  return wrapper;
}
