// Small symbols for what holds and loads a structure: plates, cones, arrows, rings, blocks, and balls for joints.
// One instanced mesh per shape; the matrices follow the points. On shells supports are small, since they come in
// rows, and loads are thinned out.

import type { DrawingMark } from '@tendril/engine';
import * as THREE from 'three';
import type { Moment } from '../engine/moment';
import type { DrawingData } from '../engine/protocol';
import { spread } from './spread';
import { supportAim } from './supports';
import { newWedges } from './wedge';

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
  pressure: 'arrow',
  mass: 'block',
};

/** Supports of shells, whose many nodes each have one. */
const beadOf: Partial<Record<DrawingMark['kind'], Shape>> = { clamp: 'block', fix: 'ball', move: 'slider' };
/** Loads of one kind and direction that are drawn on one shell. */
const loadsPerShell = 24;

interface Placed {
  mark: DrawingMark;
  shape: Shape;
  index: number;
  /** Direction of a follower, or of a pressure, in the frame (d1, d2, t) of its point at the start. */
  local: THREE.Vector3 | null;
  /** A point of a shell: the frame's third direction is the normal, and supports are small. */
  onShell: boolean;
  /** A point of a link, where a joint has its own symbol: from where its support holds it. */
  held: THREE.Vector3 | null;
  /** The next point along the body, for the tangent. */
  next: number;
  sign: number;
  /** At the first or last point of its body. */
  end: boolean;
}

const loads = new Set<DrawingMark['kind']>(['force', 'follower', 'line', 'pressure', 'moment', 'mass']);
const support = new THREE.Color('#6d7983');
const load = new THREE.Color('#e2571c');

export class Symbols {
  readonly group = new THREE.Group();
  private readonly meshes = new Map<Shape, THREE.InstancedMesh>();
  private readonly wedges: THREE.LineSegments | null;
  private readonly placed: Placed[] = [];
  private readonly matrix = new THREE.Matrix4();
  private readonly place = new THREE.Vector3();
  private readonly aim = new THREE.Vector3();
  private readonly inward = new THREE.Vector3();
  private readonly d1 = new THREE.Vector3();
  private readonly d2 = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly up = new THREE.Vector3(0, 0, 1);

  /** `size`: length of an arrow [m]; `moment`: places as far as they are known. */
  constructor(
    private readonly drawing: DrawingData,
    private readonly size: number,
    moment: Pick<Moment, 'positions' | 'joints'>,
  ) {
    const counts = new Map<Shape, number>();
    for (const mark of fewer(drawing, moment.positions)) {
      const part = partOf(drawing, mark.point);
      const onShell = part?.kind === 'shell';
      const shape = (onShell && beadOf[mark.kind]) || shapeOf[mark.kind];
      if (!shape || !part || part.hidden || isNothing(mark) || standsStill(drawing, part, mark)) continue;
      const index = counts.get(shape) ?? 0;
      counts.set(shape, index + 1);
      this.placed.push({
        mark,
        shape,
        index,
        local: null,
        onShell,
        held: isLink(part) ? supportAim(drawing, mark, moment) : null,
        ...neighbor(part, mark.point),
      });
    }
    this.wedges = newWedges(drawing.obstacles, 6 * size);
    if (this.wedges) this.group.add(this.wedges);
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
    this.wedges?.geometry.dispose();
    (this.wedges?.material as THREE.Material | undefined)?.dispose();
    this.group.clear();
  }

  private updateOne(item: Placed, positions: Float32Array, directors: Float32Array, thicken: number): void {
    const { mark, shape } = item;
    const p = 3 * mark.point;
    this.place.set(positions[p], positions[p + 1], positions[p + 2]);
    this.setFrame(item, positions, directors);
    const radius = thicken * Math.max(this.drawing.halfAxes[2 * mark.point], this.drawing.halfAxes[2 * mark.point + 1]);
    if (item.onShell && !loads.has(mark.kind) && beadOf[mark.kind]) {
      this.turn.setFromUnitVectors(this.up, this.aim);
      this.scale.setScalar(this.size * (shape === 'ball' ? 0.045 : 0.08));
    } else if (shape === 'ball') {
      this.turn.identity();
      this.scale.setScalar(Math.max(radius * 1.25, this.size * 0.05));
    } else if (shape === 'arrow') {
      this.setArrow(item, radius);
    } else if (shape === 'plate') {
      this.setPlate(item, thicken);
    } else {
      if (mark.direction.some((c) => c !== 0)) this.aim.fromArray(mark.direction).normalize();
      if (shape === 'cone') this.aim.copy(item.held ?? this.up);
      this.turn.setFromUnitVectors(this.up, this.aim);
      this.scale.setScalar(Math.max(this.size * 0.14, radius * (item.held ? 1.6 : 1.9)));
    }
    this.matrix.compose(this.place, this.turn, this.scale);
    this.meshes.get(shape)?.setMatrixAt(item.index, this.matrix);
  }

