// Cross-sections of rods as closed outlines that start and end opposite the director d1, where the seam is.
// Round sections are ellipses; rectangular ones have slightly rounded edges.

/** Outline points per section: `perCorner` points in each of four corners, and the seam twice. */
export function outlineSize(perCorner: number): number {
  return 4 * perCorner + 2;
}

/** One section's outline: offsets and unit normals along (d1, d2), two numbers per point. */
export interface Outline {
  offsets: Float32Array;
  normals: Float32Array;
}

export function newOutline(perCorner: number): Outline {
  const size = 2 * outlineSize(perCorner);
  return { offsets: new Float32Array(size), normals: new Float32Array(size) };
}

/** Where each point lies around the section: -1 to 1, 0 toward d1. Fixed for a body, used to draw its stripe. */
export function aroundOf(round: boolean, perCorner: number): Float32Array {
  const size = outlineSize(perCorner);
  const around = new Float32Array(size);
  if (round) {
    for (let i = 0; i < size; ++i) around[i] = -1 + (2 * i) / (size - 1);
    return around;
  }
  // Faces: half of -d1, -d2, +d1 (from -1/4 to 1/4), +d2, half of -d1. Corners are points here.
  around[0] = -1;
  around[size - 1] = 1;
  const corner = [-0.75, -0.25, 0.25, 0.75];
  for (let c = 0; c < 4; ++c) around.fill(corner[c], 1 + c * perCorner, 1 + (c + 1) * perCorner);
  return around;
}

/** Writes the outline of a section with half-axes a along d1 and b along d2 [m]. */
export function writeOutline(out: Outline, round: boolean, a: number, b: number, perCorner: number): void {
  if (round) writeEllipse(out, a, b, outlineSize(perCorner));
  else writeRectangle(out, a, b, perCorner);
}

function writeEllipse({ offsets, normals }: Outline, a: number, b: number, size: number): void {
  for (let i = 0; i < size; ++i) {
    const angle = -Math.PI + (2 * Math.PI * i) / (size - 1);
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    offsets[2 * i] = a * c;
    offsets[2 * i + 1] = b * s;
    const length = Math.hypot(b * c, a * s) || 1;
    normals[2 * i] = (b * c) / length;
    normals[2 * i + 1] = (a * s) / length;
  }
}

function writeRectangle({ offsets, normals }: Outline, a: number, b: number, perCorner: number): void {
  const radius = 0.22 * Math.min(a, b);
  const set = (i: number, x: number, y: number, nx: number, ny: number): void => {
    offsets[2 * i] = x;
    offsets[2 * i + 1] = y;
    normals[2 * i] = nx;
    normals[2 * i + 1] = ny;
  };
  set(0, -a, 0, -1, 0);
  set(4 * perCorner + 1, -a, 0, -1, 0);
  for (let corner = 0; corner < 4; ++corner) {
    const sx = corner === 0 || corner === 3 ? -1 : 1;
    const sy = corner < 2 ? -1 : 1;
    for (let k = 0; k < perCorner; ++k) {
      const angle = -Math.PI + (corner + k / Math.max(1, perCorner - 1)) * (Math.PI / 2);
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      set(1 + corner * perCorner + k, sx * (a - radius) + radius * c, sy * (b - radius) + radius * s, c, s);
    }
  }
}
