// The surface of tendons: ribbons that face the camera, a few pixels wide whatever the distance, with a rim that parts them
// from what lies behind. They are drawn as if they lay in front of the links that they run in.
import * as THREE from 'three';
import { mapTexture } from './bodyMaterial';

/** Half of the width, and of that the rim [px]. */
const half = 2.9;
const rim = 1.1;

const vertex = `
attribute vec3 before;
attribute vec3 after;
attribute float side;
attribute float along;
attribute float place;
attribute vec4 own;
uniform vec2 resolution;
uniform float lift;
varying float vSide;
varying float vAlong;
varying float vPlace;
varying vec4 vOwn;
vec2 onScreen(vec3 at) {
  vec4 clip = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
  return clip.xy / clip.w * resolution;
}
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  vec2 way = onScreen(after) - onScreen(before);
  vec2 across = length(way) > 1e-6 ? normalize(vec2(-way.y, way.x)) : vec2(0.0, 1.0);
  gl_Position.xy += side * across * ${(2 * half).toFixed(1)} / resolution * gl_Position.w;
  vec4 nearer = projectionMatrix * vec4(view.xy, view.z + min(lift, -0.5 * view.z), 1.0);
  gl_Position.z = nearer.z / nearer.w * gl_Position.w;
  vSide = side;
  vAlong = along;
  vPlace = place;
  vOwn = own;
}`;

const fragment = `
uniform vec2 range;
uniform sampler2D map;
uniform vec3 rimColor;
uniform float dash;
varying float vSide;
varying float vAlong;
varying float vPlace;
varying vec4 vOwn;
void main() {
  // Negative on tendons that are not dashed.
  if (vAlong >= 0.0 && fract(vAlong / dash) > 0.62) discard;
  float most = max(max(-range.x, range.y), 1e-30);
  float part = clamp(0.5 + 0.5 * vPlace / most, 0.0, 1.0);
  vec3 color = texture2D(map, vec2((part * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  color = mix(color, vOwn.rgb, vOwn.a);
  float edge = smoothstep(${((half - rim - 0.5) / half).toFixed(3)}, ${((half - rim + 0.5) / half).toFixed(3)}, abs(vSide));
  gl_FragColor = vec4(mix(color, rimColor, edge), 1.0);
  #include <colorspace_fragment>
}`;

const rimColors = { light: '#ffffff', dark: '#14181c' };

export class TendonMaterial extends THREE.ShaderMaterial {
  private readonly map: THREE.DataTexture;

  constructor() {
    const map = mapTexture('tension');
    super({
      vertexShader: vertex,
      fragmentShader: fragment,
      side: THREE.DoubleSide,
      uniforms: {
        resolution: { value: new THREE.Vector2(1, 1) },
        lift: { value: 0 },
        range: { value: new THREE.Vector2(0, 1) },
        map: { value: map },
        rimColor: { value: new THREE.Color(rimColors.light) },
        dash: { value: 1 },
      },
    });
    this.map = map;
  }

  setTheme(dark: boolean): void {
    this.uniforms.rimColor.value.set(rimColors[dark ? 'dark' : 'light']);
  }

  /** Tensions from `low` to `high` [N], 0 among them, share the map; 0 lies in its middle. */
  setRange(low: number, high: number): void {
    this.uniforms.range.value.set(low, high);
  }

  /** `lift`: how much nearer than they are tendons are drawn [m]; `dash`: from one dash to the next [m]. */
  setLengths(lift: number, dash: number): void {
    this.uniforms.lift.value = lift;
    this.uniforms.dash.value = dash;
  }

  /** Of the picture [px]. */
  get resolution(): THREE.Vector2 {
    return this.uniforms.resolution.value;
  }

  override dispose(): void {
    this.map.dispose();
    super.dispose();
  }
}
