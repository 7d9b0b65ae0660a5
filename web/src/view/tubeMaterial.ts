// The surface of rods: a colour per body or a field through a colour map, and a stripe along d1 that shows twist.
import * as THREE from 'three';
import { type MapName, mapBytes, mapSize } from './colormap';

export interface TubeLook {
  /** Colour by the field between low and high; otherwise by body. */
  field: boolean;
  map: MapName;
  low: number;
  high: number;
}

export class TubeMaterial extends THREE.MeshStandardMaterial {
  private readonly own = {
    fieldOn: { value: 0 },
    fieldRange: { value: new THREE.Vector2(0, 1) },
    fieldMap: { value: null as THREE.DataTexture | null },
  };
  private readonly maps = { sequential: mapTexture('sequential'), diverging: mapTexture('diverging') };

  constructor(opacity = 1) {
    super({ vertexColors: true, roughness: 0.52, metalness: 0, transparent: opacity < 1, opacity });
    this.own.fieldMap.value = this.maps.sequential;
  }

  setLook({ field, map, low, high }: TubeLook): void {
    this.own.fieldOn.value = field ? 1 : 0;
    this.own.fieldRange.value.set(low, Math.max(high - low, 1e-30));
    this.own.fieldMap.value = this.maps[map];
  }

  override dispose(): void {
    this.maps.sequential.dispose();
    this.maps.diverging.dispose();
    super.dispose();
  }

  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.own);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        '#include <common>\nattribute float around;\nattribute float value;\nvarying float vAround;\nvarying float vValue;',
      )
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvAround = around;\nvValue = value;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying float vAround;
        varying float vValue;
        uniform float fieldOn;
        uniform vec2 fieldRange;
        uniform sampler2D fieldMap;`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        if (fieldOn > 0.5) {
          float place = clamp((vValue - fieldRange.x) / fieldRange.y, 0.0, 1.0);
          diffuseColor.rgb = texture2D(fieldMap, vec2((place * 255.0 + 0.5) / 256.0, 0.5)).rgb;
        }
        float spread = fwidth(vAround);
        float stripe = 1.0 - smoothstep(0.085 - spread, 0.085 + spread, abs(vAround));
        stripe *= 1.0 - smoothstep(0.15, 0.5, spread);
        float bright = dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722));
        vec3 mark = bright > 0.35 ? diffuseColor.rgb * 0.35 : mix(diffuseColor.rgb, vec3(1.0), 0.62);
        diffuseColor.rgb = mix(diffuseColor.rgb, mark, stripe * 0.8);`,
      );
  }
}

function mapTexture(name: MapName): THREE.DataTexture {
  const texture = new THREE.DataTexture(mapBytes(name), mapSize, 1, THREE.RGBAFormat);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
