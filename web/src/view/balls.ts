// Rigid links without length, which are drawn at one point: balls with the size and color that the drawing gives them.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { colorsByName } from './colormap';

interface Ball {
  point: number;
  radius: number;
  mesh: THREE.Mesh<THREE.SphereGeometry, THREE.MeshStandardMaterial>;
}

export class Balls {
  readonly group = new THREE.Group();
  private readonly balls: Ball[] = [];
  private readonly geometry = new THREE.SphereGeometry(1, 32, 20);

  constructor({ parts, halfAxes }: DrawingData) {
    const colors = colorsByName(parts);
    parts.forEach(({ kind, hidden, firstPoint: point, pointCount, opacity }, p) => {
      if (kind !== 'rigid' || hidden || pointCount !== 1) return;
      const look = { color: colors[p], transparent: opacity < 1, opacity };
      const material = new THREE.MeshStandardMaterial({ ...look, roughness: 0.48, metalness: 0.4 });
      const mesh = new THREE.Mesh(this.geometry, material);
      mesh.castShadow = true;
      this.balls.push({ point, radius: Math.max(halfAxes[2 * point], halfAxes[2 * point + 1]), mesh });
      this.group.add(mesh);
    });
  }

  update(positions: Float32Array, thicken: number): void {
    for (const { point, radius, mesh } of this.balls) {
      mesh.position.fromArray(positions, 3 * point);
      mesh.scale.setScalar(radius * thicken);
    }
  }

  dispose(): void {
    for (const { mesh } of this.balls) mesh.material.dispose();
    this.geometry.dispose();
    this.group.clear();
  }
}
