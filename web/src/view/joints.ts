// The joints of one drawing as symbols by kind: a pin along the axis of a revolute joint, a sleeve where links slide, a
// screw, two crossed pins, a disk, a ball. One instanced mesh per kind; the matrices follow the joints.
import type { DrawingJoint } from '@tendril/engine';
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { DrawingData } from '../engine/protocol';

type Kind = DrawingJoint['kind'];

interface Placed {
  mesh: THREE.InstancedMesh;
  index: number;
  /** In the drawing. */
  joint: number;
  size: number;
  /** First point of the link that it carries, whose director turns the symbol about the axis; -1 without one. */
  point: number;
}

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
  private readonly meshes: THREE.InstancedMesh[] = [];

  constructor(drawing: DrawingData) {
    const byKind = new Map<Kind, number[]>();
    drawing.joints.forEach(({ kind, name }, joint) => {
      const part = drawing.parts.find((p) => p.name === name);
      if (!shapes[kind] || part?.hidden) return;
      byKind.set(kind, [...(byKind.get(kind) ?? []), joint]);
    });
    for (const [kind, joints] of byKind) {
      const mesh = new THREE.InstancedMesh(shapes[kind]?.(), this.material, joints.length);
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      this.meshes.push(mesh);
      this.group.add(mesh);
      joints.forEach((joint, index) => {
        const { name, size } = drawing.joints[joint];
        const point = drawing.parts.find((p) => p.name === name)?.firstPoint ?? -1;
        this.placed.push({ mesh, index, joint, size, point });
      });
    }
  }

  /** `joints`: 6 numbers each, place [m] and unit axis; `directors`: 3 per point; `size` of the structure [m]. */
  update(joints: Float32Array, directors: Float32Array, thicken: number, size: number): void {
    const { matrix, place, across, third, axis } = this;
    for (const item of this.placed) {
      place.fromArray(joints, 6 * item.joint);
      axis.fromArray(joints, 6 * item.joint + 3).normalize();
      if (item.point >= 0) across.fromArray(directors, 3 * item.point);
      else across.set(0, 0, 0);
      across.addScaledVector(axis, -across.dot(axis));
      // The director lies along the axis: any direction across it will do.
      if (across.lengthSq() < 1e-4) across.set(axis.y, axis.z, axis.x).cross(axis);
      across.normalize();
      third.crossVectors(axis, across);
      const radius = Math.max(item.size * thicken, leastPart * size);
      matrix.makeBasis(across.multiplyScalar(radius), third.multiplyScalar(radius), axis.multiplyScalar(radius));
      item.mesh.setMatrixAt(item.index, matrix.setPosition(place));
    }
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
