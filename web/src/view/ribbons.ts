// The geometry of tendons: two vertices per point, which the material spreads across the line's direction on the screen.
// Buffers are made once per drawing and rewritten in place for every frame.
import type { DrawingTendon } from '@tendril/engine';

/** 2 vertices per point; tendons that are hidden or have one point only have none. */
export class Ribbons {
  readonly position: Float32Array;
  /** The neighbors along the tendon, which give its direction. */
  readonly before: Float32Array;
  readonly after: Float32Array;
  /** -1 or 1: which side of the line. */
  readonly side: Float32Array;
  /** Length from the tendon's start [m] where it is dashed, otherwise -1. */
  readonly along: Float32Array;
  /** The tendon's tension [N]. */
  readonly tension: Float32Array;
  readonly index: Uint32Array;
  /** The tendon of each vertex. */
  readonly tendonOf: Int32Array;
  private readonly shown: { tendon: number; firstPoint: number; pointCount: number; dashed: boolean }[] = [];

  constructor(tendons: DrawingTendon[]) {
    tendons.forEach(({ hidden, firstPoint, pointCount, outside: dashed }, tendon) => {
      if (!hidden && pointCount > 1) this.shown.push({ tendon, firstPoint, pointCount, dashed });
    });
    const vertices = this.shown.reduce((sum, { pointCount }) => sum + 2 * pointCount, 0);
    this.position = new Float32Array(3 * vertices);
    this.before = new Float32Array(3 * vertices);
    this.after = new Float32Array(3 * vertices);
    this.side = Float32Array.from({ length: vertices }, (_, v) => (v % 2 === 0 ? -1 : 1));
    this.along = new Float32Array(vertices).fill(-1);
    this.tension = new Float32Array(vertices);
    this.tendonOf = new Int32Array(vertices);
    const index: number[] = [];
    let first = 0;
    for (const { tendon, pointCount } of this.shown) {
      this.tendonOf.fill(tendon, first, first + 2 * pointCount);
      for (let v = first; v < first + 2 * pointCount - 2; v += 2) index.push(v, v + 1, v + 2, v + 1, v + 3, v + 2);
      first += 2 * pointCount;
    }
    this.index = Uint32Array.from(index);
  }

  /** `places`: 3 per point of all tendons [m]; `tensions`: 1 per tendon [N]. */
  update(places: Float32Array, tensions: Float32Array): void {
    let vertex = 0;
    for (const { tendon, firstPoint, pointCount, dashed } of this.shown) {
      let along = 0;
      for (let i = 0; i < pointCount; ++i) {
        const at = 3 * (firstPoint + i);
        const back = i > 0 ? at - 3 : at;
        const ahead = i < pointCount - 1 ? at + 3 : at;
        if (dashed) {
          along += Math.hypot(
            places[at] - places[back],
            places[at + 1] - places[back + 1],
            places[at + 2] - places[back + 2],
          );
        }
        for (let k = 0; k < 2; ++k, ++vertex) {
          copy(this.position, vertex, places, at);
          copy(this.before, vertex, places, back);
          copy(this.after, vertex, places, ahead);
          this.tension[vertex] = tensions[tendon];
          if (dashed) this.along[vertex] = along;
        }
      }
    }
  }
}

function copy(to: Float32Array, vertex: number, from: Float32Array, at: number): void {
  to[3 * vertex] = from[at];
  to[3 * vertex + 1] = from[at + 1];
  to[3 * vertex + 2] = from[at + 2];
}
