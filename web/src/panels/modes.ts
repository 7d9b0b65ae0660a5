// Modes of vibration about the state on screen: a list of frequencies; the chosen one swings in the view.
import type { ModesReply, ShownMode } from '../engine/protocol';
import { quantity } from '../text/units';
import { h } from '../ui/dom';

export interface ModesEvents {
  find(): void;
  /** null: what stands is shown again. */
  swing(mode: ShownMode | null): void;
}

export class Modes {
  readonly element: HTMLElement;
  private readonly list = h('ul', { class: 'modes', id: 'modes' });
  private readonly note = h('p', { class: 'quiet', role: 'status' });
  private readonly button = h('button', { type: 'button', id: 'find-modes' }, 'Find the modes');
  private readonly head = h('summary', {}, h('strong', {}, 'Modes of vibration'));
  private buttons: HTMLButtonElement[] = [];
  private chosen = -1;
  /** Of the state they were found about [s]. */
  private time = 0;

  constructor(private readonly events: ModesEvents) {
    this.button.addEventListener('click', () => {
      this.leave();
      this.note.textContent = 'Looking for them…';
      events.find();
    });
    const words = 'How the scene swings by itself about the state on screen, which must be at rest.';
    this.element = h(
      'details',
      { class: 'checks-box' },
      this.head,
      h('p', { class: 'quiet' }, words),
      this.list,
      h('div', { class: 'checks-foot' }, this.button, this.note),
    );
  }

  /** The run stands there [s]. */
  moved(time: number): void {
    if (time !== this.time) this.leave();
  }

  /** The state on screen is another one: what was found says nothing of it. */
  leave(): void {
    if (this.buttons.length === 0 && this.note.textContent === '') return;
    this.choose(-1, null);
    this.buttons = [];
    this.list.replaceChildren();
    this.note.textContent = '';
  }

  show({ modes, words, omitted, time }: ModesReply): void {
    this.choose(-1, null);
    this.time = time;
    this.buttons = modes.map((mode, i) => {
      const button = h('button', { type: 'button' }, ...this.words(mode));
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => (this.chosen === i ? this.choose(-1, null) : this.choose(i, mode)));
      return button;
    });
    this.list.replaceChildren(...this.buttons.map((button) => h('li', {}, button)));
    const found = `About t = ${quantity(time, 's', 5)}. Press one to see it swing.`;
    const without = omitted.map((what) => ` Without ${what}.`).join('');
    this.note.textContent = words || found + without;
  }

  private words(mode: ShownMode): HTMLElement[] {
    const frequency = mode.rigid
      ? 'rigid motion'
      : mode.hidden > 0
        ? `below ${quantity(mode.hidden, 'Hz', 2)}, hidden by round-off`
        : mode.growth > 0
          ? `grows by ${quantity(mode.growth, '1/s', 5)}`
          : quantity(mode.frequency, 'Hz', 6);
    const ratio = `${mode.estimate ? 'about ' : ''}${quantity(100 * mode.damping, '%', 3)}`;
    const damping = mode.damping > 1 ? 'creeps back' : mode.damping > 0 ? `damping ${ratio}` : '';
    return [h('span', {}, frequency), h('span', { class: 'quiet' }, damping)];
  }

  private choose(index: number, mode: ShownMode | null): void {
    if (index === this.chosen) return;
    this.chosen = index;
    this.buttons.forEach((button, i) => {
      button.setAttribute('aria-pressed', String(i === index));
    });
    this.events.swing(mode);
  }
}
