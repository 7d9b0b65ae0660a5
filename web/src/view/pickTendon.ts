// Which tendon lies under the mouse: the nearest on the screen, within a few pixels.
import type { DrawingTendon } from '@tendril/engine';
import * as THREE from 'three';

const reach = 5;
const place = new THREE.Vector3();

/** Its number, or -1. `places`: 3 per point of all tendons [m]; `x`, `y` in a view of this size [px]. */
export function pickTendon(
  tendons: DrawingTendon[],
  places: Float32Array,
  camera: THREE.Camera,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): number {
  let best = -1;
  let least = reach;
  tendons.forEach(({ hidden, firstPoint, pointCount }, tendon) => {
    if (hidden || places.length < 3 * (firstPoint + pointCount)) return;
    let fromX = 0;
    let fromY = 0;
    for (let i = 0; i < pointCount; ++i) {
      place.fromArray(places, 3 * (firstPoint + i)).project(camera);
      const toX = ((place.x + 1) * width) / 2 - x;
      const toY = ((1 - place.y) * height) / 2 - y;
      const gap = i > 0 ? distance(fromX, fromY, toX, toY) : Infinity;
      if (gap < least) {
        least = gap;
        best = tendon;
      }
      fromX = toX;
      fromY = toY;
    }
  });
  return best;
}

/** From the origin to the segment between two points. */
export function distance(ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const part = length > 0 ? Math.min(Math.max(-(ax * dx + ay * dy) / length, 0), 1) : 0;
  return Math.hypot(ax + part * dx, ay + part * dy);
}
