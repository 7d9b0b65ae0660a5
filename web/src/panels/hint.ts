// The line over the view that says what can be done with keys and pointer now. It goes after a while, and comes back when
// there is something else to say.
import { h } from '../ui/dom';
import type { PadKey } from '../ui/padWords';
import { type BodyKind, hintWords, obstacleWords, type RunState } from '../view/fields';

const shownFor = 20_000;

export class Hint {
  readonly element = h('p', { class: 'hint' });
  private kinds: BodyKind[] = [];
  private keys: PadKey[] = [];
  private solids = false;
  private state: RunState = 'start';
  private timer = 0;

  /** `solids`: there are obstacles that can be dragged. */
  setScene(kinds: BodyKind[], keys: PadKey[], solids: boolean): void {
    Object.assign(this, { kinds, keys, solids });
    this.write();
  }

  setRun(playing: boolean, time: number): void {
    const state = playing ? 'playing' : time > 0 ? 'within' : 'start';
    if (state === this.state) return;
    this.state = state;
    this.write();
  }

  /** It has been followed. */
  done(): void {
    this.element.classList.add('done');
  }

  private write(): void {
    const touch = matchMedia('(hover: none) and (pointer: coarse)').matches;
    const obstacles = obstacleWords(this.kinds, this.solids, this.state);
    // On a small screen the buttons say it too: what is new there comes alone.
    const alone = touch && this.state === 'within' && obstacles !== '';
    const words = [alone ? '' : hintWords(this.kinds, this.keys, touch), obstacles];
    const text = words.filter((part) => part !== '').join(' · ');
    if (text === this.element.textContent) return;
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.remove('done');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.done(), shownFor);
  }
}
