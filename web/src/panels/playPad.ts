// The keys that play a scene, as the keyboard has them and as buttons on the screen for fingers and mice.
import type { Parameter } from '@tendril/engine';
import { h } from '../ui/dom';
import { FocusSource } from '../ui/focusSource';
import { bindingsOf, HeldKeys, type PlayKey, playKeys } from '../ui/heldKeys';
import { type PadKey, padKey } from '../ui/padWords';

export interface PlayPadEvents {
  running(): boolean;
  play(): void;
  /** A parameter's value while no key holds it. */
  own(name: string): number | undefined;
  set(name: string, value: number): void;
}

const keyOf: Record<string, PlayKey> = {
  ' ': 'space',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
/** Controls whose own keys are those of some scenes too. */
const adjustable = 'input[type="range"], input[type="checkbox"], input[type="radio"], select';

export class PlayPad {
  readonly element = h('div', { class: 'play-pad', role: 'group', aria: { label: 'Keys that play' } });
  /** The keys of the scene and what they do. */
  rows: PadKey[] = [];
  private keys: HeldKeys;
  private readonly focus = new FocusSource();
  private readonly buttons = new Map<PlayKey, HTMLButtonElement>();

  /** Listens before the page's other keys do. */
  constructor(private readonly events: PlayPadEvents) {
    this.keys = this.newKeys({});
    this.element.hidden = true;
    document.addEventListener('keydown', (event) => this.down(event));
    document.addEventListener('keyup', (event) => this.up(event));
    document.addEventListener('change', (event) => this.giveBack(event.target as HTMLElement));
    window.addEventListener('blur', () => this.letGo());
  }

  /** `asked`: the scene's `view.keys`. What was held is forgotten: it belonged to another run. */
  setScene(asked: unknown, parameters: Parameter[]): void {
    this.keys = this.newKeys(bindingsOf(asked, parameters));
    this.buttons.clear();
    const used = playKeys.filter((key) => this.keys.has(key));
    this.rows = used.map((key) => padKey(key, this.keys.bindings, parameters));
    this.element.replaceChildren(...this.rows.map((row) => this.makeButton(row)));
    this.element.hidden = used.length === 0;
  }

  /** The scene uses the space bar, which then does not pause. */
  get hasSpace(): boolean {
    return this.keys.has('space');
  }

  /** Over the view, or where that is low in the bar below it. */
  placeIn(view: HTMLElement, bar: HTMLElement): void {
    const low = matchMedia('(min-width: 761px) and (max-height: 500px)');
    const place = (): void => (low.matches ? bar : view).append(this.element);
    low.addEventListener('change', place);
    place();
  }

  private letGo(): void {
    this.keys.releaseAll();
    this.showHeld();
  }

  private newKeys(bindings: HeldKeys['bindings']): HeldKeys {
    return new HeldKeys(
      bindings,
      (name) => this.events.own(name),
      (name, value) => this.events.set(name, value),
    );
  }

  private down(event: KeyboardEvent): void {
    const key = keyOf[event.key];
    if (!key || !this.keys.has(key) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // A key that is down goes on being one that plays, whatever the run does meanwhile.
    if (!this.keys.holds(key)) {
      if (event.repeat || document.querySelector('dialog[open]')) return;
      const running = this.events.running();
      // While the run stands the space bar starts it, as its button does; arrows step and move sliders.
      if (!running && key !== 'space') return;
      if (this.isTaken(event.target as HTMLElement, key)) return;
      if (!running) this.events.play();
    }
    event.preventDefault();
    this.keys.press(key);
    this.showHeld();
  }

  private up(event: KeyboardEvent): void {
    const key = keyOf[event.key];
    if (!key || !this.keys.holds(key)) return;
    event.preventDefault();
    this.keys.release(key);
    this.showHeld();
  }

  /** A slider or menu that the pointer has changed does not keep the keys of the scene. */
  private giveBack(control: HTMLElement): void {
    if (this.rows.length > 0 && this.focus.byPointer && control.matches(adjustable)) control.blur();
  }

  /** A person types there, or went to a control with Tab that uses the key itself. */
  private isTaken(target: HTMLElement, key: PlayKey): boolean {
    if (target.closest('textarea, [contenteditable]')) return true;
    const control = target.closest<HTMLElement>('input, select, button, a, summary');
    if (!control) return false;
    if (control.matches('input') && !control.matches(adjustable)) return true;
    if (this.focus.wasClicked(control)) return false;
    if (control.matches('input[type="range"]')) return key !== 'space';
    if (control.matches(adjustable)) return true;
    // The space bar presses a button, whatever the scene makes of it.
    return key === 'space';
  }

  private makeButton({ key, cap, called, action, values }: PadKey): HTMLButtonElement {
    const button = h(
      'button',
      {
        ...{ type: 'button', class: 'play-key', title: `While it is held: ${values}`, data: { key, cap } },
        // The keyboard has the key itself.
        ...{ tabIndex: -1, aria: { label: `${action}: hold, or hold the ${called}` } },
      },
      action,
    );
    const release = (): void => {
      this.keys.release(key);
      this.showHeld();
    };
    button.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      if (!this.events.running()) this.events.play();
      this.keys.press(key);
      this.showHeld();
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      button.addEventListener(type, release);
    }
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    this.buttons.set(key, button);
    return button;
  }

  private showHeld(): void {
    for (const [key, button] of this.buttons) button.classList.toggle('held', this.keys.holds(key));
  }
}
