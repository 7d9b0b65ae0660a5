// What the surfaces of all bodies share: soft light, and a color per body or a field through a color map.
import * as THREE from 'three';
import { type FieldMap, type MapName, mapBytes, mapSize } from './colormap';

export interface BodyLook {
  /** Color by the field between low and high; otherwise by body. */
  field: boolean;
  map: FieldMap;
  low: number;
  high: number;
}

/** GLSL that a kind of body adds: declarations, and lines that follow the color. */
export interface Additions {
  key: string;
  vertex?: { declare: string; main: string };
  fragment: { declare?: string; color: string };
}

export class BodyMaterial extends THREE.MeshStandardMaterial {
  private readonly own = {
    fieldOn: { value: 0 },
    fieldRange: { value: new THREE.Vector2(0, 1) },
    fieldMap: { value: null as THREE.DataTexture | null },
  };
  private readonly maps = { sequential: mapTexture('sequential'), diverging: mapTexture('diverging') };

  constructor(
    private readonly additions: Additions,
    settings: THREE.MeshStandardMaterialParameters,
  ) {
    super({ vertexColors: true, metalness: 0, ...settings });
    this.own.fieldMap.value = this.maps.sequential;
  }

  setLook({ field, map, low, high }: BodyLook): void {
    this.own.fieldOn.value = field ? 1 : 0;
    this.own.fieldRange.value.set(low, Math.max(high - low, 1e-30));
    this.own.fieldMap.value = this.maps[map];
  }

  override dispose(): void {
    this.maps.sequential.dispose();
    this.maps.diverging.dispose();
    super.dispose();
  }

  override customProgramCacheKey(): string {
    return this.additions.key;
  }

  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    const { vertex, fragment } = this.additions;
    Object.assign(shader.uniforms, this.own);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>\nattribute float value;\nvarying float vValue;\n${vertex?.declare ?? ''}`,
      )
      .replace('#include <begin_vertex>', `#include <begin_vertex>\nvValue = value;\n${vertex?.main ?? ''}`);
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying float vValue;
        uniform float fieldOn;
        uniform vec2 fieldRange;
        uniform sampler2D fieldMap;
        ${fragment.declare ?? ''}`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        if (fieldOn > 0.5) {
          float place = clamp((vValue - fieldRange.x) / fieldRange.y, 0.0, 1.0);
          diffuseColor.rgb = texture2D(fieldMap, vec2((place * 255.0 + 0.5) / 256.0, 0.5)).rgb;
        }
        ${fragment.color}`,
      );
  }
}

export function mapTexture(name: MapName): THREE.DataTexture {
  const texture = new THREE.DataTexture(mapBytes(name), mapSize, 1, THREE.RGBAFormat);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Vertex colors are taken as linear light by the renderer: sRGB bytes become that. */
export function linear(bytes: Uint8Array): Float32Array {
  const table = Float32Array.from({ length: 256 }, (_, i) => {
    const c = i / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return Float32Array.from(bytes, (byte) => table[byte]);
}
