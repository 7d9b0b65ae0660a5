// The tendons of one drawing in the 3D scene, colored by their tension or as the scene asks; those that span outside are
// dashed, those on the far side of their links faint. Also the range of tensions that the colors stand for.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { isHex } from './colormap';
import type { LegendRow } from './fields';
import { Ribbons } from './ribbons';
import { TendonMaterial } from './tendonMaterial';

/** A dash and its gap, as a part of the structure's size. */
const dashPart = 0.03;
/** Tendons on the near side of their links are drawn in front of these, all tendons faintly [radii of links]. */
const lifts = { near: 1.1, far: 2.6 };
const farOpacity = 0.35;

export class Tendons {
  readonly group = new THREE.Group();
  private readonly geometry = new THREE.BufferGeometry();
  private readonly materials = [new TendonMaterial(lifts.near), new TendonMaterial(lifts.far, farOpacity)];
  private readonly moving: THREE.BufferAttribute[] = [];
  private readonly ribbons: Ribbons;
  private readonly reach: number;

  constructor(drawing: DrawingData) {
    this.ribbons = new Ribbons(drawing.tendons);
    this.reach = largestLink(drawing);
    const { position, before, after, along, tension, side, index, tendonOf } = this.ribbons;
    const { geometry } = this;
    for (const [name, data, size] of [
      ['position', position, 3],
      ['before', before, 3],
      ['after', after, 3],
      ['along', along, 1],
      ['place', tension, 1],
    ] as const) {
      const attribute = new THREE.BufferAttribute(data, size).setUsage(THREE.DynamicDrawUsage);
      this.moving.push(attribute);
      geometry.setAttribute(name, attribute);
    }
    geometry.setAttribute('side', new THREE.BufferAttribute(side, 1));
    geometry.setAttribute('own', new THREE.BufferAttribute(ownColors(drawing, tendonOf), 4));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    for (const material of this.materials) {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.onBeforeRender = (renderer) => {
        renderer.getSize(material.resolution);
        material.uniformsNeedUpdate = true;
      };
      this.group.add(mesh);
    }
  }

  /** `places`: 3 per point [m]; `tensions`: 1 per tendon [N]; `size` of the structure [m]. */
  update(places: Float32Array, tensions: Float32Array, thicken: number, size: number): void {
    this.ribbons.update(places, tensions);
    for (const material of this.materials) material.setLengths(this.reach * thicken, dashPart * size);
    for (const attribute of this.moving) attribute.needsUpdate = true;
  }

  /** What the colors stand for [N]. */
  setRange(low: number, high: number): void {
    for (const material of this.materials) material.setRange(low, high);
  }

  setTheme(dark: boolean): void {
    for (const material of this.materials) material.setTheme(dark);
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}

/** The largest half-axis of a link [m]: tendons run at most so deep inside. */
function largestLink({ parts, halfAxes }: DrawingData): number {
  let largest = 0;
  for (const { kind, firstPoint, pointCount } of parts) {
    if (kind !== 'soft' && kind !== 'rigid') continue;
    for (let i = 2 * firstPoint; i < 2 * (firstPoint + pointCount); ++i) largest = Math.max(largest, halfAxes[i]);
  }
  return largest;
}

/** Per vertex the color that the scene gives its tendon, in linear light, with 1; or 0 where it has none. */
function ownColors({ tendons }: DrawingData, tendonOf: Int32Array): Float32Array {
  const color = new THREE.Color();
  const each = tendons.map((tendon) => (isHex(tendon.color) ? [...color.set(tendon.color), 1] : [0, 0, 0, 0]));
  return Float32Array.from([...tendonOf].flatMap((tendon) => each[tendon]));
}

/** The tensions seen so far [N]; 0 is always among them. */
export class TensionRange {
  low = 0;
  high = 0;

  /** A new scene: what its sliders can ask for. */
  reset([low, high]: [number, number]): void {
    this.low = Math.min(low, 0);
    this.high = Math.max(high, 0);
  }

  /** True if that widened it. */
  take(tensions: Float32Array): boolean {
    const { low, high } = this;
    for (let i = 0; i < tensions.length; ++i) {
      if (tensions[i] < this.low) this.low = tensions[i];
      if (tensions[i] > this.high) this.high = tensions[i];
    }
    return low !== this.low || high !== this.high;
  }

  /** The legend's row, and which part of the map it shows: one side where nothing pushes, or nothing pulls. */
  legend(): { row: LegendRow; from: number; to: number } {
    const most = Math.max(-this.low, this.high);
    const low = this.low < 0 ? -most : 0;
    const high = this.high > 0 || this.low === 0 ? most : 0;
    const title = this.low < 0 ? 'Tension of tendons, − pushes' : 'Tension of tendons';
    return { row: { title, unit: 'N', low, high }, from: low < 0 ? 0 : 0.5, to: high > 0 || low === 0 ? 1 : 0.5 };
  }
}
