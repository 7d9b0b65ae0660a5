// What is on screen between two snapshots: positions and directors move on a straight line from one to the next,
// so that the picture runs at the display's rate whatever the solver's.

/** Blends are no longer than this [ms]: a slow solver's picture lags no more than that. */
const longest = 250;

export class Blend {
  positions = new Float32Array(0);
  directors = new Float32Array(0);
  private fromPositions = new Float32Array(0);
  private fromDirectors = new Float32Array(0);
  private toPositions = new Float32Array(0);
  private toDirectors = new Float32Array(0);
  private begin = 0;
  private span = 0;
  private arrived = 0;

  /** Takes a new state (copied). `jump`: show it at once. Times in ms. */
  push(positions: Float32Array, directors: Float32Array, jump: boolean, now: number): void {
    const sameSize = positions.length === this.positions.length;
    if (!sameSize) this.resize(positions.length);
    this.fromPositions.set(this.positions);
    this.fromDirectors.set(this.directors);
    this.toPositions.set(positions);
    this.toDirectors.set(directors);
    this.span = jump || !sameSize ? 0 : Math.min(now - this.arrived, longest);
    this.begin = this.arrived = now;
    if (this.span === 0) this.advance(now);
  }

  /** Moves what is shown to its place at `now`; true while it is still under way. */
  advance(now: number): boolean {
    const part = this.span > 0 ? Math.min(Math.max((now - this.begin) / this.span, 0), 1) : 1;
    const { positions, directors } = this;
    if (part === 1) {
      positions.set(this.toPositions);
      directors.set(this.toDirectors);
      return false;
    }
    for (let i = 0; i < positions.length; ++i) {
      positions[i] = this.fromPositions[i] + (this.toPositions[i] - this.fromPositions[i]) * part;
      directors[i] = this.fromDirectors[i] + (this.toDirectors[i] - this.fromDirectors[i]) * part;
    }
    return true;
  }

  /** The newest true positions, whatever is shown. */
  get latest(): Float32Array {
    return this.toPositions;
  }

  private resize(length: number): void {
    this.positions = new Float32Array(length);
    this.directors = new Float32Array(length);
    this.fromPositions = new Float32Array(length);
    this.fromDirectors = new Float32Array(length);
    this.toPositions = new Float32Array(length);
    this.toDirectors = new Float32Array(length);
  }
}
