// The ground: a fading grid by which height and size read, and a plane that takes the shadows.
import * as THREE from 'three';
import { niceBelow } from '../text/units';

const vertex = `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const fragment = `
varying vec3 vWorld;
uniform vec3 ink;
uniform vec2 middle;
uniform float spacing;
uniform float reach;
uniform float strength;
float lines(vec2 at, float width) {
  vec2 spread = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(spread, vec2(1e-6));
  vec2 line = 1.0 - smoothstep(width - 0.5, width + 0.7, near);
  line *= 1.0 - smoothstep(vec2(0.25), vec2(0.6), spread);
  return max(line.x, line.y);
}
void main() {
  vec2 at = vWorld.xy / spacing;
  float line = max(lines(at, 0.5) * 0.45, lines(at / 5.0, 0.6));
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vWorld.xy - middle) / reach);
  gl_FragColor = vec4(ink, line * fade * strength);
}`;

export class Ground {
  readonly group = new THREE.Group();
  /** Distance between the finer lines [m]. */
  spacing = 1;
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;

  constructor() {
    const uniforms = {
      ink: { value: new THREE.Color() },
      middle: { value: new THREE.Vector2() },
      spacing: { value: 1 },
      reach: { value: 1 },
      strength: { value: 0.5 },
    };
    const material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShadowMaterial({ opacity: 0.16 }));
    this.shade.material.depthWrite = false;
    this.shade.receiveShadow = true;
    this.group.add(this.shade, this.grid);
  }

  /** Under the box, with lines that suit its size. A floor at z = 0 is kept where bodies stand just above it. */
  fit(box: THREE.Box3): void {
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    const middle = box.getCenter(new THREE.Vector3());
    const low = box.min.z;
    const height = low >= 0 && low < 0.5 * size && box.max.z - low > 0.2 * size ? 0 : low - 0.3 * size;
    this.spacing = niceBelow(size / 6);
    const reach = 2.6 * size;
    const { uniforms } = this.grid.material;
    uniforms.middle.value.set(middle.x, middle.y);
    uniforms.spacing.value = this.spacing;
    uniforms.reach.value = reach;
    this.grid.position.set(middle.x, middle.y, height);
    this.grid.scale.setScalar(reach);
    this.shade.position.set(middle.x, middle.y, height - 1e-4 * size);
    this.shade.scale.setScalar(reach);
  }

  setTheme(dark: boolean): void {
    const { uniforms } = this.grid.material;
    uniforms.ink.value.set(dark ? '#9fb0bd' : '#5d6b78');
    uniforms.strength.value = dark ? 0.24 : 0.26;
    this.shade.material.opacity = dark ? 0.4 : 0.16;
  }
}
