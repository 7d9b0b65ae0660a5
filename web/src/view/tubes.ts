// Rods and links as smooth tubes: rings along a curve through the nodes, with round or flat ends. Buffers are made once
// per drawing and rewritten in place for every frame.
import type { DrawingData } from '../engine/protocol';
import { colorsByName, hexBytes } from './colormap';
import { aroundOf, newOutline, type Outline, outlineSize, writeOutline } from './profile';

/** Rings of one end, the pole included. */
const capRings = 4;

interface Tube {
  firstPoint: number;
  points: number;
  /** Rings along the curve, the ends not counted. */
  rings: number;
  firstVertex: number;
  round: boolean;
}

export interface TubeBuffers {
  position: Float32Array;
  normal: Float32Array;
  /** The field's value at each vertex. */
  value: Float32Array;
  /** -1 to 1 around the section, 0 at d1. */
  around: Float32Array;
  /** sRGB bytes, 3 per vertex. */
  color: Uint8Array;
  index: Uint32Array;
}

/** How finely to draw: about `rings` in all, with four times `perCorner` points and two around. */
export interface Detail {
  rings: number;
  perCorner: number;
  /** Nodes are left out where there are more of them. */
  most: number;
}

export const fine: Detail = { rings: 2600, perCorner: 4, most: 5000 };
/** For machines that draw slowly. */
export const coarse: Detail = { rings: 500, perCorner: 2, most: 500 };

export class Tubes {
  readonly buffers: TubeBuffers;
  readonly vertexCount: number;
  private readonly tubes: Tube[] = [];
  private readonly perCorner: number;
  private readonly outline: Outline;
  private readonly size: number;
  /** Scratch for one ring: center, tangent, d1, d2. */
  private readonly ring = new Float64Array(12);
  private readonly slopes: Float64Array;
  private readonly flat: boolean;

  /** `parts` are indices of the drawing's parts. */
  constructor(
    private readonly drawing: DrawingData,
    parts: number[],
    detail: Detail = fine,
    ends: 'round' | 'flat' = 'round',
  ) {
    this.flat = ends === 'flat';
    const total = parts.reduce((sum, p) => sum + drawing.parts[p].pointCount, 0);
    const perNode = Math.min(8, detail.rings / Math.max(1, total));
    this.perCorner = total > 800 ? 2 : detail.perCorner;
    this.size = outlineSize(this.perCorner);
    this.outline = newOutline(this.perCorner);
    let vertices = 0;
    let longest = 0;
    const drawn = parts.filter((p) => drawing.parts[p].pointCount >= 2);
    for (const p of drawn) {
      const { firstPoint, pointCount: points } = drawing.parts[p];
      const round = drawing.round[firstPoint] === 1;
      const whole = Math.max(1, Math.floor(perNode));
      const left = total > detail.most ? detail.most / total : 1;
      const rings = left < 1 ? Math.max(2, Math.round(points * left)) : (points - 1) * whole + 1;
      this.tubes.push({ firstPoint, points, rings, firstVertex: vertices, round });
      vertices += (rings + 2 * capRings) * this.size;
      longest = Math.max(longest, points);
    }
    this.vertexCount = vertices;
    this.slopes = new Float64Array(3 * longest);
    this.buffers = {
      position: new Float32Array(3 * vertices),
      normal: new Float32Array(3 * vertices),
      value: new Float32Array(vertices),
      around: new Float32Array(vertices),
      color: new Uint8Array(3 * vertices),
      index: this.makeIndex(vertices),
    };
    this.paint(drawn);
  }

  /** Rewrites the shape. Lengths [m]; `thicken` scales the sections; `values` one per point, or null. */
  update(positions: Float32Array, directors: Float32Array, values: Float32Array | null, thicken: number): void {
    for (const tube of this.tubes) this.updateTube(tube, positions, directors, values, thicken);
  }

