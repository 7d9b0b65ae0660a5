// Words beside bodies and obstacles whose look has a label, at the middle of what is drawn.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { h } from '../ui/dom';
import { middleOf } from './obstacles';

interface Label {
  element: HTMLElement;
  /** Where it stands: written into `place`. */
  at: (place: THREE.Vector3, positions: Float32Array, moves: Float32Array) => void;
}

export class Labels {
  readonly element = h('div', { class: 'labels', aria: { hidden: 'true' } });
  private labels: Label[] = [];
  private known: HTMLElement[] = [];
  private readonly place = new THREE.Vector3();

  /** Words that were there before stay where they are until the next picture; new ones wait for it unseen. */
  setDrawing({ parts, obstacles }: DrawingData): void {
    this.known = this.labels.map(({ element }) => element);
    this.labels = [];
    for (const { label, hidden, firstPoint, pointCount } of parts) {
      if (!label || hidden) continue;
      this.add(label, (place, positions) => meanOf(positions, firstPoint, pointCount, place));
    }
    obstacles.forEach((obstacle, i) => {
      if (!obstacle.label || obstacle.hidden) return;
      const middle = middleOf(obstacle);
      this.add(obstacle.label, (place, _, moves) => {
        place.copy(middle);
        for (let c = 0; c < 3; ++c) place.setComponent(c, place.getComponent(c) + (moves[3 * i + c] ?? 0));
      });
    });
    this.element.replaceChildren(...this.labels.map(({ element }) => element));
  }

  /** Moves the words to the points and obstacles as the camera sees them; sizes in px. */
  update(
    positions: Float32Array,
    moves: Float32Array,
    camera: THREE.Camera,
    { width, height }: { width: number; height: number },
  ): void {
    const { place } = this;
    for (const { element, at } of this.labels) {
      at(place, positions, moves);
      place.project(camera);
      element.hidden = !(Math.abs(place.z) < 1);
      const x = ((place.x + 1) * width) / 2;
      const y = ((1 - place.y) * height) / 2;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    }
  }

  private add(label: string, at: Label['at']): void {
    const same = this.known.findIndex(({ textContent }) => textContent === label);
    const [element] = same < 0 ? [h('span', { hidden: true }, label)] : this.known.splice(same, 1);
    this.labels.push({ element, at });
  }
}

function meanOf(positions: Float32Array, firstPoint: number, pointCount: number, mean: THREE.Vector3): void {
  mean.set(0, 0, 0);
  for (let i = 3 * firstPoint; i < 3 * (firstPoint + pointCount); i += 3) {
    mean.x += positions[i] / pointCount;
    mean.y += positions[i + 1] / pointCount;
    mean.z += positions[i + 2] / pointCount;
  }
}
