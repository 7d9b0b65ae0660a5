// Small symbols for what holds and loads a structure: plates, cones, arrows, rings, blocks, and balls for joints.
// One instanced mesh per shape; the matrices follow the points.

import type { DrawingMark } from '@tendril/engine';
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';

type Shape = 'plate' | 'cone' | 'slider' | 'ring' | 'arrow' | 'block' | 'ball';

const shapeOf: Record<DrawingMark['kind'], Shape> = {
  clamp: 'plate',
  fix: 'cone',
  move: 'slider',
  turn: 'ring',
  moment: 'ring',
  weld: 'ball',
  pin: 'ball',
  force: 'arrow',
  follower: 'arrow',
  line: 'arrow',
  mass: 'block',
};

interface Placed {
  mark: DrawingMark;
  shape: Shape;
  index: number;
  /** A follower's direction in the frame (d1, d2, t) of its point at the start. */
  local: THREE.Vector3 | null;
  /** The next point along the body, for the tangent. */
  next: number;
  sign: number;
  /** At the first or last point of its body. */
  end: boolean;
}

const loads = new Set<DrawingMark['kind']>(['force', 'follower', 'line', 'moment', 'mass']);
const support = new THREE.Color('#6d7983');
const load = new THREE.Color('#e2571c');

export class Symbols {
  readonly group = new THREE.Group();
  private readonly meshes = new Map<Shape, THREE.InstancedMesh>();
  private readonly placed: Placed[] = [];
  private readonly matrix = new THREE.Matrix4();
  private readonly place = new THREE.Vector3();
  private readonly aim = new THREE.Vector3();
  private readonly d1 = new THREE.Vector3();
  private readonly d2 = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly up = new THREE.Vector3(0, 0, 1);

  /** `size`: length of an arrow [m]. */
  constructor(
    private readonly drawing: DrawingData,
    private readonly size: number,
  ) {
    const counts = new Map<Shape, number>();
    for (const mark of drawing.marks) {
      const shape = shapeOf[mark.kind];
      if (!shape || hiddenPoint(drawing, mark.point)) continue;
      const index = counts.get(shape) ?? 0;
      counts.set(shape, index + 1);
      this.placed.push({ mark, shape, index, local: null, ...neighbour(drawing, mark.point) });
    }
    for (const [shape, count] of counts) this.meshes.set(shape, this.newMesh(shape, count));
    for (const { mark, shape, index } of this.placed) {
      this.meshes.get(shape)?.setColorAt(index, loads.has(mark.kind) ? load : support);
    }
  }

