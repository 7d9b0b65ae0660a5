// Keeps what a scene is about in sight and large, as long as nobody has moved the camera: it stays where it is until something leaves
// the picture or has become small, and then glides to where that is seen as large as it was at first.
import * as THREE from 'three';
import { distanceAround } from './framing';

/** What is shown smaller than this part of what it was at first is small. */
const small = 0.7;
/** Of half the picture: beyond it something leaves it, and within the second part it is framed. */
const edge = 0.98;
const frame = 0.88;
/** How fast the camera glides, and how long it remembers where something was [s]. */
const glide = 0.35;
const memory = 2;

export interface Sight {
  target: THREE.Vector3;
  distance: number;
}

export interface Lens {
  /** Of the camera: to its right, upwards and backwards. */
  axes: THREE.Vector3[];
  /** Of half its angles of view, across and upright. */
  tangents: [number, number];
}

/** How what the camera was framed for was seen. */
interface First {
  length: number;
  distance: number;
  /** From its middle to what the camera looks at. */
  offset: THREE.Vector3;
}

export class InSight {
  private readonly seen = new THREE.Box3();
  private first: First | null = null;
  private gliding = false;

  /** What the camera was framed for, and how. Where there is nothing to see, it watches nothing. */
  start(box: THREE.Box3, { target, distance }: Sight): void {
    this.gliding = false;
    this.first = null;
    if (!hasSize(box)) return;
    const offset = target.clone().sub(box.getCenter(new THREE.Vector3()));
    this.first = { length: lengthOf(box), distance, offset };
    this.seen.copy(box);
  }

  stop(): void {
    this.first = null;
  }

  get active(): boolean {
    return this.first !== null;
  }

  /** Size of what is kept in sight at first [m]. */
  get size(): number {
    return this.first?.length ?? 0;
  }

  /** It is shown so small that the camera comes near as soon as it has forgotten where else it was. */
  isSmall(box: THREE.Box3, now: Sight, lens: Lens): boolean {
    const { first } = this;
    if (!first || !hasSize(box)) return false;
    return goalFor(box, first, lens).distance < 0.98 * small * now.distance;
  }

  /** Where the camera goes in the next picture, `seconds` after the last; null: it stays. */
  next(box: THREE.Box3, now: Sight, lens: Lens, seconds: number): Sight | null {
    const { first, seen } = this;
    if (!first || !hasSize(box)) return null;
    // What swings is remembered where it was, so that the camera need not swing with it; what was far larger than all that is
    // there now, only as long.
    const excess = Math.log2(lengthOf(seen) / lengthOf(box));
    const part = 1 - Math.exp((-seconds * Math.max(1, excess)) / memory);
    seen.min.lerp(box.min, part).min(box.min);
    seen.max.lerp(box.max, part).max(box.max);
    const goal = goalFor(seen, first, lens);
    const least = distanceAround(seen, now.target, lens.axes, scaled(lens.tangents, edge));
    if (isThere(now, goal)) this.gliding = false;
    else if (now.distance < least || goal.distance < small * now.distance) this.gliding = true;
    if (!this.gliding) return null;
    const step = 1 - Math.exp(-seconds / glide);
    return {
      target: now.target.clone().lerp(goal.target, step),
      distance: now.distance * (goal.distance / now.distance) ** step,
    };
  }
}

/** What was small in a wide view at first, with room to grow into, fills at least this part of it once the camera moves. */
const leastPart = 0.7;

/** From where a box is seen as large as at first, or all of it where that is farther away. */
function goalFor(box: THREE.Box3, first: First, { axes, tangents }: Lens): Sight {
  const growth = lengthOf(box) / first.length;
  const target = box.getCenter(new THREE.Vector3()).addScaledVector(first.offset, growth);
  const near = distanceAround(box, target, axes, scaled(tangents, frame));
  return { target, distance: Math.max(Math.min(first.distance * growth, near / leastPart), near) };
}

const isThere = (now: Sight, goal: Sight): boolean =>
  now.target.distanceTo(goal.target) < 0.01 * goal.distance && Math.abs(now.distance / goal.distance - 1) < 0.01;
const hasSize = (box: THREE.Box3): boolean => !box.isEmpty() && Number.isFinite(lengthOf(box));
const lengthOf = (box: THREE.Box3): number => Math.max(box.min.distanceTo(box.max), 1e-9);
const scaled = ([x, y]: [number, number], part: number): [number, number] => [part * x, part * y];