  private makeIndex(vertices: number): Uint32Array {
    const quads = this.tubes.reduce((sum, t) => sum + (t.rings + 2 * capRings - 1) * (this.size - 1), 0);
    const index = new Uint32Array(6 * quads);
    let at = 0;
    this.tubes.forEach((tube, i) => {
      const end = this.tubes[i + 1]?.firstVertex ?? vertices;
      for (let ring = tube.firstVertex; ring + this.size < end; ring += this.size) {
        for (let k = 0; k < this.size - 1; ++k) {
          const a = ring + k;
          const b = a + this.size;
          index[at++] = a;
          index[at++] = a + 1;
          index[at++] = b;
          index[at++] = a + 1;
          index[at++] = b + 1;
          index[at++] = b;
        }
      }
    });
    return index;
  }

  private paint(drawn: number[]): void {
    const colors = colorsByName(this.drawing.parts);
    this.tubes.forEach((tube, i) => {
      const around = aroundOf(tube.round, this.perCorner);
      const rgb = hexBytes(colors[drawn[i]]);
      const count = (tube.rings + 2 * capRings) * this.size;
      for (let k = 0; k < count; ++k) {
        const v = tube.firstVertex + k;
        this.buffers.around[v] = around[k % this.size];
        this.buffers.color.set(rgb, 3 * v);
      }
    });
  }

  private updateTube(
    tube: Tube,
    positions: Float32Array,
    directors: Float32Array,
    values: Float32Array | null,
    thicken: number,
  ): void {
    writeSlopes(this.slopes, positions, tube.firstPoint, tube.points);
    const { rings } = tube;
    const nodesPerRing = (tube.points - 1) / (rings - 1);
    let vertex = tube.firstVertex + capRings * this.size;
    for (let r = 0; r < rings; ++r) {
      const along = r * nodesPerRing;
      const node = Math.min(Math.floor(along), tube.points - 2);
      const fraction = along - node;
      const axes = this.sample(tube, node, fraction, positions, directors, thicken);
      const p = tube.firstPoint + node;
      const value = values ? values[p] + (values[p + 1] - values[p]) * fraction : 0;
      this.writeRing(vertex, 1, 0, 0, value);
      if (r === 0) this.writeCap(tube.firstVertex + (capRings - 1) * this.size, -1, axes, value);
      if (r === rings - 1) this.writeCap(vertex + this.size, 1, axes, value);
      vertex += this.size;
    }
  }

  /** Fills `ring` and `outline` at a place between two nodes; returns the length of an end there, 0 where it is flat. */
  private sample(
    tube: Tube,
    node: number,
    f: number,
    positions: Float32Array,
    directors: Float32Array,
    thicken: number,
  ): number {
    const ring = this.ring;
    const i = tube.firstPoint + node;
    const a = 3 * i;
    const length = Math.hypot(
      positions[a + 3] - positions[a],
      positions[a + 4] - positions[a + 1],
      positions[a + 5] - positions[a + 2],
    );
    // Cubic Hermite curve through the nodes: its weights and their derivatives.
    const h1 = f * f * (3 - 2 * f);
    const h0 = 1 - h1;
    const g0 = f * (1 - f) * (1 - f) * length;
    const g1 = f * f * (f - 1) * length;
    const dh = 6 * f * (1 - f);
    const dg0 = (1 - f) * (1 - 3 * f) * length;
    const dg1 = f * (3 * f - 2) * length;
    for (let c = 0; c < 3; ++c) {
      const p0 = positions[a + c];
      const p1 = positions[a + 3 + c];
      const m0 = this.slopes[3 * node + c];
      const m1 = this.slopes[3 * node + 3 + c];
      ring[c] = h0 * p0 + h1 * p1 + g0 * m0 + g1 * m1;
      ring[3 + c] = dh * (p1 - p0) + dg0 * m0 + dg1 * m1;
      ring[6 + c] = directors[a + c] * (1 - f) + directors[a + 3 + c] * f;
    }
    normalizeFrame(ring);
    const axes = this.drawing.halfAxes;
    const halfA = thicken * (axes[2 * i] + (axes[2 * i + 2] - axes[2 * i]) * f);
    const halfB = thicken * (axes[2 * i + 1] + (axes[2 * i + 3] - axes[2 * i + 1]) * f);
    writeOutline(this.outline, tube.round, halfA, halfB, this.perCorner);
    return this.flat ? 0 : Math.min(halfA, halfB) * (tube.round ? 1 : 0.22);
  }

