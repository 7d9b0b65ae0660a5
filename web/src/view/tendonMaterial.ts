// The surface of tendons: ribbons that face the camera, a few pixels wide, thinner where their links are small on the screen,
// with a rim that parts them from what lies behind. They are drawn as if they lay somewhat nearer than they do: inside
// links, too, they are seen.
import * as THREE from 'three';
import { mapTexture } from './bodyMaterial';

/** Half of the width [px]: as a part of the links' radius on the screen, within limits; and the rim's part of it. */
const widths = { part: 0.11, least: 0.8, most: 2.7 };
const rim = 0.34;

const vertex = `
attribute vec3 before;
attribute vec3 after;
attribute float side;
attribute float along;
attribute float place;
attribute vec4 own;
uniform vec2 resolution;
uniform float radius;
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
  float onScreenRadius = 0.5 * radius * projectionMatrix[1][1] / gl_Position.w * resolution.y;
  float width = clamp(${widths.part} * onScreenRadius, ${widths.least.toFixed(1)}, ${widths.most.toFixed(1)});
  gl_Position.xy += side * across * 2.0 * width / resolution * gl_Position.w;
  vec4 nearer = projectionMatrix * vec4(view.xy, view.z + min(lift * radius, -0.5 * view.z), 1.0);
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
uniform float opacity;
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
  float soft = min(fwidth(vSide), 0.3);
  float edge = smoothstep(${(1 - rim).toFixed(2)} - soft, ${(1 - rim).toFixed(2)} + soft, abs(vSide));
  gl_FragColor = vec4(mix(color, rimColor, edge), opacity);
  #include <colorspace_fragment>
}`;

const rimColors = { light: '#ffffff', dark: '#14181c' };

export class TendonMaterial extends THREE.ShaderMaterial {
  private readonly map: THREE.DataTexture;

  /** `lift`: how much nearer than they are they are drawn, in radii of links; see-through where `opacity` is below 1. */
  constructor(lift: number, opacity = 1) {
    const map = mapTexture('tension');
    super({
      vertexShader: vertex,
      fragmentShader: fragment,
      side: THREE.DoubleSide,
      transparent: opacity < 1,
      depthWrite: opacity === 1,
      uniforms: {
        resolution: { value: new THREE.Vector2(1, 1) },
        radius: { value: 0 },
        lift: { value: lift },
        opacity: { value: opacity },
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

  /** `radius` of the links as drawn [m]; `dash`: from one dash to the next [m]. */
  setLengths(radius: number, dash: number): void {
    this.uniforms.radius.value = radius;
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
