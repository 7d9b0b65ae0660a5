// From which side a base holds a link's joint: beside the axis it turns about or across from what it carries, so that the
// support's cone lies where no link sweeps.
import type { DrawingMark } from '@tendril/engine';
import * as THREE from 'three';
import type { Moment } from '../engine/moment';
import type { DrawingData } from '../engine/protocol';

/** A structure lies to one side of a plane where its middle is farther from it than this part of its distance. */
const aside = 0.25;

/** Unit, from the support to the joint that it holds; upwards as long as places are not known. */
export function supportAim(
  drawing: DrawingData,
  { point, joint }: Pick<DrawingMark, 'point' | 'joint'>,
  { positions, joints }: Pick<Moment, 'positions' | 'joints'>,
) {
  const up = new THREE.Vector3(0, 0, 1);
  if (positions.length !== (3 * drawing.halfAxes.length) / 2 || joints.length !== 6 * drawing.joints.length) return up;
  const place = new THREE.Vector3().fromArray(positions, 3 * point);
  const carried = middleOf(drawing, point, positions).sub(place);
  if (carried.lengthSq() === 0) return up;
  carried.normalize();
  const axis = drawing.joints[joint]?.kind === 'revolute' && new THREE.Vector3().fromArray(joints, 6 * joint + 3);
  if (!axis) return carried;
  const side = carried.dot(axis);
  if (Math.abs(side) > aside) return axis.multiplyScalar(Math.sign(side));
  if (Math.abs(axis.z) > 0.7) return axis.multiplyScalar(Math.sign(axis.z));
  return carried.z < -0.7 ? up.negate() : up;
}

/** Mean of all points of the linkage that has this one. */
function middleOf({ parts }: DrawingData, point: number, positions: Float32Array): THREE.Vector3 {
  const own = parts.find((p) => point >= p.firstPoint && point < p.firstPoint + p.pointCount);
  const sum = new THREE.Vector3();
  const next = new THREE.Vector3();
  let count = 0;
  for (const { body, firstPoint, pointCount } of parts) {
    if (body !== own?.body) continue;
    for (let i = firstPoint; i < firstPoint + pointCount; ++i) sum.add(next.fromArray(positions, 3 * i));
    count += pointCount;
  }
  return sum.divideScalar(Math.max(count, 1));
}
