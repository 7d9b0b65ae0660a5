// The rods, links and vines of one drawing in the 3D scene: a mesh for the opaque ones of a kind and one for each see-through
// one. Rods, soft links and vines are tubes with round ends, rigid links have flat ends and a metal surface.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { Balls } from './balls';
import { type BodyLook, linear } from './bodyMaterial';
import type { BodyKind } from './fields';
import { TubeMaterial } from './tubeMaterial';
import { type Detail, Tubes } from './tubes';

interface Piece {
  kind: BodyKind;
  tubes: Tubes;
  mesh: THREE.Mesh<THREE.BufferGeometry, TubeMaterial>;
}

export class Rods {
  readonly group = new THREE.Group();
  private readonly pieces: Piece[] = [];
  private readonly balls: Balls;

  constructor(drawing: DrawingData, detail?: Detail) {
    for (const kind of ['rod', 'soft', 'rigid', 'vine'] as const) {
      const opaque: number[] = [];
      drawing.parts.forEach((part, p) => {
        if (part.hidden || part.kind !== kind) return;
        if (part.opacity >= 1) opaque.push(p);
        else this.add(drawing, kind, [p], part.opacity, detail);
      });
      if (opaque.length > 0) this.add(drawing, kind, opaque, 1, detail);
    }
    this.balls = new Balls(drawing);
    this.group.add(this.balls.group);
  }

  update(positions: Float32Array, directors: Float32Array, values: Float32Array | null, thicken: number): void {
    for (const { tubes, mesh } of this.pieces) {
      tubes.update(positions, directors, values, thicken);
      const { position, normal, value } = mesh.geometry.attributes;
      (position as THREE.BufferAttribute).needsUpdate = true;
      (normal as THREE.BufferAttribute).needsUpdate = true;
      if (values) (value as THREE.BufferAttribute).needsUpdate = true;
    }
    this.balls.update(positions, thicken);
  }

  setLook(lookOf: (kind: BodyKind) => BodyLook): void {
    for (const { kind, mesh } of this.pieces) mesh.material.setLook(lookOf(kind));
  }

  dispose(): void {
    for (const { mesh } of this.pieces) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.balls.dispose();
    this.group.clear();
  }

  private add(drawing: DrawingData, kind: BodyKind, parts: number[], opacity: number, detail?: Detail): void {
    const tubes = new Tubes(drawing, parts, detail, kind === 'rigid' ? 'flat' : 'round');
    if (tubes.vertexCount === 0) return;
    const { position, normal, value, around, color, index } = tubes.buffers;
    // A vine lives in a plane and never twists: no stripe.
    if (kind === 'vine') around.fill(1);
    const geometry = new THREE.BufferGeometry();
    const moving = (data: Float32Array, size: number): THREE.BufferAttribute =>
      new THREE.BufferAttribute(data, size).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', moving(position, 3));
    geometry.setAttribute('normal', moving(normal, 3));
    geometry.setAttribute('value', moving(value, 1));
    geometry.setAttribute('around', new THREE.BufferAttribute(around, 1));
    geometry.setAttribute('color', new THREE.BufferAttribute(linear(color), 3));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const mesh = new THREE.Mesh(geometry, new TubeMaterial(opacity, kind === 'rigid'));
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.pieces.push({ kind, tubes, mesh });
    this.group.add(mesh);
  }
}
