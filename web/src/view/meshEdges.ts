// The edges of a triangle mesh: each once, with the one or two triangles that it bounds.

export interface MeshEdges {
  /** 2 vertex numbers per edge. */
  ends: Uint32Array;
  /** 2 triangle numbers per edge; the second is -1 at a border. */
  faces: Int32Array;
  count: number;
}

/** `index`: 3 vertex numbers per triangle, all below `vertices`. A third triangle at an edge is left out. */
export function meshEdges(index: Uint32Array, vertices: number): MeshEdges {
  const ends = new Uint32Array(2 * index.length);
  const faces = new Int32Array(2 * index.length).fill(-1);
  const found = new Map<number, number>();
  let count = 0;
  for (let t = 0; t < index.length / 3; ++t) {
    for (let k = 0; k < 3; ++k) {
      const a = index[3 * t + k];
      const b = index[3 * t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      const edge = found.get(key);
      if (edge === undefined) {
        found.set(key, count);
        ends[2 * count] = a;
        ends[2 * count + 1] = b;
        faces[2 * count] = t;
        ++count;
      } else if (faces[2 * edge + 1] < 0) {
        faces[2 * edge + 1] = t;
      }
    }
  }
  return { ends: ends.slice(0, 2 * count), faces: faces.slice(0, 2 * count), count };
}
