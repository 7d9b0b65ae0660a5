// The angle of a slope, drawn at the plane: a level line, the slope's own, and an arc between them, over whatever lies there.
import type { DrawingObstacle } from '@tendril/engine';
import * as THREE from 'three';

const arcSteps = 12;

/** 6 numbers per line [m], with the apex down the slope from the plane's own point; empty where it does not lean. */
export function wedgeLines({ kind, hidden, point, normal }: DrawingObstacle, length: number): number[] {
  const up = new THREE.Vector3(0, 0, 1);
  const n = new THREE.Vector3(...normal).normalize();
  if (kind !== 'plane' || hidden || n.z <= 0.05 || n.z >= 1 - 1e-6) return [];
  const rise = up.clone().addScaledVector(n, -n.z).normalize();
  const level = rise.clone().setZ(0).normalize();
  const apex = new THREE.Vector3(...point).addScaledVector(rise, -0.4 * length);
  const angle = level.angleTo(rise);
  const lines: number[] = [];
  const add = (from: THREE.Vector3, to: THREE.Vector3): void => {
    lines.push(...from.toArray(), ...to.toArray());
  };
  for (const direction of [level, rise]) add(apex, apex.clone().addScaledVector(direction, length));
  const onArc = (k: number): THREE.Vector3 => {
    const turned = (angle * k) / arcSteps;
    return apex
      .clone()
      .addScaledVector(level, 0.55 * length * Math.cos(turned))
      .addScaledVector(up, 0.55 * length * Math.sin(turned));
  };
  for (let k = 0; k < arcSteps; ++k) add(onArc(k), onArc(k + 1));
  return lines;
}

/** All slopes of a drawing; null where there is none. */
export function newWedges(obstacles: DrawingObstacle[], length: number): THREE.LineSegments | null {
  const places = obstacles.flatMap((obstacle) => wedgeLines(obstacle, length));
  if (places.length === 0) return null;
  const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  const material = new THREE.LineBasicMaterial({ color: '#e2571c', depthTest: false, transparent: true });
  const lines = new THREE.LineSegments(geometry, material);
  lines.renderOrder = 2;
  return lines;
}
