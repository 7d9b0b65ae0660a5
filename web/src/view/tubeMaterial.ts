// The surface of rods and links: besides its color a stripe along d1 that shows twist. Rigid links look like metal.
import { type Additions, BodyMaterial } from './bodyMaterial';

const additions: Additions = {
  key: 'rod',
  vertex: { declare: 'attribute float around;\nvarying float vAround;', main: 'vAround = around;' },
  fragment: {
    declare: 'varying float vAround;',
    color: `
      float spread = fwidth(vAround);
      float stripe = 1.0 - smoothstep(0.085 - spread, 0.085 + spread, abs(vAround));
      stripe *= 1.0 - smoothstep(0.15, 0.5, spread);
      float bright = dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722));
      vec3 mark = bright > 0.35 ? diffuseColor.rgb * 0.35 : mix(diffuseColor.rgb, vec3(1.0), 0.62);
      diffuseColor.rgb = mix(diffuseColor.rgb, mark, stripe * 0.8);`,
  },
};

export class TubeMaterial extends BodyMaterial {
  constructor(opacity = 1, rigid = false) {
    const surface = rigid ? { roughness: 0.48, metalness: 0.4 } : { roughness: 0.52 };
    // Where a clear body lies in an opaque one of its size, as a twin does, the opaque one is seen: else their facets flicker.
    const behind = opacity < 1 ? { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 300 } : {};
    super(additions, { ...surface, ...behind, transparent: opacity < 1, opacity });
  }
}