  update(positions: Float32Array, directors: Float32Array, thicken: number): void {
    for (const item of this.placed) this.updateOne(item, positions, directors, thicken);
    for (const mesh of this.meshes.values()) mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of this.meshes.values()) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.group.clear();
  }

  private updateOne(item: Placed, positions: Float32Array, directors: Float32Array, thicken: number): void {
    const { mark, shape } = item;
    const p = 3 * mark.point;
    this.place.set(positions[p], positions[p + 1], positions[p + 2]);
    this.setFrame(item, positions, directors);
    const radius = thicken * Math.max(this.drawing.halfAxes[2 * mark.point], this.drawing.halfAxes[2 * mark.point + 1]);
    if (shape === 'ball') {
      this.turn.identity();
      this.scale.setScalar(Math.max(radius * 1.25, this.size * 0.05));
    } else if (shape === 'arrow') {
      this.direct(item);
      this.turn.setFromUnitVectors(this.up, this.aim);
      this.scale.setScalar(mark.kind === 'line' ? this.size * 0.5 : this.size);
    } else if (shape === 'plate') {
      this.setPlate(item, thicken);
    } else {
      if (mark.direction.some((c) => c !== 0)) this.aim.fromArray(mark.direction).normalize();
      if (shape === 'cone') this.aim.set(0, 0, 1);
      this.turn.setFromUnitVectors(this.up, this.aim);
      this.scale.setScalar(Math.max(this.size * 0.14, radius * 1.9));
    }
    this.matrix.compose(this.place, this.turn, this.scale);
    this.meshes.get(shape)?.setMatrixAt(item.index, this.matrix);
  }

  /** A clamp: a block around the section, behind the end that it holds. */
  private setPlate({ mark, sign, end }: Placed, thicken: number): void {
    const a = thicken * this.drawing.halfAxes[2 * mark.point];
    const b = thicken * this.drawing.halfAxes[2 * mark.point + 1];
    const margin = Math.max(0.05 * this.size, 0.35 * Math.max(a, b));
    const depth = end ? Math.max(margin, 1.15 * Math.min(a, b)) : margin * 0.7;
    this.turn.setFromRotationMatrix(this.matrix.makeBasis(this.d1, this.d2, this.aim));
    if (end) this.place.addScaledVector(this.aim, (-sign * depth) / 2);
    this.scale.set(a + margin, b + margin, depth);
  }

  /** aim: the tangent; d1, d2: the directors. */
  private setFrame(item: Placed, positions: Float32Array, directors: Float32Array): void {
    const p = 3 * item.mark.point;
    const q = 3 * item.next;
    this.aim.set(positions[q] - positions[p], positions[q + 1] - positions[p + 1], positions[q + 2] - positions[p + 2]);
    this.aim.multiplyScalar(item.sign).normalize();
    if (this.aim.lengthSq() === 0) this.aim.set(0, 0, 1);
    this.d1.set(directors[p], directors[p + 1], directors[p + 2]);
    this.d1.addScaledVector(this.aim, -this.d1.dot(this.aim)).normalize();
    this.d2.crossVectors(this.aim, this.d1);
  }

  /** Dead loads keep their direction; a follower's turns with the frame, whose first sight fixes it there. */
  private direct(item: Placed): void {
    const [x, y, z] = item.mark.direction;
    if (item.mark.kind !== 'follower') {
      this.aim.set(x, y, z).normalize();
      if (this.aim.lengthSq() === 0) this.aim.set(0, 0, -1);
      return;
    }
    if (!item.local) {
      this.scale.set(x, y, z);
      item.local = new THREE.Vector3(this.scale.dot(this.d1), this.scale.dot(this.d2), this.scale.dot(this.aim));
    }
    const { local } = item;
    this.aim.multiplyScalar(local.z).addScaledVector(this.d1, local.x).addScaledVector(this.d2, local.y).normalize();
  }

  private newMesh(shape: Shape, count: number): THREE.InstancedMesh {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.7, metalness: 0 });
    const mesh = new THREE.InstancedMesh(shapes[shape](), material, count);
    mesh.frustumCulled = false;
    mesh.castShadow = shape === 'ball' || shape === 'block';
    this.group.add(mesh);
    return mesh;
  }
}

/** Unit geometries along +z; arrows end with their tip at the origin, so that they push where they point. */
const shapes: Record<Shape, () => THREE.BufferGeometry> = {
  plate: () => new THREE.BoxGeometry(2, 2, 1),
  cone: () => new THREE.ConeGeometry(0.6, 1, 20).rotateX(Math.PI / 2).translate(0, 0, -0.5),
  slider: () => new THREE.OctahedronGeometry(0.7),
  ring: () => new THREE.TorusGeometry(1, 0.13, 10, 40),
  block: () => new THREE.BoxGeometry(1, 1, 1),
  ball: () => new THREE.SphereGeometry(1, 24, 16),
  arrow: () =>
    new THREE.LatheGeometry(
      [
        new THREE.Vector2(0, -1),
        new THREE.Vector2(0.022, -1),
        new THREE.Vector2(0.022, -0.28),
        new THREE.Vector2(0.075, -0.28),
        new THREE.Vector2(0, 0),
      ],
      20,
    ).rotateX(Math.PI / 2),
};

function hiddenPoint(drawing: DrawingData, point: number): boolean {
  return drawing.parts.some((p) => p.hidden && point >= p.firstPoint && point < p.firstPoint + p.pointCount);
}

function neighbour(drawing: DrawingData, point: number): { next: number; sign: number; end: boolean } {
  const part = drawing.parts.find((p) => point >= p.firstPoint && point < p.firstPoint + p.pointCount);
  if (!part || part.pointCount < 2) return { next: point, sign: 1, end: true };
  const last = point === part.firstPoint + part.pointCount - 1;
  return { next: last ? point - 1 : point + 1, sign: last ? -1 : 1, end: last || point === part.firstPoint };
}
