// The first words about a scene, above its sliders: one sentence, the way to the rest, and what to try, as buttons that set
// parameters and set them back.
import type { Parameter, SceneInfo } from '@tendril/engine';
import { firstSentence } from '../text/firstSentence';
import { withFormulas } from '../text/formula';
import { type Try, tries } from '../text/tries';
import { h } from '../ui/dom';

export interface LedeEvents {
  set(values: Record<string, number>): void;
  /** Shows all that is said about the scene. */
  more(): void;
}

export class Lede {
  readonly element = h('div', { class: 'lede' });
  private buttons: { button: HTMLButtonElement; one: Try; before: Record<string, number> }[] = [];
  private values: Record<string, number> = {};

  constructor(private readonly events: LedeEvents) {}

  setScene(info: SceneInfo): void {
    const { description, parameters } = info;
    const sentence = firstSentence(description);
    const more = h('button', { type: 'button', class: 'link', on: { click: () => this.events.more() } }, 'More');
    this.buttons = tries(info).map((one) => ({ button: this.make(one), one, before: {} }));
    const list = h('ul', { class: 'tries' }, ...this.buttons.map(({ button }) => h('li', {}, button)));
    this.element.replaceChildren(
      ...(sentence
        ? [
            h(
              'p',
              { class: 'lede-sentence' },
              ...withFormulas(sentence),
              ' ',
              description.trim() === sentence ? null : more,
            ),
          ]
        : []),
      ...(this.buttons.length > 0 ? [h('h3', {}, 'What to try'), list] : []),
    );
    this.element.hidden = this.element.childElementCount === 0;
    this.update(parameters);
  }

  update(parameters: Parameter[]): void {
    this.values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
    for (const { button, one } of this.buttons) button.setAttribute('aria-pressed', String(this.isSet(one)));
  }

  private isSet({ set }: Try): boolean {
    return Object.entries(set).every(([name, value]) => this.values[name] === value);
  }

  private make(one: Try): HTMLButtonElement {
    const button = h('button', { type: 'button' }, one.words, ' ', h('small', { class: 'quiet' }, one.values));
    button.addEventListener('click', () => this.press(one));
    return button;
  }

  /** Pressed again, what was before comes back. */
  private press(one: Try): void {
    const found = this.buttons.find((other) => other.one === one);
    if (!found) return;
    if (this.isSet(one) && Object.keys(found.before).length > 0) {
      this.events.set(found.before);
      return;
    }
    found.before = Object.fromEntries(Object.keys(one.set).map((name) => [name, this.values[name]]));
    this.events.set(one.set);
  }
}
