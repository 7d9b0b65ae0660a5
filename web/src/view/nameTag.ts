// The name of the body under the mouse, beside the pointer.
import { h } from '../ui/dom';

export class NameTag {
  readonly element = h('div', { class: 'name-tag', aria: { hidden: 'true' } });

  constructor() {
    this.element.hidden = true;
  }

  /** `x`, `y`: in the view [px]; without a name it goes. */
  show(name: string, x = 0, y = 0): void {
    this.element.hidden = name === '';
    if (name === '') return;
    if (this.element.textContent !== name) this.element.textContent = name;
    this.element.style.transform = `translate(${(x + 14).toFixed(0)}px, ${(y + 16).toFixed(0)}px)`;
  }
}
