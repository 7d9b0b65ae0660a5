// The surface of shells: seen from both sides, its back a little darker so that flips read.
import * as THREE from 'three';
import { type Additions, BodyMaterial } from './bodyMaterial';

const additions: Additions = {
  key: 'shell',
  fragment: {
    // Where the renderer draws the back in a pass of its own it also swaps what counts as front.
    color: `
      #ifdef FLIP_SIDED
        bool back = true;
      #else
        bool back = !gl_FrontFacing;
      #endif
      if (back && fieldOn < 0.5) diffuseColor.rgb *= 0.6;`,
  },
};

export class ShellMaterial extends BodyMaterial {
  constructor(opacity = 1) {
    super(additions, {
      roughness: 0.72,
      side: THREE.DoubleSide,
      transparent: opacity < 1,
      opacity,
      // Lines on the surface win over it.
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
  }
}
