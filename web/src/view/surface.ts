// Shells as surfaces: one vertex per drawn point, smooth normals as the engine gives them, and the lines along borders
// and creases. Buffers are made once per drawing and rewritten in place for every frame.
import type { DrawingData } from '../engine/protocol';
import { colorsByName, hexBytes } from './colormap';
import { type MeshEdges, meshEdges } from './meshEdges';

/** Two triangles that lean away from each other by more than the first angle make a crease, until below the second. */
const creaseOn = Math.cos((33 * Math.PI) / 180);
const creaseOff = Math.cos((26 * Math.PI) / 180);

export interface SurfaceBuffers {
  position: Float32Array;
  normal: Float32Array;
  /** The field's value at each vertex. */
  value: Float32Array;
  /** 1 at vertices on a crease, else 0. */
  fold: Float32Array;
  /** sRGB bytes, 3 per vertex. */
  color: Uint8Array;
  /** 3 vertices per triangle. */
  index: Uint32Array;
  /** 2 vertices per line: borders; all edges; creases, of which the first `creaseCount` count. */
  border: Uint32Array;
  wire: Uint32Array;
  crease: Uint32Array;
}

export class Surface {
  readonly buffers: SurfaceBuffers;
  readonly vertexCount: number;
  creaseCount = 0;
  /** The last update made or smoothed a crease: `crease` and `fold` are new. */
  creasesChanged = false;
  /** Runs of points that the vertices copy: first point, first vertex, how many. */
  private readonly runs: { point: number; vertex: number; count: number }[] = [];
  private readonly edges: MeshEdges;
  private readonly faceNormals: Float32Array;
  private readonly creased: Uint8Array;

  /** `parts` are indices of the drawing's parts. */
  constructor(drawing: DrawingData, parts: number[]) {
    const vertexOf = new Int32Array(drawing.halfAxes.length / 2).fill(-1);
    const colors = colorsByName(drawing.parts);
    let vertices = 0;
    for (const p of parts) {
      const { firstPoint: point, pointCount: count } = drawing.parts[p];
      for (let i = 0; i < count; ++i) vertexOf[point + i] = vertices + i;
      this.runs.push({ point, vertex: vertices, count });
      vertices += count;
    }
    this.vertexCount = vertices;
    const index = indexOf(drawing.triangles, vertexOf);
    this.edges = meshEdges(index, vertices);
    const color = new Uint8Array(3 * vertices);
    parts.forEach((p, i) => {
      const rgb = hexBytes(colors[p]);
      const { vertex, count } = this.runs[i];
      for (let v = vertex; v < vertex + count; ++v) color.set(rgb, 3 * v);
    });
    this.faceNormals = new Float32Array(index.length);
    this.creased = new Uint8Array(this.edges.count);
    this.buffers = {
      position: new Float32Array(3 * vertices),
      normal: new Float32Array(3 * vertices),
      value: new Float32Array(vertices),
      fold: new Float32Array(vertices),
      color,
      index,
      border: bordersOf(this.edges),
      wire: this.edges.ends,
      crease: new Uint32Array(this.edges.ends.length),
    };
  }

  /** Rewrites the shape [m]; `normals` are the snapshot's directors; `values` one per point, or null. */
  update(positions: Float32Array, normals: Float32Array, values: Float32Array | null): void {
    const { position, normal, value } = this.buffers;
    for (const { point, vertex, count } of this.runs) {
      const from = 3 * point;
      const to = 3 * vertex;
      for (let i = 0; i < 3 * count; ++i) {
        position[to + i] = positions[from + i];
        normal[to + i] = normals[from + i];
      }
      if (values) for (let i = 0; i < count; ++i) value[vertex + i] = values[point + i];
    }
    this.turnFaces();
    this.findCreases();
  }

  /** Unit normals of the triangles; not numbers where one has no area, which leaves creases there as they were. */
  private turnFaces(): void {
    const { position: p, index } = this.buffers;
    const out = this.faceNormals;
    for (let t = 0; t < index.length; t += 3) {
      const a = 3 * index[t];
      const b = 3 * index[t + 1];
      const c = 3 * index[t + 2];
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy;
      const y = uz * vx - ux * vz;
      const z = ux * vy - uy * vx;
      const length = Math.sqrt(x * x + y * y + z * z);
      out[t] = x / length;
      out[t + 1] = y / length;
      out[t + 2] = z / length;
    }
  }

  private findCreases(): void {
    const { edges, faceNormals: n, creased } = this;
    this.creasesChanged = false;
    for (let e = 0; e < edges.count; ++e) {
      const second = edges.faces[2 * e + 1];
      if (second < 0) continue;
      const a = 3 * edges.faces[2 * e];
      const b = 3 * second;
      const together = n[a] * n[b] + n[a + 1] * n[b + 1] + n[a + 2] * n[b + 2];
      if (creased[e] === 0 ? together < creaseOn : together > creaseOff) {
        creased[e] = 1 - creased[e];
        this.creasesChanged = true;
      }
    }
    if (this.creasesChanged) this.listCreases();
  }

  private listCreases(): void {
    const { edges, creased } = this;
    const { crease, fold } = this.buffers;
    fold.fill(0);
    let at = 0;
    for (let e = 0; e < edges.count; ++e) {
      if (creased[e] === 0) continue;
      for (let k = 0; k < 2; ++k) {
        const vertex = edges.ends[2 * e + k];
        crease[at++] = vertex;
        fold[vertex] = 1;
      }
    }
    this.creaseCount = at / 2;
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
