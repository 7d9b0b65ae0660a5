// The bar under the view: play, step, reset, loop, the timeline with its marks, speed asked and reached, what the solver did.
// Of a static scene the timeline is its load, which can be dragged.
import type { StatusReply } from '../engine/protocol';
import { clock, count } from '../text/units';
import { h, icon, iconButton } from '../ui/dom';
import { remember, remembered } from '../ui/remembered';

export interface TransportEvents {
  playPause(): void;
  step(): void;
  reset(): void;
  speed(value: number): void;
  /** A run that has ended starts again by itself. */
  loop(wanted: boolean): void;
  /** Statics: to a time, or one load step forth or back. */
  seek(goal: { time: number } | { by: 1 | -1 }): void;
  /** A mouse is over the timeline, at this time; null: no longer. */
  pointed(time: number | null): void;
}

type Trouble = 'retry' | 'gaveUp';

/** Marks nearer than this part of the timeline are one. */
const bucket = 1 / 120;
const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, Infinity];

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly playIcons = { play: icon('play'), pause: icon('pause') };
  private readonly fill = h('div', { class: 'timeline-fill' });
  private readonly marks = h('div', { class: 'timeline-marks' });
  private readonly timeline: HTMLElement;
  /** Where the cursor of the plots is. */
  private readonly moment = h('div', { class: 'timeline-moment', hidden: true });
  private readonly loopButton: HTMLButtonElement;
  /** The load of a static scene [%]. */
  private readonly load = h('input', {
    type: 'range',
    id: 'load',
    min: '0',
    max: '100',
    step: 'any',
    aria: { label: 'Load' },
  });
  /** It is being dragged: news of the run do not move it. */
  private dragged = false;
  private finished = false;
  private readonly time = h('output', { class: 'time', id: 'time', aria: { live: 'off' } });
  private readonly speedMenu: HTMLSelectElement;
  private readonly reached = h('span', { class: 'reached', id: 'reached' });
  private readonly work = h('span', { class: 'work', id: 'work' });
  private readonly buckets = new Map<string, { button: HTMLButtonElement; count: number; words: string }>();
  private duration = 0;
  private isStatic = false;
  private playing = false;
  private key = 'space';
  private speed = 1;

  constructor(private readonly events: TransportEvents) {
    this.playButton = iconButton('play', 'Play (space)', () => events.playPause(), 'primary');
    this.playButton.id = 'play';
    this.playButton.replaceChildren(this.playIcons.play);
    const step = iconButton('step', 'One step (right arrow)', () => events.step());
    step.id = 'step';
    const reset = iconButton('reset', 'Back to the start (R)', () => events.reset());
    reset.id = 'reset';
    this.loopButton = iconButton('loop', 'Start again at the end (L)', () => this.toggleLoop());
    this.loopButton.id = 'loop';
    this.loopButton.setAttribute('aria-pressed', 'false');
    this.listenToLoad();
    this.timeline = h('div', {
      class: 'timeline-track',
      role: 'progressbar',
      aria: { label: 'Simulated time', valuemin: '0', valuemax: '100', valuenow: '0' },
    });
    this.timeline.append(this.fill);
    this.timeline.title = 'How far the run is. Point at a moment to read it in the plots.';
    this.speedMenu = h('select', { id: 'speed', aria: { label: 'Speed asked for' } });
    this.speedMenu.addEventListener('change', () => {
      this.speed = Number(this.speedMenu.value);
      events.speed(this.speed);
    });
    this.element = h(
      'footer',
      { class: 'transport', aria: { label: 'Run' }, role: 'region' },
      h('div', { class: 'buttons' }, this.playButton, step, reset, this.loopButton),
      this.timelineBox(),
      this.time,
      h('div', { class: 'pace' }, this.speedMenu, this.reached),
      this.work,
    );
    this.fillSpeeds(1);
    this.load.hidden = true;
  }

  /** What was chosen in an earlier visit. */
  restore(): void {
    if (remembered('loop') === 'on') this.setLoop(true);
  }

  get loops(): boolean {
    return this.loopButton.getAttribute('aria-pressed') === 'true';
  }

  toggleLoop(): void {
    const wanted = !this.loops;
    remember('loop', wanted ? 'on' : 'off');
    this.setLoop(wanted);
  }

  setScene(duration: number, isStatic: boolean, speed: number): void {
    this.duration = duration;
    this.isStatic = isStatic;
    this.speed = speed;
    this.fillSpeeds(speed);
    this.element.classList.toggle('static', isStatic);
    this.timeline.hidden = isStatic;
    this.load.hidden = !isStatic;
    this.dragged = false;
    this.clearMarks();
  }

  /** The key that plays and pauses. */
  setKey(key: string): void {
    this.key = key;
    this.label();
  }

  /** `time`: of the cursor of the plots; null: it is nowhere. */
  markMoment(time: number | null): void {
    this.moment.hidden = time === null;
    if (time !== null) this.moment.style.left = `${100 * this.partOf(time)}%`;
  }

  setDuration(duration: number): void {
    this.duration = duration;
  }

  status(status: StatusReply): void {
    const { time, late, playing, finished, steps, iterations } = status;
    this.setPlaying(playing, finished);
    const part = this.partOf(time);
    this.showLoad(part);
    this.fill.style.transform = `scaleX(${part})`;
    this.timeline.setAttribute('aria-valuenow', String(Math.round(100 * part)));
    this.timeline.setAttribute('aria-valuetext', this.timeWords(time));
    this.time.value = this.timeWords(time);
    this.time.dataset.value = String(time);
    this.reached.textContent = this.paceWords(status);
    this.reached.classList.toggle('limited', status.limited && playing);
    const perStep = steps > 0 ? iterations / steps : 0;
    this.work.replaceChildren(
      `${count(steps)} ${steps === 1 ? 'step' : 'steps'}`,
      h('span', { class: 'wide' }, iterations > 0 ? `, ${perStep.toFixed(1)} iterations each` : ''),
    );
    this.work.title = `${count(steps)} accepted steps, ${count(iterations)} Newton iterations, ${count(status.retries)} steps cut`;
    document.documentElement.dataset.run = playing ? 'playing' : late ? 'pausing' : finished ? 'finished' : 'paused';
  }

  /** A mark on the timeline; near ones of a kind become one. */
  mark(kind: Trouble, time: number, words: string, times = 1): void {
    const part = this.partOf(time);
    const key = `${kind} ${Math.round(part / bucket)}`;
    let found = this.buckets.get(key);
    if (!found) {
      const button = h('button', { type: 'button', class: `mark ${kind}` }, h('span', { class: 'tip' }));
      button.style.left = `${100 * part}%`;
      if (part > 0.6) button.classList.add('late');
      this.marks.append(button);
      found = { button, count: 0, words };
      this.buckets.set(key, found);
    }
    found.count += times;
    const text = kind === 'retry' && found.count > 1 ? `${words} (${found.count} times near here)` : words;
    found.button.setAttribute('aria-label', text);
    (found.button.firstChild as HTMLElement).textContent = text;
  }

  clearMarks(): void {
    this.buckets.clear();
    this.marks.replaceChildren();
  }

  private partOf(time: number): number {
    return this.duration > 0 ? Math.min(time / this.duration, 1) : 0;
  }

  private timelineBox(): HTMLElement {
    const box = h('div', { class: 'timeline' }, this.timeline, this.load, this.moment, this.marks);
    box.addEventListener('pointermove', ({ clientX, pointerType }) => {
      if (pointerType !== 'mouse') return;
      const { left, width } = box.getBoundingClientRect();
      this.events.pointed(((clientX - left) / width) * this.duration);
    });
    box.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse') this.events.pointed(null);
    });
    return box;
  }

  private setLoop(wanted: boolean): void {
    this.loopButton.setAttribute('aria-pressed', String(wanted));
    this.events.loop(wanted);
  }

  private listenToLoad(): void {
    const { load } = this;
    load.addEventListener('input', () => {
      this.dragged = true;
      load.style.setProperty('--part', String(Number(load.value) / 100));
      this.events.seek({ time: (Number(load.value) / 100) * this.duration });
    });
    load.addEventListener('change', () => {
      this.dragged = false;
    });
    load.addEventListener('keydown', (event) => {
      const forth = ['ArrowRight', 'ArrowUp'].includes(event.key);
      if (!forth && !['ArrowLeft', 'ArrowDown'].includes(event.key)) return;
      event.preventDefault();
      this.events.seek({ by: forth ? 1 : -1 });
    });
  }

  private showLoad(part: number): void {
    if (!this.isStatic || this.dragged) return;
    this.load.value = String(100 * part);
    this.load.style.setProperty('--part', String(part));
    this.load.setAttribute('aria-valuetext', `${Math.round(100 * part)} %`);
  }

  private setPlaying(playing: boolean, finished: boolean): void {
    if (playing === this.playing && finished === this.finished) return;
    this.playing = playing;
    this.finished = finished;
    this.label();
    this.playButton.replaceChildren(this.playIcons[playing ? 'pause' : 'play']);
  }

  private label(): void {
    const words = this.playing ? 'Pause' : this.finished ? 'Play again from the start' : 'Play';
    const label = `${words} (${this.key})`;
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = label;
  }

  private timeWords(time: number): string {
    if (this.isStatic) {
      const part = this.duration > 0 ? time / this.duration : 0;
      return `load ${Math.round(100 * part)} %`;
    }
    return `${clock(time, this.duration)} / ${clock(this.duration, this.duration)}`;
  }

  private paceWords({ playing, finished, factor, limited }: StatusReply): string {
    if (this.isStatic) return finished ? 'in balance' : playing ? 'growing' : '';
    if (finished && playing) return 'starts again';
    if (!playing) return finished ? 'end of the run' : 'paused';
    if (Number.isNaN(factor)) return '';
    const shown = factor >= 99.5 ? factor.toFixed(0) : factor >= 9.95 ? factor.toFixed(1) : factor.toPrecision(2);
    if (limited && factor < 0.95 * this.speed) return `${shown}×: as fast as this machine goes`;
    return `${shown}× real time`;
  }

  private fillSpeeds(chosen: number): void {
    const list = speeds.includes(chosen) ? speeds : [...speeds, chosen].sort((a, b) => a - b);
    const words = (value: number): string => (value === Infinity ? 'max' : `×${value}`);
    this.speedMenu.replaceChildren(...list.map((value) => h('option', { value: String(value) }, words(value))));
    this.speedMenu.value = String(chosen);
  }
}
