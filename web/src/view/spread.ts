// Chooses a few of many points so that they lie far apart: arrows on a shell are to be seen, not to be a fur, and keys
// reach every part of a body in a few presses.
import type { DrawingData } from '../engine/protocol';

/** At most `count` of `points`, each as far as can be from those before it. `places`: 3 numbers per point, or empty. */
export function spread(points: number[], places: Float32Array, count: number): number[] {
  if (points.length <= count) return points;
  if (places.length === 0) return points.filter((_, i) => i % Math.ceil(points.length / count) === 0);
  const chosen = [points[0]];
  const gaps = new Float64Array(points.length).fill(Infinity);
  while (chosen.length < count) {
    const last = 3 * chosen[chosen.length - 1];
    let farthest = 0;
    for (let i = 0; i < points.length; ++i) {
      const p = 3 * points[i];
      const gap =
        (places[p] - places[last]) ** 2 +
        (places[p + 1] - places[last + 1]) ** 2 +
        (places[p + 2] - places[last + 2]) ** 2;
      if (gap < gaps[i]) gaps[i] = gap;
      if (gaps[i] > gaps[farthest]) farthest = i;
    }
    chosen.push(points[farthest]);
  }
  return chosen;
}

/** Points that keys offer for pulling: ends and middles of rods and links, a few far apart on each shell. */
export function handles({ parts }: DrawingData, places: Float32Array): number[] {
  const found: number[] = [];
  for (const { kind, hidden, firstPoint, pointCount } of parts) {
    if (hidden || pointCount === 0) continue;
    const last = firstPoint + pointCount - 1;
    if (kind !== 'shell') found.push(last, firstPoint + Math.floor(pointCount / 2), firstPoint);
    else
      found.push(
        ...spread(
          Array.from({ length: pointCount }, (_, i) => last - i),
          places,
          6,
        ),
      );
  }
  return [...new Set(found)];
}