  private writeCap(firstVertex: number, side: -1 | 1, length: number, value: number): void {
    for (let k = 1; k <= capRings; ++k) {
      const vertex = firstVertex + side * (k - 1) * this.size;
      if (this.flat) {
        this.writeRing(vertex, k === 1 ? 1 : 0, 0, side, value);
        continue;
      }
      const angle = (k / capRings) * (Math.PI / 2);
      const sine = Math.sin(angle);
      this.writeRing(vertex, k === capRings ? 0 : Math.cos(angle), side * length * sine, side * sine, value);
    }
  }

  /** One ring: the outline scaled, moved along the tangent [m], its normals tilted by `tilt` = sine of the angle. */
  private writeRing(vertex: number, scale: number, along: number, tilt: number, value: number): void {
    const { position, normal, value: values } = this.buffers;
    const { offsets, normals } = this.outline;
    const r = this.ring;
    const flat = Math.sqrt(Math.max(0, 1 - tilt * tilt));
    for (let k = 0; k < this.size; ++k) {
      const x = offsets[2 * k] * scale;
      const y = offsets[2 * k + 1] * scale;
      const nx = normals[2 * k] * flat;
      const ny = normals[2 * k + 1] * flat;
      const at = 3 * (vertex + k);
      for (let c = 0; c < 3; ++c) {
        position[at + c] = r[c] + r[6 + c] * x + r[9 + c] * y + r[3 + c] * along;
        normal[at + c] = r[6 + c] * nx + r[9 + c] * ny + r[3 + c] * tilt;
      }
      values[vertex + k] = value;
    }
  }
}

/** Unit-speed slopes at the nodes: of the parabola through three neighbors, and its ends. */
function writeSlopes(slopes: Float64Array, positions: Float32Array, first: number, count: number): void {
  for (let i = 0; i < count; ++i) {
    const before = Math.max(i - 1, 0);
    const after = Math.min(i + 1, count - 1);
    const p = 3 * (first + i);
    const q = 3 * (first + before);
    const s = 3 * (first + after);
    const l0 = Math.hypot(
      positions[p] - positions[q],
      positions[p + 1] - positions[q + 1],
      positions[p + 2] - positions[q + 2],
    );
    const l1 = Math.hypot(
      positions[s] - positions[p],
      positions[s + 1] - positions[p + 1],
      positions[s + 2] - positions[p + 2],
    );
    for (let c = 0; c < 3; ++c) {
      const e0 = l0 > 0 ? (positions[p + c] - positions[q + c]) / l0 : 0;
      const e1 = l1 > 0 ? (positions[s + c] - positions[p + c]) / l1 : 0;
      slopes[3 * i + c] = l0 === 0 ? e1 : l1 === 0 ? e0 : (e0 * l1 + e1 * l0) / (l0 + l1);
    }
  }
  if (count > 2) {
    for (let c = 0; c < 3; ++c) {
      slopes[c] = 2 * slopes[c] - slopes[3 + c];
      slopes[3 * count - 3 + c] = 2 * slopes[3 * count - 3 + c] - slopes[3 * count - 6 + c];
    }
  }
}

/** Makes (d1, d2, t) orthonormal and right-handed, keeping t's direction. */
function normalizeFrame(r: Float64Array): void {
  let length = Math.hypot(r[3], r[4], r[5]) || 1;
  r[3] /= length;
  r[4] /= length;
  r[5] /= length;
  const along = r[6] * r[3] + r[7] * r[4] + r[8] * r[5];
  r[6] -= along * r[3];
  r[7] -= along * r[4];
  r[8] -= along * r[5];
  length = Math.hypot(r[6], r[7], r[8]);
  if (length < 1e-6) {
    const x = Math.abs(r[3]) < 0.9;
    r[6] = x ? 1 - r[3] * r[3] : -r[4] * r[3];
    r[7] = x ? -r[3] * r[4] : 1 - r[4] * r[4];
    r[8] = x ? -r[3] * r[5] : -r[4] * r[5];
    length = Math.hypot(r[6], r[7], r[8]);
  }
  r[6] /= length;
  r[7] /= length;
  r[8] /= length;
  r[9] = r[4] * r[8] - r[5] * r[7];
  r[10] = r[5] * r[6] - r[3] * r[8];
  r[11] = r[3] * r[7] - r[4] * r[6];
}
