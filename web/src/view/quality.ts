// How good the pictures are. Where a machine draws slowly they get fewer pixels and no shadows, step by step, and they get
// them back when it draws quickly again. Only pictures count that were wanted back to back: time in which nobody wanted
// one, the page was hidden or a scene came in says nothing about drawing.

export type QualityChoice = 'auto' | 'best' | 'fast';

/**
 * Pictures that take longer than this are slow, shorter than that quick; no picture counts for more than `most` [ms]. Two in a row
 * that take longer than `hopeless` are no accident, and cost two steps: a short run has time for no more of them.
 */
const slow = 45;
const quick = 36;
const most = 250;
const hopeless = 700;
/** So much time of slow pictures lowers the quality [ms]. */
const enoughSlow = 1000;
/** So much time of quick pictures raises it; twice as much after each time that this was too early [ms]. */
const enoughQuick = 3000;
const longestTrial = 60_000;
/** The first pictures of a scene prepare its shaders and buffers. */
const firstPictures = 4;

export const bestLevel = 3;
const fastLevel = 1;
const pixels = [0.5, 0.75, 1, 2];

export class Quality {
  private level = bestLevel;
  private choice: QualityChoice = 'auto';
  private still = false;
  private slowness = 0;
  private quickness = 0;
  private patience = enoughQuick;
  /** It was raised, and what follows tells whether that was too early. */
  private trial = false;
  private ignored = firstPictures;
  /** Pictures that took too long, one after the other. */
  private stuck = 0;
  /** When the picture under way was begun; null where it does not count. */
  private begun: number | null = null;

  /** `changed`: the pictures to come have another quality. */
  constructor(private readonly changed: () => void) {}

  /** From 0 to `bestLevel`. */
  get now(): number {
    if (this.choice === 'best' || this.still) return bestLevel;
    return this.choice === 'fast' ? fastLevel : this.level;
  }

  get shadows(): boolean {
    return this.now === bestLevel;
  }

  /** A picture that stands may take its time: it keeps the detail of its bodies. */
  get fineBodies(): boolean {
    return this.choice === 'best' || (this.choice === 'auto' && this.level === bestLevel);
  }

  /** Pixels of the picture along one of the page's pixels. */
  ratio(ofDevice: number): number {
    return Math.min(ofDevice, pixels[this.now]);
  }

  choose(choice: QualityChoice): void {
    this.interrupt();
    this.change(() => {
      this.choice = choice;
      this.still = false;
    });
  }

  /** A picture was begun at `now` [ms]; `another`: the next one is wanted already. */
  drawn(now: number, another: boolean): void {
    this.begun = another ? now : null;
  }

  /** The picture under way is done. */
  done(now: number): void {
    const { begun } = this;
    this.begun = null;
    if (begun === null || this.choice !== 'auto' || this.still) return;
    const took = now - begun;
    // The very first picture of a scene may take any time.
    this.stuck = took > hopeless && this.ignored < firstPictures ? this.stuck + 1 : 0;
    const counts = this.ignored === 0;
    if (!counts) this.ignored -= 1;
    if (this.stuck >= 2 && this.level > 0) this.lower(2);
    else if (counts) this.judge(Math.min(took, most));
  }

  /** The page is hidden or comes back: the picture under way tells nothing. */
  interrupt(): void {
    this.begun = null;
    this.slowness = this.quickness = this.stuck = 0;
  }

  /** Another scene: its first pictures do not count, and it may be easier to draw. */
  newScene(): void {
    this.interrupt();
    this.ignored = firstPictures;
    this.patience = enoughQuick;
    this.trial = false;
  }

  /** Nothing moves any more: the picture that stays is as good as can be. False: it is already. */
  stand(): boolean {
    if (this.choice !== 'auto' || this.still || this.level === bestLevel) return false;
    this.change(() => {
      this.still = true;
    });
    return true;
  }

  /** Something moves again. */
  move(): void {
    this.change(() => {
      this.still = false;
    });
  }

  private judge(took: number): void {
    this.slowness = took > slow ? this.slowness + took : Math.max(0, this.slowness - 2 * took);
    this.quickness = took < quick ? this.quickness + took : 0;
    if (this.slowness >= enoughSlow && this.level > 0) this.lower();
    else if (this.quickness >= this.patience) this.raise();
  }

  private lower(steps = 1): void {
    if (this.trial) this.patience = Math.min(2 * this.patience, longestTrial);
    this.trial = false;
    this.slowness = this.quickness = this.stuck = 0;
    this.change(() => {
      this.level = Math.max(0, this.level - steps);
    });
  }

  private raise(): void {
    this.quickness = 0;
    // A level that is kept for that long was no mistake.
    this.trial = this.level < bestLevel;
    if (this.level === bestLevel) return;
    this.change(() => {
      this.level += 1;
    });
  }

  private change(make: () => void): void {
    const [now, fine] = [this.now, this.fineBodies];
    make();
    if (now !== this.now || fine !== this.fineBodies) this.changed();
  }
}
