// `view.follow`: the camera moves with the middle of a body: a rod, a shell, a link, or a linkage with all its links.
import type { Follow } from '@tendril/engine';
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';

export class MiddleFollow {
  private parts: DrawingData['parts'] = [];
  private ready = false;
  private readonly last = new THREE.Vector3();
  private readonly middle = new THREE.Vector3();

  /** A new scene, or drawing. */
  setParts(drawn: DrawingData['parts'], { parts, nodes }: Follow): void {
    this.parts = nodes ? [] : parts.map((i) => drawn[i]);
  }

  get active(): boolean {
    return this.parts.length > 0;
  }

  restart(): void {
    this.ready = false;
  }

  /** Tells how far the middle has moved since it was asked last. */
  update(positions: Float32Array, shift: (offset: THREE.Vector3) => void): void {
    if (this.parts.length === 0) return;
    const { middle, last } = this;
    const count = this.parts.reduce((sum, { pointCount }) => sum + pointCount, 0);
    middle.set(0, 0, 0);
    for (const { firstPoint, pointCount } of this.parts) {
      for (let i = 3 * firstPoint; i < 3 * (firstPoint + pointCount); i += 3) {
        middle.x += positions[i] / count;
        middle.y += positions[i + 1] / count;
        middle.z += positions[i + 2] / count;
      }
    }
    if (this.ready) shift(last.subVectors(middle, last));
    last.copy(middle);
    this.ready = true;
  }
}
