// Displacements from the shape at the start, drawn larger than they are where they could not be seen: a linear map of every drawn
// point, so that what is picked, pulled, followed and framed is what is shown.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';

/** What is drawn moves by no more than this part of the structure's size. */
const mostPart = 0.5;

/** The largest of 1, 2, 5, 10, 20 ... that is not above `value`; at least 1. */
export function roundFactor(value: number): number {
  if (!(value > 1) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return power * ([5, 2].find((lead) => value >= lead * power * (1 - 1e-9)) ?? 1);
}

/** Rods and shells alone: joints, tendons and vines are drawn where they are. */
export function canExaggerate({ parts, joints, tendons }: Pick<DrawingData, 'parts' | 'joints' | 'tendons'>): boolean {
  return joints.length === 0 && tendons.length === 0 && parts.every(({ kind }) => kind === 'rod' || kind === 'shell');
}

export class Exaggeration {
  private rest: Float32Array = new Float32Array(0);
  private asked = 1;
  private size = 0;
  /** The farthest that a point has come in this run, and in the one before [m]. */
  private farthest = 0;
  private now = 1;

  /** Places at t = 0, 3 numbers per drawn point. */
  setRest(drawing: DrawingData, rest: Float32Array): void {
    this.rest = canExaggerate(drawing) ? rest : new Float32Array(0);
    const box = new THREE.Box3().setFromArray(Array.from(this.rest));
    this.size = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
    this.farthest = 0;
    this.choose();
  }

  /** How many times larger: a round number, less where the structure would leave its place. */
  ask(factor: unknown): void {
    this.asked = typeof factor === 'number' && factor > 1 ? factor : 1;
    this.choose();
  }

  get factor(): number {
    return this.now;
  }

  /** The places to draw; `fresh`: the run starts anew with them, with the factor that suits the one before. */
  drawn(positions: Float32Array, fresh: boolean): Float32Array {
    const { rest } = this;
    if (this.asked === 1 || rest.length !== positions.length) {
      if (rest.length !== positions.length) this.now = 1;
      return positions;
    }
    if (fresh) {
      this.choose();
      this.farthest = 0;
    }
    for (let i = 0; i < rest.length; i += 3) {
      const away = Math.hypot(positions[i] - rest[i], positions[i + 1] - rest[i + 1], positions[i + 2] - rest[i + 2]);
      if (away > this.farthest) this.farthest = away;
    }
    if (this.now * this.farthest > mostPart * this.size) this.choose();
    const { now } = this;
    return now === 1 ? positions : positions.map((place, i) => rest[i] + now * (place - rest[i]));
  }

  /** Where a drawn point would truly be if it were shown there [m]. */
  truth(point: number, shown: [number, number, number]): [number, number, number] {
    const { rest, now } = this;
    if (now === 1 || rest.length < 3 * point + 3) return shown;
    return shown.map((place, c) => rest[3 * point + c] + (place - rest[3 * point + c]) / now) as [
      number,
      number,
      number,
    ];
  }

  private choose(): void {
    const fits = this.farthest > 0 ? (mostPart * this.size) / this.farthest : Infinity;
    this.now = this.rest.length === 0 ? 1 : roundFactor(Math.min(this.asked, fits));
  }
}
