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

/** A body that is thicker than so many of its lengths is as large as it is thick: else its middle line, or surface, tells. */
const stout = 0.25;

/** The largest half axis of a part's cross sections [m]. */
export function thickestOf(
  { halfAxes }: DrawingData,
  { firstPoint, pointCount }: DrawingData['parts'][number],
): number {
  let most = 0;
  for (let i = 2 * firstPoint; i < 2 * (firstPoint + pointCount); ++i) most = Math.max(most, halfAxes[i] || 0);
  return most;
}

/** Of the points of the bodies that are shown. */
export function bodiesBox(drawing: DrawingData, positions: Float32Array): THREE.Box3 {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  let thickest = 0;
  for (const part of drawing.parts) {
    if (part.hidden) continue;
    const end = Math.min(part.firstPoint + part.pointCount, Math.floor(positions.length / 3));
    for (let i = part.firstPoint; i < end; ++i) box.expandByPoint(point.fromArray(positions, 3 * i));
    thickest = Math.max(thickest, thickestOf(drawing, part));
  }
  return thickest > stout * box.min.distanceTo(box.max) ? box.expandByScalar(thickest) : box;
}
