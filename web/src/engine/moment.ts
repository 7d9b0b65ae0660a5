// One moment's numbers as they travel: lists of floats one after the other in one buffer, how many each has beside it.
import type { Snapshot } from '@tendril/engine';
import type { DrawingData } from './protocol';

/** How much there is of what moves. */
export interface Counts {
  points: number;
  obstacles: number;
  joints: number;
  /** Points of all tendons. */
  tendonPoints: number;
  tendons: number;
  /** That vines feel; their number changes from moment to moment. */
  contacts: number;
}

/** What moves, besides the field's values. */
export type Moment = Omit<Snapshot, 'time' | 'curvature' | 'strain' | 'energy'>;

/** The lists with numbers per item, in their order in the buffer; the field's values, 1 per point, stand at the end. */
const lists: [keyof Moment, keyof Counts, number][] = [
  ['positions', 'points', 3],
  ['directors', 'points', 3],
  ['obstacles', 'obstacles', 3],
  ['joints', 'joints', 6],
  ['tendons', 'tendonPoints', 3],
  ['tensions', 'tendons', 1],
  ['contacts', 'contacts', 6],
];

/** Of a moment of a simulation with this drawing. */
export function countsOf({ round, obstacles, joints, tendons }: DrawingData, now: Snapshot): Counts {
  const tendonPoints = tendons.reduce((sum, { pointCount }) => sum + pointCount, 0);
  return {
    points: round.length,
    obstacles: obstacles.length,
    joints: joints.length,
    tendonPoints,
    tendons: tendons.length,
    contacts: now.contacts.length / 6,
  };
}

/** Bytes of the buffer. */
export function bytesOf(counts: Counts, withField: boolean): number {
  const floats = lists.reduce((sum, [, what, each]) => sum + counts[what] * each, 0);
  return 4 * (floats + (withField ? counts.points : 0));
}

/** The lists as views over the buffer. */
export function viewsOf(buffer: ArrayBuffer, counts: Counts): Moment {
  let at = 0;
  const next = (length: number): Float32Array => {
    const view = new Float32Array(buffer, at, length);
    at += 4 * length;
    return view;
  };
  return Object.fromEntries(lists.map(([name, what, each]) => [name, next(counts[what] * each)])) as unknown as Moment;
}

/** The field's values in a buffer that has them. */
export function valuesOf(buffer: ArrayBuffer, counts: Counts): Float32Array {
  return new Float32Array(buffer, bytesOf(counts, false), counts.points);
}

/** Writes what the engine shows into the views. */
export function fill(views: Moment, now: Snapshot): void {
  for (const [name] of lists) views[name].set(now[name]);
}
