// The joints of one drawing as symbols by kind: a pin along the axis of a revolute joint, a sleeve on the parent out of
// which a rod slides, a screw, two crossed pins, a disk, a ball. One instanced mesh per kind; the matrices follow.
import type { DrawingJoint } from '@tendril/engine';
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Moment } from '../engine/moment';
import type { DrawingData } from '../engine/protocol';

type Kind = DrawingJoint['kind'];

interface Placed {
  mesh: THREE.InstancedMesh;
  index: number;
  /** In the drawing. */
  joint: number;
  size: number;
  /** First and last point of the link that it carries; -1 without one. The first's director turns the symbol. */
  point: number;
  last: number;
}

/** What slides out of their sleeves: radius, as a part of the link's. */
const rodPart = 0.7;
const sliding = new Set<Kind>(['prismatic', 'helical', 'cylindrical']);

const colors = { light: '#566270', dark: '#66727d' };
/** Least radius, as a part of the structure's size: joints of thin links are to be seen. */
const leastPart = 0.006;

export class Joints {
  readonly group = new THREE.Group();
  private readonly placed: Placed[] = [];
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.15 });
  private readonly matrix = new THREE.Matrix4();
  private readonly place = new THREE.Vector3();
  private readonly across = new THREE.Vector3();
  private readonly third = new THREE.Vector3();
  private readonly axis = new THREE.Vector3();
  private readonly end = new THREE.Vector3();
  private readonly meshes: THREE.InstancedMesh[] = [];
  private readonly rods: { mesh: THREE.InstancedMesh; placed: Placed[] } | null;

  constructor(drawing: DrawingData) {
    const byKind = new Map<Kind, number[]>();
    drawing.joints.forEach(({ kind, name }, joint) => {
      const part = drawing.parts.find((p) => p.name === name);
      if (!shapes[kind] || part?.hidden) return;
      byKind.set(kind, [...(byKind.get(kind) ?? []), joint]);
    });
    for (const [kind, joints] of byKind) {
      const mesh = this.newMesh(shapes[kind]?.(), joints.length);
      joints.forEach((joint, index) => {
        const { name, size } = drawing.joints[joint];
        const part = drawing.parts.find((p) => p.name === name);
        const point = part?.firstPoint ?? -1;
        this.placed.push({ mesh, index, joint, size, point, last: part ? point + part.pointCount - 1 : -1 });
      });
    }
    const rods = this.placed.filter(({ joint, point }) => point >= 0 && sliding.has(drawing.joints[joint].kind));
    this.rods = rods.length > 0 ? { mesh: this.newMesh(drum(1, 0.5, 0.5), rods.length), placed: rods } : null;
  }

  /** `size` of the structure [m]. */
  update(moment: Pick<Moment, 'joints' | 'directors' | 'positions'>, thicken: number, size: number): void {
    const radiusOf = (item: Placed): number => Math.max(item.size * thicken, leastPart * size);
    for (const item of this.placed) {
      this.setFrame(item, moment);
      const radius = radiusOf(item);
      item.mesh.setMatrixAt(item.index, this.scaled(radius, radius));
    }
    this.rods?.placed.forEach((item, index) => {
      this.setFrame(item, moment);
      const reach = this.reach(item, moment.positions, 1e-4 * size);
      if (reach < 0) this.place.addScaledVector(this.axis, reach);
      this.rods?.mesh.setMatrixAt(index, this.scaled(rodPart * radiusOf(item), Math.max(Math.abs(reach), 1e-6 * size)));
    });
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  setTheme(dark: boolean): void {
    this.material.color.set(colors[dark ? 'dark' : 'light']);
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
    this.group.clear();
  }

  private newMesh(shape: THREE.BufferGeometry | undefined, count: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(shape, this.material, count);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.meshes.push(mesh);
    this.group.add(mesh);
    return mesh;
  }

  /** Place and unit axis of the joint, and two directions across it. */
  private setFrame(item: Placed, { joints, directors }: Pick<Moment, 'joints' | 'directors'>): void {
    const { place, across, third, axis } = this;
    place.fromArray(joints, 6 * item.joint);
    axis.fromArray(joints, 6 * item.joint + 3).normalize();
    if (item.point >= 0) across.fromArray(directors, 3 * item.point);
    else across.set(0, 0, 0);
    across.addScaledVector(axis, -across.dot(axis));
    // The director lies along the axis: any direction across it will do.
    if (across.lengthSq() < 1e-4) across.set(axis.y, axis.z, axis.x).cross(axis);
    across.normalize();
    third.crossVectors(axis, across);
  }

  /** The frame that was set, with these lengths across and along the axis [m]. */
  private scaled(radius: number, length: number): THREE.Matrix4 {
    const { matrix, place, across, third, axis } = this;
    matrix.makeBasis(across.multiplyScalar(radius), third.multiplyScalar(radius), axis.multiplyScalar(length));
    return matrix.setPosition(place);
  }

  /** How far along the axis the link has slid [m]: its end that lies on the axis, to `near`; a loop may hold its last. */
  private reach({ point, last }: Placed, positions: Float32Array, near: number): number {
    const { end, place, axis } = this;
    const along = (at: number): { far: number; off: number } => {
      const far = end
        .fromArray(positions, 3 * at)
        .sub(place)
        .dot(axis);
      return { far, off: end.addScaledVector(axis, -far).length() };
    };
    const first = along(point);
    if (first.off <= near) return first.far;
    const other = along(last);
    return other.off < first.off ? other.far : first.far;
  }
}

/** A solid cylinder along +z, `at` its middle. */
const drum = (radius: number, half: number, at = 0): THREE.BufferGeometry =>
  new THREE.CylinderGeometry(radius, radius, 2 * half, 28).rotateX(Math.PI / 2).translate(0, 0, at);

/** A hub with an axle that looks out at either end. */
const pin = (radius: number, half: number): THREE.BufferGeometry =>
  merged(drum(radius, half), drum(0.5 * radius, half + 0.3));

/** A sleeve with a collar at either end. */
const sleeve = (radius: number, half: number): THREE.BufferGeometry =>
  merged(drum(radius, half), ...[-1, 1].map((side) => drum(1.2 * radius, 0.2, side * (half - 0.2))));

/** The thread of a screw: three turns. */
function thread(): THREE.BufferGeometry {
  const points = Array.from({ length: 73 }, (_, i) => {
    const angle = (i / 24) * 2 * Math.PI;
    return new THREE.Vector3(1.25 * Math.cos(angle), 1.25 * Math.sin(angle), 2.8 * (i / 72 - 0.5));
  });
  return new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 144, 0.2, 8);
}

/** Merges what differs in its attributes only by their order. */
function merged(...parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const whole = mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));
  for (const part of parts) part.dispose();
  return whole;
}

/** Unit geometries, 1 being the radius of what meets there, their axis along +z. A free link has no joint to show. */
const shapes: Partial<Record<Kind, () => THREE.BufferGeometry>> = {
  revolute: () => pin(1.15, 1.35),
  prismatic: () => new THREE.BoxGeometry(2.7, 2.7, 3.4),
  cylindrical: () => sleeve(1.3, 1.9),
  helical: () => merged(sleeve(1.15, 1.9), thread()),
  universal: () => merged(pin(0.7, 1.5).rotateX(Math.PI / 2), pin(0.7, 1.5).rotateY(Math.PI / 2)),
  planar: () => drum(2.6, 0.2),
  spherical: () => new THREE.SphereGeometry(1.35, 32, 20),
};
