// The line over the view that says what can be done with keys and pointer now. It goes after a while, and comes back when
// there is something else to say.
import { h } from '../ui/dom';
import type { PadKey } from '../ui/padWords';
import { type BodyKind, endWords, hintWords, obstacleWords, type RunState } from '../view/fields';

const shownFor = 20_000;
const loadWords = 'drag the bar below to change the load';

export class Hint {
  readonly element = h('p', { class: 'hint' });
  private kinds: BodyKind[] = [];
  private keys: PadKey[] = [];
  private solids = false;
  private isStatic = false;
  private state: RunState = 'start';
  private timer = 0;

  /** `solids`: there are obstacles that can be dragged. */
  setScene(kinds: BodyKind[], keys: PadKey[], solids: boolean, isStatic: boolean): void {
    Object.assign(this, { kinds, keys, solids, isStatic });
    this.write();
  }

  setRun(playing: boolean, time: number, finished: boolean): void {
    const state = playing ? 'playing' : finished ? 'end' : time > 0 ? 'within' : 'start';
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
    const over = this.state === 'end' && !this.isStatic && this.keys.length === 0;
    const alone = touch && (this.state === 'within' || this.state === 'end') && obstacles !== '';
    const now = over ? endWords(touch) : hintWords(this.kinds, this.keys, touch);
    const words = [alone ? '' : now, obstacles, this.isStatic && this.state !== 'playing' ? loadWords : ''];
    const text = words.filter((part) => part !== '').join(' · ');
    if (text === this.element.textContent) return;
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.remove('done');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.done(), shownFor);
  }
}
