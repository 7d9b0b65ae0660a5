// A dragged obstacle moves in the text that the editor has, which may be ahead of the scene on screen: then that text is
// checked first, and with problems in it nothing moves. What cannot be moved goes back, with words that say why.
import type { Problem } from '@tendril/engine';
import type { Version } from './history';
import type { Dragged } from './openings';
import { textEdits } from './textEdits';

export interface ObstacleMovesHost {
  /** The editor's text. */
  written(): string;
  /** The scene on screen, with the values that were set. */
  shown(): Version;
  /** Asks for the problems of a text; the answer comes by `checked`, with the number that is returned. */
  validate(text: string): number;
  load(version: Version, dragged: Dragged): void;
  say(words: string): void;
  putBack(): void;
}

interface Wanted {
  obstacle: string;
  offset: number[];
  least: number;
}

export class ObstacleMoves {
  private waiting: (Wanted & { id: number; text: string }) | null = null;

  constructor(private readonly host: ObstacleMovesHost) {}

  /** `offset` [m] from its place; shorter ways than `least` are none. What cannot be moved is put back. */
  async move(obstacle: string, offset: number[], least: number): Promise<void> {
    const text = this.host.written();
    const wanted = { obstacle, offset, least };
    if (text === this.host.shown().text) await this.apply(text, wanted);
    else this.waiting = { ...wanted, text, id: this.host.validate(text) };
  }

  /** A text was checked. */
  async checked(id: number, problems: Problem[]): Promise<void> {
    const { waiting } = this;
    if (waiting?.id !== id) return;
    this.waiting = null;
    const [first] = problems;
    if (!first) {
      await this.apply(waiting.text, waiting);
      return;
    }
    const where = `Line ${first.line} of the text cannot run: ${first.message}`;
    this.host.say(`"${waiting.obstacle}" stays where it was. ${where.replace(/[^.!?]$/, '$&.')}`);
    this.host.putBack();
  }

  private async apply(before: string, { obstacle, offset, least }: Wanted): Promise<void> {
    const edits = await textEdits.get().catch(() => null);
    const moved = edits?.withObstacleMoved(before, obstacle, offset, least) ?? { refused: notThere(obstacle) };
    if ('refused' in moved) this.host.say(moved.refused);
    if (!edits || 'refused' in moved || moved.text === before) {
      this.host.putBack();
      return;
    }
    // A parameter that was written anew in the text has its value from there.
    const set = edits.keptValues(this.host.shown(), before);
    this.host.load({ text: moved.text, set }, { obstacle, before });
  }
}

const notThere = (obstacle: string): string =>
  `"${obstacle}" stays where it was: a part of the page did not arrive. Move it again.`;