  /** Along the axis of a rod, at its end, an arrow that pushes stands outside: its head is at the surface. */
  private setArrow(item: Placed, radius: number): void {
    this.inward.copy(this.aim).multiplyScalar(item.sign);
    this.direct(item);
    this.turn.setFromUnitVectors(this.up, this.aim);
    const pushes = item.end && !item.onShell && this.aim.dot(this.inward) > 0.9;
    if (pushes) this.place.addScaledVector(this.aim, -radius);
    this.scale.setScalar(item.onShell || (item.mark.kind === 'line' && !pushes) ? this.size * 0.5 : this.size);
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

  /** aim: the tangent, of shells the normal; d1, d2: the directors, of shells any across the normal. */
  private setFrame(item: Placed, positions: Float32Array, directors: Float32Array): void {
    const p = 3 * item.mark.point;
    if (item.onShell) {
      this.aim.set(directors[p], directors[p + 1], directors[p + 2]).normalize();
      if (this.aim.lengthSq() === 0) this.aim.set(0, 0, 1);
      this.d1.set(this.aim.z, this.aim.x, this.aim.y).cross(this.aim).normalize();
      this.d2.crossVectors(this.aim, this.d1);
      return;
    }
    const q = 3 * item.next;
    this.aim.set(positions[q] - positions[p], positions[q + 1] - positions[p + 1], positions[q + 2] - positions[p + 2]);
    this.aim.multiplyScalar(item.sign).normalize();
    if (this.aim.lengthSq() === 0) this.aim.set(0, 0, 1);
    this.d1.set(directors[p], directors[p + 1], directors[p + 2]);
    this.d1.addScaledVector(this.aim, -this.d1.dot(this.aim)).normalize();
    this.d2.crossVectors(this.aim, this.d1);
  }

  /** Dead loads keep their direction; a follower's turns with the frame, whose first sight fixes it there. Pressure
   * acts along the normal, on the side that its first sight tells. */
  private direct(item: Placed): void {
    const [x, y, z] = item.mark.direction;
    if (item.mark.kind === 'pressure') {
      item.local ??= new THREE.Vector3(0, 0, x * this.aim.x + y * this.aim.y + z * this.aim.z < 0 ? -1 : 1);
      this.aim.multiplyScalar(item.local.z);
      return;
    }
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

type Part = DrawingData['parts'][number];

function partOf(drawing: DrawingData, point: number): Part | undefined {
  return drawing.parts.find((p) => point >= p.firstPoint && point < p.firstPoint + p.pointCount);
}

const isLink = ({ kind }: Part): boolean => kind === 'soft' || kind === 'rigid';

function neighbor({ firstPoint, pointCount }: Part, point: number): { next: number; sign: number; end: boolean } {
  if (pointCount < 2) return { next: point, sign: 1, end: true };
  const last = point === firstPoint + pointCount - 1;
  return { next: last ? point - 1 : point + 1, sign: last ? -1 : 1, end: last || point === firstPoint };
}

/** A hard link that is all of its linkage and held: a thing in its place, which needs no support to be understood. */
function standsStill({ parts }: DrawingData, part: Part, { kind }: DrawingMark): boolean {
  return kind === 'clamp' && part.kind === 'rigid' && !parts.some((p) => p !== part && p.body === part.body);
}

/** A force that is zero at the start has no direction to show. */
function isNothing({ kind, direction }: DrawingMark): boolean {
  return (kind === 'force' || kind === 'follower' || kind === 'line') && direction.every((c) => c === 0);
}

/** The marks to draw: loads of one kind and direction on one shell are thinned out. */
function fewer(drawing: DrawingData, positions: Float32Array): DrawingMark[] {
  const kept: DrawingMark[] = [];
  const groups = new Map<string, Map<number, DrawingMark>>();
  for (const mark of drawing.marks) {
    const part = partOf(drawing, mark.point);
    if (part?.kind !== 'shell' || !loads.has(mark.kind)) {
      kept.push(mark);
      continue;
    }
    const direction = mark.kind === 'pressure' ? '' : mark.direction.map((c) => c.toFixed(2)).join(' ');
    const key = `${part.firstPoint} ${mark.kind} ${direction}`;
    const group = groups.get(key) ?? new Map<number, DrawingMark>();
    group.set(mark.point, mark);
    groups.set(key, group);
  }
  const known = positions.length === (3 * drawing.halfAxes.length) / 2 ? positions : new Float32Array(0);
  for (const group of groups.values()) {
    for (const point of spread([...group.keys()], known, loadsPerShell)) {
      const mark = group.get(point);
      if (mark) kept.push(mark);
    }
  }
  return kept;
}
