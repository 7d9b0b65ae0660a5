// A dragged obstacle moves in the text that the editor has, which may be ahead of the scene on screen: then that text is
// checked first, and with problems in it nothing moves. What cannot be moved goes back, with words that say why.
import type { Problem } from '@tendril/engine';
import { withObstacleMoved } from '../text/placeOfObstacle';
import { find } from '../text/withValues';
import type { Version } from './history';
import type { Dragged } from './openings';

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

  /** `offset` [m] from its place; shorter ways than `least` are none. False: it goes back. */
  move(obstacle: string, offset: number[], least: number): boolean {
    const text = this.host.written();
    const wanted = { obstacle, offset, least };
    if (text === this.host.shown().text) return this.apply(text, wanted);
    this.waiting = { ...wanted, text, id: this.host.validate(text) };
    return true;
  }

  /** A text was checked. */
  checked(id: number, problems: Problem[]): void {
    const { waiting } = this;
    if (waiting?.id !== id) return;
    this.waiting = null;
    const [first] = problems;
    if (first) {
      const where = `Line ${first.line} of the text cannot run: ${first.message}`;
      this.host.say(`"${waiting.obstacle}" stays where it was. ${where.replace(/[^.!?]$/, '$&.')}`);
    }
    if (first || !this.apply(waiting.text, waiting)) this.host.putBack();
  }

  private apply(before: string, { obstacle, offset, least }: Wanted): boolean {
    const moved = withObstacleMoved(before, obstacle, offset, least);
    if ('refused' in moved) this.host.say(moved.refused);
    if ('refused' in moved || moved.text === before) return false;
    this.host.load({ text: moved.text, set: this.valuesFor(before) }, { obstacle, before });
    return true;
  }

  /** A parameter that was written anew in the text has its value from there. */
  private valuesFor(text: string): Record<string, number> {
    const shown = this.host.shown();
    const entry = (source: string, name: string): string | null => {
      const range = find(source, ['parameters', name]);
      return range && source.slice(range.from, range.to);
    };
    const kept = Object.entries(shown.set).filter(([name]) => entry(text, name) === entry(shown.text, name));
    return Object.fromEntries(kept);
  }
}
