// A mode of vibration in the view: all points go to and fro about where they stand.

/** One swing, whatever the mode's own frequency [ms]. */
const period = 1600;
/** The farthest point goes as far, of the size of what is shown. */
const reach = 0.12;

export class Swing {
  private away: Float32Array | null = null;
  private factor = 0;
  private begin = Number.NaN;
  private shown = new Float32Array(0);

  /** People who asked for less motion see how far it goes. */
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');

  get moves(): boolean {
    return this.away !== null && !this.still.matches;
  }

  /** 3 numbers per point [m]; null: no more. `size`: of what is shown [m]. */
  set(away: Float32Array | null, size: number): void {
    let most = 0;
    for (let i = 0; away && i < away.length; i += 3)
      most = Math.max(most, Math.hypot(away[i], away[i + 1], away[i + 2]));
    this.away = most > 0 ? away : null;
    this.factor = most > 0 ? (reach * size) / most : 0;
    this.begin = Number.NaN;
  }

  /** Where the points are at `now` [ms], of those that stand in `positions`. */
  of(positions: Float32Array, now: number): Float32Array {
    const { away } = this;
    if (away?.length !== positions.length) return positions;
    if (Number.isNaN(this.begin)) this.begin = now;
    if (this.shown.length !== positions.length) this.shown = new Float32Array(positions.length);
    const phase = this.still.matches ? 1 : Math.sin((2 * Math.PI * (now - this.begin)) / period);
    const part = this.factor * phase;
    for (let i = 0; i < positions.length; ++i) this.shown[i] = positions[i] + part * away[i];
    return this.shown;
  }
}
