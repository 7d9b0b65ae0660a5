// The rigid bodies of vines: two sleeves between neighboring points that slide on each other as the vine grows. The first
// starts at one point, the second ends at the next; where they do not meet the tube shows between them.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { colorsByName } from './colormap';

/** Where a pair starts, and what its bodies are [m]. */
interface Pair {
  point: number;
  length: number;
  radius: number;
  color: string;
}

/** Radii of the first and second bodies as parts of the tube's: both cover it, the first the second. */
const wider = [1.07, 1.035];
const white = new THREE.Color('#ffffff');
const black = new THREE.Color('#000000');

export class Sleeves {
  readonly group = new THREE.Group();
  private pairs: Pair[] = [];
  private meshes: THREE.InstancedMesh[] = [];
  private readonly geometry = new THREE.CylinderGeometry(1, 1, 1, 28);
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.6 });
  private readonly matrix = new THREE.Matrix4();
  private readonly from = new THREE.Vector3();
  private readonly to = new THREE.Vector3();
  private readonly along = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly up = new THREE.Vector3(0, 1, 0);

  setDrawing(drawing: DrawingData): void {
    this.pairs = pairsOf(drawing);
    const room = this.meshes[0]?.instanceMatrix.count ?? 0;
    if (this.pairs.length > room) this.makeRoom(this.pairs.length);
    const shade = new THREE.Color();
    this.meshes.forEach((mesh, body) => {
      mesh.count = this.pairs.length;
      this.pairs.forEach(({ color }, i) => {
        mesh.setColorAt(i, body === 0 ? shade.set(color).lerp(white, 0.4) : shade.set(color).lerp(black, 0.4));
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    });
  }

  update(positions: Float32Array, thicken: number): void {
    if (!this.group.visible) return;
    this.pairs.forEach(({ point, length, radius }, i) => {
      this.meshes.forEach((mesh, body) => {
        bodyEnds(positions, point, length, body, this.from, this.to);
        this.along.subVectors(this.to, this.from);
        const size = this.along.length();
        this.turn.setFromUnitVectors(this.up, this.along.divideScalar(size || 1));
        this.scale.set(wider[body] * radius * thicken, size, wider[body] * radius * thicken);
        this.matrix.compose(this.from.lerp(this.to, 0.5), this.turn, this.scale);
        mesh.setMatrixAt(i, this.matrix);
      });
    });
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  /** Room for some more than there are now: a vine grows. */
  private makeRoom(count: number): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.group.clear();
    this.meshes = [0, 1].map(() => {
      const mesh = new THREE.InstancedMesh(this.geometry, this.material, Math.ceil(1.5 * count));
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      return mesh;
    });
    this.group.add(...this.meshes);
  }
}

/** The pairs of all vines that are shown. */
export function pairsOf({ parts, halfAxes }: DrawingData): Pair[] {
  const colors = colorsByName(parts);
  return parts.flatMap(({ kind, hidden, firstPoint, pointCount, bodyLength: length }, p) => {
    if (kind !== 'vine' || hidden) return [];
    const radius = halfAxes[2 * firstPoint];
    return Array.from({ length: pointCount - 1 }, (_, i) => ({
      ...{ point: firstPoint + i, length, radius, color: colors[p] },
    }));
  });
}

/** Both ends of the first (0) or second (1) body of the pair that starts at a point: it keeps its length. */
export function bodyEnds(
  positions: Float32Array,
  point: number,
  length: number,
  body: number,
  from: THREE.Vector3,
  to: THREE.Vector3,
): void {
  from.fromArray(positions, 3 * point);
  to.fromArray(positions, 3 * point + 3);
  const gap = from.distanceTo(to);
  const part = gap > 0 ? length / gap : 0;
  if (body === 0) to.lerpVectors(from, to, part);
  else from.lerpVectors(to, from, part);
}
