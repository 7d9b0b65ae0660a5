// The rods of one drawing in the 3D scene: a mesh for the opaque ones and one for each see-through one.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { type BodyLook, linear } from './bodyMaterial';
import { TubeMaterial } from './tubeMaterial';
import { type Detail, Tubes } from './tubes';

interface Piece {
  tubes: Tubes;
  mesh: THREE.Mesh<THREE.BufferGeometry, TubeMaterial>;
}

export class Rods {
  readonly group = new THREE.Group();
  private readonly pieces: Piece[] = [];

  constructor(drawing: DrawingData, detail?: Detail) {
    const opaque: number[] = [];
    drawing.parts.forEach((part, p) => {
      if (part.hidden || part.kind !== 'rod') return;
      if (part.opacity >= 1) opaque.push(p);
      else this.add(drawing, [p], part.opacity, detail);
    });
    if (opaque.length > 0) this.add(drawing, opaque, 1, detail);
  }

  update(positions: Float32Array, directors: Float32Array, values: Float32Array | null, thicken: number): void {
    for (const { tubes, mesh } of this.pieces) {
      tubes.update(positions, directors, values, thicken);
      const { position, normal, value } = mesh.geometry.attributes;
      (position as THREE.BufferAttribute).needsUpdate = true;
      (normal as THREE.BufferAttribute).needsUpdate = true;
      if (values) (value as THREE.BufferAttribute).needsUpdate = true;
    }
  }

  setLook(look: BodyLook): void {
    for (const { mesh } of this.pieces) mesh.material.setLook(look);
  }

  dispose(): void {
    for (const { mesh } of this.pieces) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.group.clear();
  }

  private add(drawing: DrawingData, parts: number[], opacity: number, detail?: Detail): void {
    const tubes = new Tubes(drawing, parts, detail);
    const { position, normal, value, around, color, index } = tubes.buffers;
    const geometry = new THREE.BufferGeometry();
    const moving = (data: Float32Array, size: number): THREE.BufferAttribute =>
      new THREE.BufferAttribute(data, size).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', moving(position, 3));
    geometry.setAttribute('normal', moving(normal, 3));
    geometry.setAttribute('value', moving(value, 1));
    geometry.setAttribute('around', new THREE.BufferAttribute(around, 1));
    geometry.setAttribute('color', new THREE.BufferAttribute(linear(color), 3));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const mesh = new THREE.Mesh(geometry, new TubeMaterial(opacity));
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.pieces.push({ tubes, mesh });
    this.group.add(mesh);
  }
}
