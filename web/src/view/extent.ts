// How large what is drawn is: bodies and solid obstacles, without what is hidden; planes have no size.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { boxOf } from './obstacles';

/** `positions`: 3 numbers per point; `moves`: 3 per obstacle [m]. Empty where nothing is drawn. */
export function extentOf(drawing: DrawingData, positions: Float32Array, moves: Float32Array): THREE.Box3 {
  const box = bodiesBox(drawing, positions);
  const offset = new THREE.Vector3();
  drawing.obstacles.forEach((obstacle, i) => {
    if (obstacle.hidden || obstacle.kind === 'plane') return;
    if (moves.length >= 3 * i + 3) offset.fromArray(moves, 3 * i);
    box.union(boxOf(obstacle).translate(offset));
  });
  return box;
}

/** Of the points of the bodies that are shown. */
export function bodiesBox({ parts }: DrawingData, positions: Float32Array): THREE.Box3 {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (const { hidden, firstPoint, pointCount } of parts) {
    if (hidden) continue;
    const end = Math.min(3 * (firstPoint + pointCount), positions.length);
    for (let i = 3 * firstPoint; i < end; i += 3) box.expandByPoint(point.fromArray(positions, i));
  }
  return box;
}
