// What is on screen between two snapshots: everything that moves does so on a straight line from one to the next, so that
// the picture runs at the display's rate whatever the solver's.
import type { Moment } from '../engine/moment';

/** Contacts come and go: they are shown as the newest state has them. */
type Blended = Exclude<keyof Moment, 'contacts'>;

/** Blends are no longer than this [ms]: a slow solver's picture lags no more than that. */
const longest = 250;

/** One list of numbers under way. */
class Track {
  now = new Float32Array(0);
  to = new Float32Array(0);
  private from = new Float32Array(0);

  /** Takes where to go (copied); true if it has as many numbers as before. */
  push(values: Float32Array): boolean {
    const same = values.length === this.now.length;
    if (!same) {
      this.now = new Float32Array(values.length);
      this.from = new Float32Array(values.length);
      this.to = new Float32Array(values.length);
    }
    this.from.set(this.now);
    this.to.set(values);
    return same;
  }

  place(part: number): void {
    const { now, from, to } = this;
    if (part === 1) now.set(to);
    else for (let i = 0; i < now.length; ++i) now[i] = from[i] + (to[i] - from[i]) * part;
  }
}

export class Blend {
  private readonly tracks: Record<Blended, Track> = {
    positions: new Track(),
    directors: new Track(),
    obstacles: new Track(),
    joints: new Track(),
    tendons: new Track(),
    tensions: new Track(),
  };
  private readonly all = Object.entries(this.tracks) as [Blended, Track][];
  private begin = 0;
  private span = 0;
  private arrived = 0;

  /** Takes a new state (copied). `jump`: show it at once. Times in ms. */
  push(state: Pick<Moment, Blended>, jump: boolean, now: number): void {
    const same = this.all.map(([name, track]) => track.push(state[name])).every(Boolean);
    this.span = jump || !same ? 0 : Math.min(now - this.arrived, longest);
    this.begin = this.arrived = now;
    if (this.span === 0) this.advance(now);
  }

  /** Moves what is shown to its place at `now`; true while it is still under way. */
  advance(now: number): boolean {
    const part = this.span > 0 ? Math.min(Math.max((now - this.begin) / this.span, 0), 1) : 1;
    for (const [, track] of this.all) track.place(part);
    return part < 1;
  }

  /** As shown. */
  get positions(): Float32Array {
    return this.tracks.positions.now;
  }

  get directors(): Float32Array {
    return this.tracks.directors.now;
  }

  /** How far the obstacles have moved, as shown. */
  get obstacles(): Float32Array {
    return this.tracks.obstacles.now;
  }

  get joints(): Float32Array {
    return this.tracks.joints.now;
  }

  get tendons(): Float32Array {
    return this.tracks.tendons.now;
  }

  get tensions(): Float32Array {
    return this.tracks.tensions.now;
  }

  /** The newest true state, whatever is shown. */
  get latest(): Pick<Moment, 'positions' | 'obstacles' | 'joints'> {
    const { positions, obstacles, joints } = this.tracks;
    return { positions: positions.to, obstacles: obstacles.to, joints: joints.to };
  }
}
