// What the tips of vines have painted on the plane that they lie on: a dashed line, cleared when the run starts anew.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { colorsByName } from './colormap';

/** Longest line: beyond it nothing more is painted. */
const mostDashes = 6000;
/** A tip that is this many dashes away at once has not gone there. */
const mostAtOnce = 400;

/** A point that walks on and leaves dashes behind. */
export class Walker {
  private readonly at = new THREE.Vector3();
  private readonly start = new THREE.Vector3();
  private readonly way = new THREE.Vector3();
  private gone = 0;

  constructor(
    place: THREE.Vector3,
    private readonly dash: number,
    private readonly gap: number,
  ) {
    this.at.copy(place);
    this.start.copy(place);
  }

  /** Walks straight to a place; every dash that is complete is told with its two ends. */
  go(place: THREE.Vector3, paint: (from: THREE.Vector3, to: THREE.Vector3) => void): void {
    let left = this.at.distanceTo(place);
    if (!(left > 0)) return;
    this.way.subVectors(place, this.at).divideScalar(left);
    if (left > mostAtOnce * (this.dash + this.gap)) {
      this.at.copy(place);
      this.start.copy(place);
      this.gone = 0;
      return;
    }
    while (left > 0) {
      const dashing = this.gone < this.dash;
      const until = (dashing ? this.dash : this.dash + this.gap) - this.gone;
      const step = Math.min(left, until);
      this.at.addScaledVector(this.way, step);
      left -= step;
      if (step < until) {
        this.gone += step;
      } else if (dashing) {
        paint(this.start, this.at);
        this.gone = this.dash;
      } else {
        this.gone = 0;
        this.start.copy(this.at);
      }
    }
    this.at.copy(place);
  }
}

export class TipPaths {
  readonly group = new THREE.Group();
  /** By the vine's name: who paints, and where the tip is at the newest state, to which the picture is still on its way. */
  private readonly walkers = new Map<string, { walker: Walker; next: THREE.Vector3 }>();
  private mesh: THREE.InstancedMesh | null = null;
  private count = 0;
  private readonly geometry = new THREE.BoxGeometry(1, 1, 1);
  private readonly material = new THREE.MeshBasicMaterial();
  private readonly matrix = new THREE.Matrix4();
  private readonly along = new THREE.Vector3();
  private readonly across = new THREE.Vector3();
  private readonly normal = new THREE.Vector3();
  private readonly tip = new THREE.Vector3();
  private readonly color = new THREE.Color();
  private readonly black = new THREE.Color('#000000');

  /** The run starts anew. */
  clear(): void {
    this.walkers.clear();
    this.count = 0;
    if (this.mesh) this.mesh.count = 0;
  }

  /** The tips go on to new places, and have been at those before: so far is painted. Places and the normals of the vines'
   * planes at a true state; `size`: of the structure [m]. */
  push({ parts, halfAxes }: DrawingData, positions: Float32Array, directors: Float32Array, size: number): void {
    const colors = colorsByName(parts);
    parts.forEach(({ name, kind, hidden, firstPoint, pointCount }, p) => {
      if (kind !== 'vine' || hidden) return;
      const last = 3 * (firstPoint + pointCount - 1);
      const radius = halfAxes[2 * firstPoint];
      this.normal.fromArray(directors, last);
      this.tip.fromArray(positions, last).addScaledVector(this.normal, -radius);
      const found = this.walkers.get(name);
      if (!found) {
        const walker = new Walker(this.tip, Math.max(0.012 * size, 1.5 * radius), Math.max(0.008 * size, radius));
        this.walkers.set(name, { walker, next: this.tip.clone() });
        return;
      }
      const { walker, next } = found;
      this.color.set(colors[p]).lerp(this.black, 0.35);
      const width = Math.max(0.3 * radius, 0.0025 * size);
      walker.go(next, (from, to) => this.paint(from, to, width));
      next.copy(this.tip);
    });
  }

  private paint(from: THREE.Vector3, to: THREE.Vector3, width: number): void {
    if (this.count >= mostDashes) return;
    const mesh = this.roomFor(this.count + 1);
    this.along.subVectors(to, from);
    this.across.crossVectors(this.normal, this.along).normalize().multiplyScalar(width);
    this.matrix.makeBasis(this.along, this.across, this.normal.clone().multiplyScalar(0.1 * width));
    this.matrix.setPosition((from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2);
    mesh.setMatrixAt(this.count, this.matrix);
    mesh.setColorAt(this.count, this.color);
    mesh.count = ++this.count;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  private roomFor(count: number): THREE.InstancedMesh {
    const old = this.mesh;
    if (old && count <= old.instanceMatrix.count) return old;
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, Math.max(256, 2 * count));
    mesh.frustumCulled = false;
    mesh.setColorAt(0, this.color);
    if (old) {
      mesh.instanceMatrix.array.set(old.instanceMatrix.array);
      if (old.instanceColor) mesh.instanceColor?.array.set(old.instanceColor.array);
      this.group.remove(old);
      old.dispose();
    }
    this.group.add(mesh);
    this.mesh = mesh;
    return mesh;
  }
}
