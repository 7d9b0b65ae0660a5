// Which corners of a mesh's triangles share a normal: those around a vertex between which no crease lies. Creases are where the
// shape at rest folds; what bends sharply later stays smooth, or its light would flicker. A shape at rest that is driven, as of a
// sheet that folds itself, folds later: where it has done so it has a crease from then on.
import { type MeshEdges, meshEdges } from './meshEdges';

/** Two triangles that lean away from each other by more than this at rest make a crease. */
const crease = Math.cos((33 * Math.PI) / 180);

export interface MeshCorners {
  edges: MeshEdges;
  /** 3 numbers per triangle: of the corner's own vertex. The first `vertices` of them are the mesh's. */
  index: Uint32Array;
  /** The mesh's vertex of each further one. */
  copies: number[];
  /** 2 vertices of the mesh per crease. */
  creases: Uint32Array;
}

/** `index`: 3 of the mesh's `vertices` per triangle; `places`: 3 numbers per vertex, at rest; `folded`: further creases, by edge. */
export function meshCorners(
  index: Uint32Array,
  vertices: number,
  places: Float32Array,
  folded: Set<number>,
): MeshCorners {
  const edges = meshEdges(index, vertices);
  const normals = new Float32Array(index.length);
  faceNormals(index, places, normals);
  const group = Uint32Array.from(index, (_, corner) => corner);
  const rootOf = (corner: number): number => {
    let root = corner;
    while (group[root] !== root) root = group[root];
    group[corner] = root;
    return root;
  };
  const creases: number[] = [];
  for (let e = 0; e < edges.count; ++e) {
    const [first, second] = [edges.faces[2 * e], edges.faces[2 * e + 1]];
    if (second < 0) continue;
    const [start, end] = [edges.ends[2 * e], edges.ends[2 * e + 1]];
    if (folded.has(e) || isSharp(normals, first, second)) creases.push(start, end);
    else for (const v of [start, end]) group[rootOf(cornerAt(index, second, v))] = rootOf(cornerAt(index, first, v));
  }
  const own = new Map<number, number>();
  const taken = new Uint8Array(vertices);
  const copies: number[] = [];
  const split = index.map((vertex, corner) => {
    const root = rootOf(corner);
    const known = own.get(root);
    if (known !== undefined) return known;
    const made = taken[vertex] === 0 ? vertex : vertices + copies.push(vertex) - 1;
    taken[vertex] = 1;
    own.set(root, made);
    return made;
  });
  return { edges, index: split, copies, creases: Uint32Array.from(creases) };
}

/** `n`: normals of the triangles, of any length. */
export function isSharp(n: Float32Array, first: number, second: number): boolean {
  const [a, b] = [3 * first, 3 * second];
  const sizes = Math.hypot(n[a], n[a + 1], n[a + 2]) * Math.hypot(n[b], n[b + 1], n[b + 2]);
  return n[a] * n[b] + n[a + 1] * n[b + 1] + n[a + 2] * n[b + 2] < crease * sizes;
}

function cornerAt(index: Uint32Array, triangle: number, vertex: number): number {
  const first = 3 * triangle;
  return index[first] === vertex ? first : index[first + 1] === vertex ? first + 1 : first + 2;
}

/** Across each triangle, over the squares of its sides: summed around a vertex, small triangles count as much as large ones. */
export function faceNormals(index: Uint32Array, p: Float32Array, out: Float32Array): void {
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
    const size = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
    const part = size > 0 ? 1 / size : 0;
    out[t] = part * (uy * vz - uz * vy);
    out[t + 1] = part * (uz * vx - ux * vz);
    out[t + 2] = part * (ux * vy - uy * vx);
  }
}
