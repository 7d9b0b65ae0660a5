// From where a scene is looked at: as its `view.camera` says, or a little from above and the side.
import * as THREE from 'three';

export interface Framing {
  position?: [number, number, number];
  target?: [number, number, number];
  /** Unit, from what is looked at to the camera, which goes as near as it can with everything in sight. */
  direction?: THREE.Vector3;
}

/** The scene's `view.camera` where it is one; otherwise nothing is asked for. */
export function framingOf(camera: unknown): Framing {
  if (typeof camera !== 'object' || camera === null) return {};
  const sound = Object.values(camera).every((v) => Array.isArray(v) && v.length === 3 && v.every(Number.isFinite));
  return sound ? (camera as Framing) : {};
}

/** Unit, from what is looked at to the camera, for a box without a camera of its own: flat scenes more from the front. */
export function usualDirection(box: THREE.Box3): THREE.Vector3 {
  const extent = box.getSize(new THREE.Vector3());
  const flat = extent.y < 0.12 * Math.max(extent.x, extent.z);
  return new THREE.Vector3(flat ? 0.28 : 0.62, -1, flat ? 0.3 : 0.48).normalize();
}

/** The same as the framing asks; the box's middle is looked at where it names no target. */
export function directionOf({ position, target }: Framing, box: THREE.Box3): THREE.Vector3 {
  if (!position) return usualDirection(box);
  const middle = target ? new THREE.Vector3(...target) : box.getCenter(new THREE.Vector3());
  const direction = new THREE.Vector3(...position).sub(middle);
  return direction.lengthSq() > 0 ? direction.normalize() : usualDirection(box);
}

/**
 * How far from the middle of a box a camera sees all of it [m]. `axes`: of the camera, to its right, upwards and backwards;
 * `tangents`: of half its angles of view, across and upright.
 */
export function distanceFor(box: THREE.Box3, axes: THREE.Vector3[], tangents: [number, number]): number {
  return distanceAround(box, box.getCenter(new THREE.Vector3()), axes, tangents);
}

/** The same from another point that the camera looks at. */
export function distanceAround(
  box: THREE.Box3,
  middle: THREE.Vector3,
  axes: THREE.Vector3[],
  tangents: [number, number],
): number {
  const corner = new THREE.Vector3();
  let most = 0;
  for (let i = 0; i < 8; ++i) {
    corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    corner.sub(middle);
    const near = corner.dot(axes[2]);
    for (const k of [0, 1]) most = Math.max(most, near + Math.abs(corner.dot(axes[k])) / tangents[k]);
  }
  return most;
}
