// What a person is told when the run meets trouble: steps that were cut, a solver that gave up, a step that takes long,
// an engine that stopped. The two last offer a new worker that stands where the last save was made.
import type { SceneInfo } from '@tendril/engine';
import type { EngineClient } from '../engine/client';
import { moment } from '../text/units';
import type { Messages } from './messages';
import type { Transport } from './transport';

export interface TroubleContext {
  info(): SceneInfo | null;
  openText(): void;
}

export class Troubles {
  /** Notes on the run. */
  private readonly said = new Set<string>();
  private time = 0;

  constructor(
    private readonly client: EngineClient,
    private readonly messages: Messages,
    private readonly transport: Transport,
    private readonly context: TroubleContext,
  ) {
    client.on('retried', ({ time, count, messages: words }) => this.retried(time, count, words));
    client.on('status', ({ time }) => {
      if (time === 0 && this.time > 0) this.startsAgain();
      this.time = time;
    });
    client.on('gaveUp', ({ time, message }) => this.gaveUp(time, message));
    client.on('broken', ({ message }) => {
      messages.clear('late');
      const came = client.hasCome;
      const again = { label: came ? 'Start it again' : 'Try again', primary: true, action: () => this.restart() };
      messages.keep(
        'broken',
        'trouble',
        came ? 'The engine stopped.' : 'The simulation engine could not be loaded.',
        message,
        [again],
      );
    });
    client.onLate = (seconds) => this.late(seconds);
  }

  private retried(time: number, count: number, words: string[]): void {
    if (count > 0)
      this.transport.mark('retry', time, `at ${this.moment(time)} a step did not converge and was cut`, count);
    for (const text of words.map(tidyNumbers)) {
      this.said.add(text);
      this.messages.note(text, 8);
    }
  }

  /** What was said of the run goes with it. */
  private startsAgain(): void {
    this.messages.unsay((text) => this.said.has(text));
    this.said.clear();
  }

  private gaveUp(time: number, raw: string): void {
    const message = tidyNumbers(raw);
    const when = this.moment(time);
    this.transport.mark('gaveUp', time, `at ${when} the solver gave up: ${message}`);
    const ended = /[.!?]$/.test(message) ? message : `${message}.`;
    const words = `${ended} ${advice(message, this.context.info()?.static ?? false)}`.trim();
    this.messages.unsay((note) => repeats(note, message));
    this.messages.keep('gave-up', 'trouble', `The solver gave up at ${when}.`, words, [
      { label: 'Open the text', action: () => this.context.openText() },
      { label: 'Back to the start', action: () => this.client.send({ type: 'reset' }) },
    ]);
  }

  private late(seconds: number): void {
    if (seconds === 0) {
      this.messages.clear('late');
      return;
    }
    const waited = seconds < 1.5 ? '…' : ` (${Math.round(seconds)} s).`;
    const known = this.context.info() !== null;
    // Without its text no scene is being loaded.
    if (!known && this.messages.has('text')) return;
    if (this.client.isLoading || !known) {
      const stop = { label: 'Stop it', action: () => this.client.stopLoading() };
      this.messages.keep('late', 'info', `Loading the scene${waited}`, '', known && seconds > 3 ? [stop] : []);
      return;
    }
    const stop = { label: 'Stop it', action: () => this.restart() };
    this.messages.keep('late', 'info', `One long step is being computed${waited}`, '', [stop]);
  }

  private restart(): void {
    this.messages.clear('late');
    this.messages.clear('broken');
    this.client.replace();
  }

  private moment(time: number): string {
    return moment(time, this.context.info()?.duration ?? time);
  }
}

/** Numbers of more than six digits, as the engine writes times exactly, with six. */
export function tidyNumbers(text: string): string {
  return text.replace(/\d+\.\d{5,}(?:e[-+]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(6))));
}

/** A note on a cut step gives its reason in brackets: in the message of the end it stands again. */
export function repeats(note: string, message: string): boolean {
  const reason = /\((.+)\) and was cut/.exec(note)?.[1];
  return reason !== undefined && message.includes(reason);
}

/** Names of things in quotes; other quoted words are keys of the scene. */
const quotedNames =
  /\b(?:vine|obstacle|rod|shell|linkage|link|joint|cable|body|bodies|parameter|probe|series|material|of|and) "[^"]*"/g;

/** What to try after the solver gave up, from its words; "" where they name the key to change themselves. */
export function advice(message: string, isStatic: boolean): string {
  if (/"\w+"/.test(message.replace(quotedNames, ''))) return '';
  if (/no room left/.test(message)) return 'Move that obstacle, or let the vine grow less.';
  if (/formula|nan|not a number|not finite|divi/i.test(message))
    return 'Look at that formula: what does it give at this time?';
  if (isStatic) return 'Try more load steps ("loadSteps"), a smaller load, or a dynamic run with damping.';
  return 'Try a smaller "dt", "adaptive" time steps, more damping, or gentler loads.';
}
