// The keys that play a scene, as the keyboard has them and as buttons on the screen for fingers and mice.
import type { Parameter } from '@tendril/engine';
import { entry } from '../text/units';
import { h } from '../ui/dom';
import { bindingsOf, HeldKeys, type PlayKey, playKeys } from '../ui/heldKeys';

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
const shownAs: Record<PlayKey, string> = { space: 'Space', left: '←', right: '→', up: '↑', down: '↓' };

export class PlayPad {
  readonly element = h('div', { class: 'play-pad', role: 'group', aria: { label: 'Keys that play' } });
  private keys: HeldKeys;
  private readonly buttons = new Map<PlayKey, HTMLButtonElement>();

  /** Listens before the page's other keys do. */
  constructor(private readonly events: PlayPadEvents) {
    this.keys = this.newKeys({});
    this.element.hidden = true;
    document.addEventListener('keydown', (event) => this.down(event));
    document.addEventListener('keyup', (event) => this.up(event));
    window.addEventListener('blur', () => this.letGo());
  }

  /** `asked`: the scene's `view.keys`. What was held is forgotten: it belonged to another run. */
  setScene(asked: unknown, parameters: Parameter[]): void {
    this.keys = this.newKeys(bindingsOf(asked, parameters));
    this.buttons.clear();
    const used = playKeys.filter((key) => this.keys.has(key));
    this.element.replaceChildren(...used.map((key) => this.makeButton(key, this.wordsOf(key, parameters))));
    this.element.hidden = used.length === 0;
    this.rows = used.map((key) => [shownAs[key], `held: ${this.wordsOf(key, parameters)}`]);
  }

  /** The keys and what they do. */
  rows: [string, string][] = [];

  /** The scene uses the space bar, which then does not pause. */
  get hasSpace(): boolean {
    return this.keys.has('space');
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
      if (event.repeat || !this.events.running() || document.querySelector('dialog[open]')) return;
      if (isTaken(event.target as HTMLElement, key)) return;
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

  private makeButton(key: PlayKey, words: string): HTMLButtonElement {
    const button = h(
      'button',
      {
        ...{ type: 'button', class: 'play-key', title: words, data: { key } },
        // The keyboard has the key itself.
        ...{ tabIndex: -1, aria: { label: `${shownAs[key]}, held: ${words}` } },
      },
      shownAs[key],
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

  private wordsOf(key: PlayKey, parameters: Parameter[]): string {
    const values = Object.entries(this.keys.bindings[key] ?? {});
    return values
      .map(([name, value]) => {
        const parameter = parameters.find((p) => p.name === name);
        return `${parameter?.label || name} = ${entry(value, parameter?.unit ?? '')}`;
      })
      .join(', ');
  }
}

/** A person types there, or the control uses the key itself. Buttons have the Enter key too and leave the space bar. */
function isTaken(target: HTMLElement, key: PlayKey): boolean {
  if (target.closest('select, textarea, [contenteditable]')) return true;
  const input = target.closest('input');
  return input !== null && !(input.type === 'range' && key === 'space');
}
