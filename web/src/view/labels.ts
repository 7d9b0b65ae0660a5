// Words beside bodies whose look has a label, at the middle of what is drawn.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { h } from '../ui/dom';

interface Label {
  element: HTMLElement;
  firstPoint: number;
  pointCount: number;
}

export class Labels {
  readonly element = h('div', { class: 'labels', aria: { hidden: 'true' } });
  private labels: Label[] = [];
  private readonly place = new THREE.Vector3();

  setDrawing({ parts }: DrawingData): void {
    this.labels = parts
      .filter(({ label, hidden }) => label && !hidden)
      .map(({ label, firstPoint, pointCount }) => ({ element: h('span', {}, label), firstPoint, pointCount }));
    this.element.replaceChildren(...this.labels.map(({ element }) => element));
  }

  /** Moves the words to the points as the camera sees them; sizes in px. */
  update(positions: Float32Array, camera: THREE.Camera, width: number, height: number): void {
    for (const { element, firstPoint, pointCount } of this.labels) {
      const { place } = this;
      place.set(0, 0, 0);
      for (let i = 3 * firstPoint; i < 3 * (firstPoint + pointCount); i += 3) {
        place.x += positions[i] / pointCount;
        place.y += positions[i + 1] / pointCount;
        place.z += positions[i + 2] / pointCount;
      }
      place.project(camera);
      element.hidden = !(Math.abs(place.z) < 1);
      const x = ((place.x + 1) * width) / 2;
      const y = ((1 - place.y) * height) / 2;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    }
  }
}
