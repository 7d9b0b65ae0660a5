// Shells as surfaces: smooth normals from the shape as it is drawn, sharp ones where the shape at rest folds, and the lines along
// borders and creases. Buffers are made once per drawing and rewritten in place for every frame.
import type { DrawingData } from '../engine/protocol';
import { colorsByName, hexBytes } from './colormap';
import { faceNormals, isSharp, meshCorners } from './meshCorners';
import type { MeshEdges } from './meshEdges';

export interface SurfaceBuffers {
  position: Float32Array;
  normal: Float32Array;
  /** The field's value at each vertex. */
  value: Float32Array;
  /** sRGB bytes, 3 per vertex. */
  color: Uint8Array;
  /** 3 vertices per triangle. */
  index: Uint32Array;
  /** 2 vertices per line: borders; all edges; creases. */
  border: Uint32Array;
  wire: Uint32Array;
  crease: Uint32Array;
}

/** How a drawing is at rest. */
export interface RestShape {
  /** All drawn points, 3 numbers each [m]. */
  places: Float32Array;
  /** Bodies whose natural shape is driven: they fold later. */
  driven: string[];
}

export class Surface {
  readonly buffers: SurfaceBuffers;
  /** The edges on which driven shells have folded so far. */
  readonly folded: Set<number>;
  /** The last update found more of them: a new surface is to take them over. */
  outdated = false;
  /** One per drawn point, then more where creases part the normals of a point. */
  readonly vertexCount: number;
  /** Runs of points that the vertices copy: first point, first vertex, how many. */
  private readonly runs: { point: number; vertex: number; count: number }[] = [];
  private readonly faces: Float32Array;
  private readonly points: number;
  private readonly copies: number[];
  private readonly edges: MeshEdges;
  /** Edges of driven shells, which may fold. */
  private readonly mayFold: number[];

  /** `parts` are indices of the drawing's parts; `folded`: of the surface before. */
  constructor(drawing: DrawingData, parts: number[], rest: RestShape, folded: Set<number> = new Set()) {
    const vertexOf = new Int32Array(drawing.halfAxes.length / 2).fill(-1);
    const colors = colorsByName(drawing.parts);
    let points = 0;
    for (const p of parts) {
      const { firstPoint: point, pointCount: count } = drawing.parts[p];
      for (let i = 0; i < count; ++i) vertexOf[point + i] = points + i;
      this.runs.push({ point, vertex: points, count });
      points += count;
    }
    const places = new Float32Array(3 * points);
    const shown = new Uint8Array(3 * points);
    this.runs.forEach(({ point, vertex, count }, i) => {
      places.set(rest.places.subarray(3 * point, 3 * (point + count)), 3 * vertex);
      const rgb = hexBytes(colors[parts[i]]);
      for (let v = vertex; v < vertex + count; ++v) shown.set(rgb, 3 * v);
    });
    const { edges, index, copies, creases } = meshCorners(indexOf(drawing.triangles, vertexOf), points, places, folded);
    this.edges = edges;
    this.folded = folded;
    const driven = this.runs.filter((_, i) => rest.driven.includes(drawing.parts[parts[i]].name));
    const inDriven = (v: number): boolean => driven.some(({ vertex, count }) => v >= vertex && v < vertex + count);
    this.mayFold = Array.from({ length: edges.count }, (_, e) => e).filter(
      (e) => edges.faces[2 * e + 1] >= 0 && inDriven(edges.ends[2 * e]),
    );
    this.points = points;
    this.copies = copies;
    this.vertexCount = points + copies.length;
    this.faces = new Float32Array(index.length);
    const color = new Uint8Array(3 * this.vertexCount);
    color.set(shown);
    copies.forEach((of, i) => {
      color.copyWithin(3 * (points + i), 3 * of, 3 * of + 3);
    });
    this.buffers = {
      position: new Float32Array(3 * this.vertexCount),
      normal: new Float32Array(3 * this.vertexCount),
      value: new Float32Array(this.vertexCount),
      color,
      index,
      border: bordersOf(edges),
      wire: edges.ends,
      crease: creases,
    };
  }

  /** Rewrites the shape [m]; `values` one per point, or null. */
  update(positions: Float32Array, values: Float32Array | null): void {
    const { position, value } = this.buffers;
    for (const { point, vertex, count } of this.runs) {
      position.set(positions.subarray(3 * point, 3 * (point + count)), 3 * vertex);
      if (values) value.set(values.subarray(point, point + count), vertex);
    }
    this.copies.forEach((of, i) => {
      const to = this.points + i;
      position.copyWithin(3 * to, 3 * of, 3 * of + 3);
      value[to] = value[of];
    });
    this.turn();
  }

  /** Of a vertex: what the triangles around it say together; (0, 0, 1) where they say nothing. */
  private turn(): void {
    const { position, normal: n, index } = this.buffers;
    const { faces } = this;
    faceNormals(index, position, faces);
    for (const e of this.mayFold) {
      if (this.folded.has(e) || !isSharp(faces, this.edges.faces[2 * e], this.edges.faces[2 * e + 1])) continue;
      this.folded.add(e);
      this.outdated = true;
    }
    n.fill(0);
    for (let corner = 0; corner < index.length; ++corner) {
      const to = 3 * index[corner];
      const from = corner - (corner % 3);
      n[to] += faces[from];
      n[to + 1] += faces[from + 1];
      n[to + 2] += faces[from + 2];
    }
    for (let i = 0; i < n.length; i += 3) {
      const length = Math.hypot(n[i], n[i + 1], n[i + 2]);
      if (length > 0 && Number.isFinite(length)) for (let c = i; c < i + 3; ++c) n[c] /= length;
      else n.set([0, 0, 1], i);
    }
  }
}

/** The triangles whose corners all have a vertex. */
function indexOf(triangles: Uint32Array, vertexOf: Int32Array): Uint32Array {
  const index = new Uint32Array(triangles.length);
  let at = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = vertexOf[triangles[t]];
    const b = vertexOf[triangles[t + 1]];
    const c = vertexOf[triangles[t + 2]];
    if (a < 0 || b < 0 || c < 0) continue;
    index[at++] = a;
    index[at++] = b;
    index[at++] = c;
  }
  return index.slice(0, at);
}

function bordersOf({ ends, faces, count }: MeshEdges): Uint32Array {
  const border: number[] = [];
  for (let e = 0; e < count; ++e) if (faces[2 * e + 1] < 0) border.push(ends[2 * e], ends[2 * e + 1]);
  return Uint32Array.from(border);
}
