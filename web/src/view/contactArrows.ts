// The forces of contacts on vines as arrows. Their scale is a round number of newton per cell of the grid, so that it can
// be said in words; it follows the largest force of the last second and a half.
import * as THREE from 'three';
import { niceBelow } from '../text/units';
import { distance } from './pickTendon';

/** How long the largest force counts after it has gone [ms]. */
const remembered = 1500;
/** Slack on both sides, in arrows as long as cells: the scale does not follow every change. */
const tooLong = 2.6;
const tooShort = 0.6;
const reach = 7;

/** How long arrows are. */
export class ForceScale {
  /** Force of an arrow as long as a cell of the grid [N]; 0 as long as nothing has touched. */
  perCell = 0;
  /** Largest forces [N] of the last moments [ms], each less than those before it. */
  private peaks: { at: number; force: number }[] = [];

  reset(): void {
    this.perCell = 0;
    this.peaks = [];
  }

  /** `contacts`: 6 numbers each; `now` [ms]; true if the scale has changed. */
  take(contacts: Float32Array, now: number): boolean {
    let force = 0;
    for (let i = 0; i < contacts.length; i += 6) {
      force = Math.max(force, Math.hypot(contacts[i + 3], contacts[i + 4], contacts[i + 5]));
    }
    this.peaks = this.peaks.filter((peak) => peak.force > force && now - peak.at <= remembered);
    this.peaks.push({ at: now, force });
    const largest = this.peaks[0].force;
    const { perCell } = this;
    // Where nothing touches there are no arrows, and the scale waits for the next ones.
    if (largest === 0 || (largest <= tooLong * perCell && largest >= tooShort * perCell)) return false;
    this.perCell = niceBelow(1.001 * largest);
    return this.perCell !== perCell;
  }
}

export class ContactArrows {
  readonly group = new THREE.Group();
  private count = 0;
  private contacts: Float32Array = new Float32Array(0);
  private longest = 0;
  private shafts: THREE.InstancedMesh | null = null;
  private heads: THREE.InstancedMesh | null = null;
  private readonly shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
  private readonly head = new THREE.ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
  /** Not hidden by what touches. */
  private readonly material = new THREE.MeshBasicMaterial({ color: '#e2571c', depthTest: false, transparent: true });
  private readonly matrix = new THREE.Matrix4();
  private readonly place = new THREE.Vector3();
  private readonly force = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly up = new THREE.Vector3(0, 1, 0);

  /** `perNewton`: length of an arrow [m/N]; `size`: of the structure [m]. Copies the contacts. */
  update(contacts: Float32Array, perNewton: number, size: number): void {
    this.contacts = contacts.slice();
    this.count = contacts.length / 6;
    this.longest = perNewton;
    if (this.count > (this.shafts?.instanceMatrix.count ?? 0)) this.makeRoom(2 * this.count);
    const { shafts, heads } = this;
    if (!shafts || !heads) return;
    const width = 0.0035 * size;
    for (let i = 0; i < this.count; ++i) {
      this.place.fromArray(contacts, 6 * i);
      this.force.fromArray(contacts, 6 * i + 3);
      const force = this.force.length();
      const length = force * perNewton;
      const cap = Math.min(0.5 * length, 5 * width);
      this.turn.setFromUnitVectors(this.up, this.force.divideScalar(force || 1));
      shafts.setMatrixAt(i, this.matrix.compose(this.place, this.turn, this.scale.set(width, length - cap, width)));
      this.place.addScaledVector(this.force, length - cap);
      heads.setMatrixAt(i, this.matrix.compose(this.place, this.turn, this.scale.set(0.42 * cap, cap, 0.42 * cap)));
    }
    for (const mesh of [shafts, heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** The force whose arrow lies under the mouse [N], or null; `x`, `y` in a view of this size [px]. */
  pick(camera: THREE.Camera, { x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>): number | null {
    let found: number | null = null;
    let least = reach;
    const onScreen = (v: THREE.Vector3): [number, number] => {
      v.project(camera);
      return [((v.x + 1) * width) / 2 - x, ((1 - v.y) * height) / 2 - y];
    };
    for (let i = 0; i < this.count; ++i) {
      this.place.fromArray(this.contacts, 6 * i);
      this.force.fromArray(this.contacts, 6 * i + 3);
      const size = this.force.length();
      this.force.multiplyScalar(this.longest).add(this.place);
      const gap = distance(...onScreen(this.place), ...onScreen(this.force));
      if (gap >= least) continue;
      least = gap;
      found = size;
    }
    return found;
  }

  private makeRoom(count: number): void {
    this.shafts?.dispose();
    this.heads?.dispose();
    this.group.clear();
    const make = (geometry: THREE.BufferGeometry): THREE.InstancedMesh => {
      const mesh = new THREE.InstancedMesh(geometry, this.material, count);
      mesh.frustumCulled = false;
      mesh.renderOrder = 9;
      return mesh;
    };
    this.shafts = make(this.shaft);
    this.heads = make(this.head);
    this.group.add(this.shafts, this.heads);
  }
}
