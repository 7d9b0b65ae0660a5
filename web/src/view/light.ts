// From where the main light comes. Flat structures are lit from the side that they are seen from, nearly straight, so that a
// shadow lies where the thing stands and is not taken for a thing of its own.
import * as THREE from 'three';

/** Thinner than this part of its size a structure is flat. */
const flatPart = 0.12;

/** The axis across which a box is flat; null: none. */
export function flatAxis(box: THREE.Box3): 0 | 1 | 2 | null {
  const extent = box.getSize(new THREE.Vector3()).toArray();
  const most = Math.max(...extent);
  const [first, second] = ([0, 1, 2] as const).filter((k) => extent[k] <= flatPart * most);
  // A straight rod is no plane.
  return first === undefined || second !== undefined ? null : first;
}

/** Unit, toward the light. `axis`: across a flat structure; `camera`: toward the camera. */
export function lightFrom(axis: 0 | 1 | 2 | null, camera: THREE.Vector3): THREE.Vector3 {
  if (axis === 2) return new THREE.Vector3(0.12, -0.18, 1.6).normalize();
  const side = axis !== null && camera.getComponent(axis) > 0 ? 1 : -1;
  const [x, y] = axis === 0 ? [0.7 * side, -0.5] : [0.5, axis === 1 ? 0.7 * side : -0.7];
  return new THREE.Vector3(x, y, 1.6).normalize();
}
