// All bodies of one drawing in the 3D scene: rods, links and shells.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import type { BodyLook } from './bodyMaterial';
import type { BodyKind } from './fields';
import { Rods } from './rods';
import { Shells } from './shells';
import type { RestShape } from './surface';
import type { Detail } from './tubes';

export class Bodies {
  readonly group = new THREE.Group();
  private readonly rods: Rods;
  private readonly shells: Shells;

  constructor(drawing: DrawingData, rest: RestShape, detail?: Detail) {
    this.rods = new Rods(drawing, detail);
    this.shells = new Shells(drawing, rest);
    this.group.add(this.rods.group, this.shells.group);
  }

  /** Lengths [m]; `thicken` scales the sections of rods and links; `values` one per point, or null. */
  update(positions: Float32Array, directors: Float32Array, values: Float32Array | null, thicken: number): void {
    this.rods.update(positions, directors, values, thicken);
    this.shells.update(positions, values);
  }

  setLook(lookOf: (kind: BodyKind) => BodyLook): void {
    this.rods.setLook(lookOf);
    this.shells.setLook(lookOf('shell'));
  }

  setWireframe(shown: boolean): void {
    this.shells.setWireframe(shown);
  }

  dispose(): void {
    this.rods.dispose();
    this.shells.dispose();
    this.group.clear();
  }
}
