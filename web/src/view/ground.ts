// The ground: a fading grid by which height and size read, and a plane that takes the shadows. It reaches as far as the
// camera sees and goes down where bodies pass below it; where the scene has a floor of its own it is not shown.
import * as THREE from 'three';
import { niceBelow } from '../text/units';
import { gridInk, gridLines } from './gridLines';

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
${gridLines}
void main() {
  float line = gridLines(vWorld.xy / spacing);
  gl_FragColor = vec4(ink, line * fadeOut(length(vWorld.xy - middle) / reach) * strength);
}`;

/** How fast it goes down [s]. */
const glide = 0.1;
/** Below bodies that do not stand on it, as a part of their size. */
const gap = 0.3;
/** What has moved stays up for so long before the ground comes after it [ms]: a swing that comes down again does not count. */
const settled = 2000;

export class Ground {
  readonly group = new THREE.Group();
  /** Distance between the finer lines [m]. */
  spacing = 1;
  /** How far from its middle the ground, and planes, can be seen [m]. */
  reach = 1;
  /** Bodies may stand on it; otherwise it is shown well below them. */
  touched = true;
  private size = 1;
  private height = 0;
  /** Where it was placed under the bodies [m]. */
  private usual = 0;
  /** A value was changed: it may come up again to there. The lowest of the bodies since when [m], [ms]. */
  private lowest = Infinity;
  private since = Infinity;
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

  /** Under the box, with lines that suit its size. A floor at z = 0 is kept where bodies stand just above it; what lies in a level
   * plane lies on it, with its `underside` [m], shadows and all. */
  fit(box: THREE.Box3, underside: number | null): void {
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    const low = box.min.z;
    this.size = size;
    const standing = this.touched && low >= 0 && low < 0.5 * size && box.max.z - low > 0.2 * size;
    this.height = underside !== null ? Math.min(low, underside) - 2e-3 * size : standing ? 0 : low - gap * size;
    this.usual = this.height;
    this.since = Infinity;
    this.group.position.z = this.height;
    this.spacing = niceBelow(size / 6);
    this.grid.material.uniforms.spacing.value = this.spacing;
    this.shade.position.z = -1e-4 * size;
    this.aim(box.getCenter(new THREE.Vector3()), 0);
  }

  /** Around what the camera looks at, from so far [m]. */
  aim({ x, y }: { x: number; y: number }, distance: number): void {
    this.reach = Math.max(2.6 * this.size, 1.1 * distance);
    const { uniforms } = this.grid.material;
    uniforms.middle.value.set(x, y);
    uniforms.reach.value = this.reach;
    for (const mesh of [this.grid, this.shade]) {
      mesh.position.setX(x).setY(y);
      mesh.scale.setScalar(this.reach);
    }
  }

  /** A value was changed, after which it may be left too low. */
  valueChanged(): void {
    this.lowest = Infinity;
    this.since = performance.now();
  }

  /** Bodies reach down to `low` [m]: the ground goes below, by whole wide cells. It comes up again where it was left far below,
   * `atRest` at once, else as far as it was before and when they have stayed up for a while. */
  keepBelow(low: number, atRest = false): void {
    const storey = 5 * this.spacing;
    const above = low - this.height;
    if (above < 0) this.height += storey * Math.floor(above / storey);
    else if (atRest) this.height += this.storeysUp(low);
    if (atRest) return;
    this.lowest = Math.min(this.lowest, low);
    const now = performance.now();
    if (now - this.since < settled) return;
    this.height = Math.min(this.usual, this.height + this.storeysUp(this.lowest));
    this.valueChanged();
  }

  /** How far it can come up below `low` [m]. */
  private storeysUp(low: number): number {
    const storey = 5 * this.spacing;
    const above = low - this.height;
    return above > 2 * gap * this.size ? storey * Math.floor((above - gap * this.size) / storey) : 0;
  }

  /** Where it is shown [m]; without a ground, below everything. */
  get level(): number {
    return this.group.visible ? this.group.position.z : -1e30;
  }

  /** On its way down, `seconds` after the last picture; true while it is. */
  advance(seconds: number): boolean {
    const left = this.height - this.group.position.z;
    if (left === 0) return false;
    const part = 1 - Math.exp(-seconds / glide);
    this.group.position.z = Math.abs(left) < 1e-3 * this.size ? this.height : this.group.position.z + part * left;
    return true;
  }

  setTheme(dark: boolean): void {
    const { uniforms } = this.grid.material;
    uniforms.ink.value.copy(gridInk(dark));
    // On the plain ground of forced colors lines stand out more.
    const plain = matchMedia('(forced-colors: active)').matches ? 0.5 : 1;
    uniforms.strength.value = plain * (dark ? 0.24 : 0.26);
    this.shade.material.opacity = dark ? 0.4 : 0.16;
  }
}
