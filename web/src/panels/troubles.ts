// What a person is told when the run meets trouble: steps that were cut, a solver that gave up, a step that takes long,
// an engine that stopped. The two last offer a new worker that stands where the last save was made.
import type { SceneInfo } from '@tendril/engine';
import type { EngineClient } from '../engine/client';
import type { GaveUpReply, Request } from '../engine/protocol';
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
  /** What waited for a part that did not arrive. */
  private unfetched: Request | null = null;
  private fetchingSoon: ReturnType<typeof setTimeout> | undefined;

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
    client.on('gaveUp', (reply) => this.gaveUp(reply));
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
        // Without an engine there is nothing else that would tell what is the matter.
        came,
      );
    });
    client.on('fetching', ({ on }) => this.fetching(on));
    client.on('ready', () => this.fetching(false));
    client.on('validated', () => messages.clear('unfetched'));
    client.on('unfetched', ({ request }) => {
      messages.clear('late');
      this.unfetched = request ?? { type: 'play' };
      messages.keep(
        'unfetched',
        'trouble',
        'A part of the engine did not arrive.',
        'Linkages, vines and some other features need it. Is there a connection? If there is, reload the page.',
        [{ label: 'Try again', primary: true, action: () => this.sendAgain() }],
      );
    });
    client.onLate = (seconds) => this.late(seconds);
  }

  /** What comes at once is not worth words. */
  private fetching(on: boolean): void {
    clearTimeout(this.fetchingSoon);
    if (!on) {
      this.messages.clear('fetching');
      return;
    }
    const stop = { label: 'Stop it', action: () => this.client.stopLoading() };
    const text = 'Linkages, vines and some other features need it.';
    this.fetchingSoon = setTimeout(() => {
      this.messages.clear('late');
      this.messages.keep(
        'fetching',
        'info',
        'A part of the engine is on its way…',
        text,
        // Before the first scene there is nothing to go back to.
        this.context.info() ? [stop] : [],
      );
    }, 400);
  }

  private retried(time: number, count: number, words: string[]): void {
    if (count > 0)
      this.transport.mark('retry', time, `at ${this.moment(time)} a step did not converge and was cut`, count);
    for (const text of words) {
      this.said.add(text);
      this.messages.note(text, 8);
    }
  }

  /** What was said of the run goes with it. */
  private startsAgain(): void {
    this.messages.unsay((text) => this.said.has(text));
    this.said.clear();
  }

  private gaveUp({ time, message, words, repeats }: GaveUpReply): void {
    const when = this.moment(time);
    this.transport.mark('gaveUp', time, `at ${when} the solver gave up: ${message}`);
    this.messages.unsay((note) => note === repeats);
    this.messages.keep('gave-up', 'trouble', `The solver gave up at ${when}.`, words, [
      { label: 'Open the text', action: () => this.context.openText() },
      { label: 'Back to the start', action: () => this.client.send({ type: 'reset' }) },
    ]);
  }

  private late(seconds: number): void {
    if (seconds === 0 || this.messages.has('fetching')) {
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
    const what = this.client.isChecking ? 'The text is being checked' : 'One long step is being computed';
    this.messages.keep('late', 'info', what + waited, '', [stop]);
  }

  /** Whether Play asks again for the engine, or for the part of it that the first scene or the run waits for. */
  tryAgain(): boolean {
    if (this.messages.has('unfetched') && (!this.context.info() || this.unfetched?.type === 'play')) {
      this.sendAgain();
      return true;
    }
    if (!this.client.isBroken) return false;
    this.restart();
    return true;
  }

  private sendAgain(): void {
    this.messages.clear('unfetched');
    if (this.unfetched) this.client.sendAgain(this.unfetched);
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
