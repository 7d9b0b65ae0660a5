// Which triangle a ray meets first, and which of its corners lies nearest to that place.

export interface Ray {
  origin: { x: number; y: number; z: number };
  /** Unit vector. */
  direction: { x: number; y: number; z: number };
}

export interface Hit {
  /** Along the ray [m]. */
  distance: number;
  /** The nearest corner of the triangle. */
  point: number;
}

/** `triangles`: 3 point indices each; `skip` tells points whose triangles are not there. */
export function pickTriangle(
  { origin, direction }: Ray,
  p: Float32Array,
  triangles: Uint32Array,
  skip: (point: number) => boolean,
): Hit | null {
  const { x: dx, y: dy, z: dz } = direction;
  let least = Infinity;
  let found = -1;
  let u = 0;
  let v = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const e1x = p[b] - p[a];
    const e1y = p[b + 1] - p[a + 1];
    const e1z = p[b + 2] - p[a + 2];
    const e2x = p[c] - p[a];
    const e2y = p[c + 1] - p[a + 1];
    const e2z = p[c + 2] - p[a + 2];
    const hx = dy * e2z - dz * e2y;
    const hy = dz * e2x - dx * e2z;
    const hz = dx * e2y - dy * e2x;
    const volume = e1x * hx + e1y * hy + e1z * hz;
    if (volume === 0) continue;
    const sx = origin.x - p[a];
    const sy = origin.y - p[a + 1];
    const sz = origin.z - p[a + 2];
    const along1 = (sx * hx + sy * hy + sz * hz) / volume;
    if (along1 < 0 || along1 > 1) continue;
    const qx = sy * e1z - sz * e1y;
    const qy = sz * e1x - sx * e1z;
    const qz = sx * e1y - sy * e1x;
    const along2 = (dx * qx + dy * qy + dz * qz) / volume;
    if (along2 < 0 || along1 + along2 > 1) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) / volume;
    if (distance <= 0 || distance >= least || skip(triangles[t])) continue;
    least = distance;
    found = t;
    u = along1;
    v = along2;
  }
  return found < 0 ? null : { distance: least, point: nearestCorner(p, triangles, found, u, v) };
}

function nearestCorner(p: Float32Array, triangles: Uint32Array, t: number, u: number, v: number): number {
  const weights = [1 - u - v, u, v];
  let best = triangles[t];
  let least = Infinity;
  for (let k = 0; k < 3; ++k) {
    const corner = 3 * triangles[t + k];
    let gap = 0;
    for (let c = 0; c < 3; ++c) {
      let place = 0;
      for (let j = 0; j < 3; ++j) place += weights[j] * p[3 * triangles[t + j] + c];
      gap += (place - p[corner + c]) ** 2;
    }
    if (gap < least) {
      least = gap;
      best = triangles[t + k];
    }
  }
  return best;
}
