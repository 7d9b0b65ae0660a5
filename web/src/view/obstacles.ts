// The obstacles of one drawing in the 3D scene: planes as large surfaces that fade out, the others as matt solids.
// They are quiet: what bends is what one looks at.
import type { DrawingObstacle } from '@tendril/engine';
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { isHex } from './colormap';
import { PlaneMaterial } from './planeMaterial';

interface Solid {
  index: number;
  home: THREE.Vector3;
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
}

interface Plane {
  index: number;
  /** A point of it, and its directions: across, across, normal. */
  home: THREE.Vector3;
  axes: [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  moved: THREE.Vector3;
  mesh: THREE.Mesh<THREE.PlaneGeometry, PlaneMaterial>;
}

const solidColor = { light: '#b4bbc1', dark: '#77828b' };
const planeColor = { light: '#e2e6e8', dark: '#2b3239' };

export class Obstacles {
  readonly group = new THREE.Group();
  private readonly solids: Solid[] = [];
  private readonly planes: Plane[] = [];
  private readonly looked = { at: new THREE.Vector3(), reach: 1, spacing: 1 };
  private readonly offset = new THREE.Vector3();
  /** One that is dragged, and how far from its place. */
  private readonly dragged = { index: -1, by: new THREE.Vector3() };

  constructor(private readonly drawing: DrawingData) {
    drawing.obstacles.forEach((obstacle, index) => {
      if (obstacle.hidden) return;
      if (obstacle.kind === 'plane') this.addPlane(obstacle, index);
      else this.addSolid(obstacle, index);
    });
  }

  /** A level plane to stand on is there: no other ground is needed. */
  get hasFloor(): boolean {
    return this.planes.some(({ axes }) => axes[2].z > 1 - 1e-6);
  }

  /** A plane that leans: bodies may slide down on it. */
  get hasSlope(): boolean {
    return this.planes.some(({ axes }) => axes[2].z > 0.05 && axes[2].z <= 1 - 1e-6);
  }

  /** `moves`: how far each obstacle has moved, 3 numbers each [m]. */
  update(moves: Float32Array): void {
    for (const { index, home, mesh } of this.solids) mesh.position.copy(home).add(this.moveOf(moves, index));
    for (const plane of this.planes) {
      plane.moved.copy(this.moveOf(moves, plane.index));
      this.place(plane);
    }
  }

  /** Shows a solid away from its place [m]. */
  drag(index: number, by: THREE.Vector3): void {
    this.dragged.index = index;
    this.dragged.by.copy(by);
  }

  /** How far the obstacles are from their places, with the one that is dragged: 3 numbers each [m]. */
  shown(moves: Float32Array): Float32Array {
    const { index, by } = this.dragged;
    if (index < 0 || moves.length < 3 * index + 3) return moves;
    const all = moves.slice();
    for (let c = 0; c < 3; ++c) all[3 * index + c] += by.getComponent(c);
    return all;
  }

  /** The solid that a ray meets first, and where. */
  pick(ray: THREE.Raycaster): { obstacle: number; place: THREE.Vector3 } | null {
    const [hit] = ray.intersectObjects(
      this.solids.map(({ mesh }) => mesh),
      false,
    );
    const solid = this.solids.find(({ mesh }) => mesh === hit?.object);
    return hit && solid ? { obstacle: solid.index, place: hit.point } : null;
  }

  /** Planes are shown around the place that the camera looks at, as far as `reach`, with lines `spacing` apart [m]. */
  aim(at: THREE.Vector3, reach: number, spacing: number): void {
    this.looked.at.copy(at);
    this.looked.reach = reach;
    this.looked.spacing = spacing;
    for (const plane of this.planes) this.place(plane);
  }

  /** Slopes and walls end at this height [m], where the ground is; floors and ceilings do not. */
  cutBelow(height: number): void {
    for (const { axes, mesh } of this.planes) {
      if (Math.abs(axes[2].z) < 1 - 1e-6) mesh.material.cutBelow(height);
    }
  }

  setTheme(dark: boolean): void {
    const theme = dark ? 'dark' : 'light';
    for (const { index, mesh } of this.solids) mesh.material.color.set(this.colorOf(index) ?? solidColor[theme]);
    for (const { index, mesh } of this.planes) {
      mesh.material.color.set(this.colorOf(index) ?? planeColor[theme]);
      mesh.material.setTheme(dark);
    }
  }

  dispose(): void {
    for (const { mesh } of [...this.solids, ...this.planes]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.group.clear();
  }

  private addSolid(obstacle: DrawingObstacle, index: number): void {
    const { opacity } = obstacle;
    const material = new THREE.MeshStandardMaterial({
      roughness: 1,
      metalness: 0,
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity >= 1,
      // Shells are drawn a little farther away than they are, so that their lines show: what they lie on, still more.
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
    });
    const mesh = new THREE.Mesh(geometryOf(obstacle), material);
    mesh.castShadow = opacity > 0.3;
    mesh.receiveShadow = true;
    mesh.quaternion.copy(turnOf(obstacle));
    this.solids.push({ index, home: middleOf(obstacle), mesh });
    this.group.add(mesh);
  }

  private addPlane({ point, normal, opacity }: DrawingObstacle, index: number): void {
    const up = new THREE.Vector3(...normal).normalize();
    const across = new THREE.Vector3(0, 0, 1).cross(up);
    if (across.lengthSq() < 1e-12) across.set(1, 0, 0);
    across.normalize();
    const along = new THREE.Vector3().crossVectors(up, across);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new PlaneMaterial(opacity));
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    mesh.renderOrder = -1;
    mesh.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(across, along, up));
    const home = new THREE.Vector3(...point);
    const side = new THREE.Vector3();
    // Seen from behind it hides nothing.
    mesh.onBeforeRender = (_renderer, _scene, camera) => {
      mesh.material.depthWrite = side.copy(camera.position).sub(mesh.position).dot(up) > 0;
    };
    this.planes.push({ index, home, axes: [across, along, up], moved: new THREE.Vector3(), mesh });
    this.group.add(mesh);
  }

  private place({ home, axes, moved, mesh }: Plane): void {
    const { at, reach, spacing } = this.looked;
    const away = this.offset.subVectors(at, home).sub(moved);
    const x = away.dot(axes[0]);
    const y = away.dot(axes[1]);
    mesh.position.copy(home).add(moved).addScaledVector(axes[0], x).addScaledVector(axes[1], y);
    mesh.scale.setScalar(reach);
    mesh.material.aim(x, y, reach, spacing);
  }

  private moveOf(moves: Float32Array, index: number): THREE.Vector3 {
    if (moves.length < 3 * index + 3) return this.offset.set(0, 0, 0);
    return this.offset.fromArray(moves, 3 * index);
  }

  private colorOf(index: number): string | null {
    const { color } = this.drawing.obstacles[index];
    return isHex(color) ? color : null;
  }
}

/** Where a label stands, and the middle of a solid. */
export function middleOf({ kind, point, end }: DrawingObstacle): THREE.Vector3 {
  const middle = new THREE.Vector3(...point);
  if (kind === 'capsule' || kind === 'cylinder') middle.add(new THREE.Vector3(...end)).multiplyScalar(0.5);
  return middle;
}

/** What the obstacle fills, unmoved; planes fill nothing. */
export function boxOf(obstacle: DrawingObstacle): THREE.Box3 {
  const { kind, point, end, half, axes, radius } = obstacle;
  const box = new THREE.Box3();
  if (kind === 'plane') return box;
  box.expandByPoint(new THREE.Vector3(...point));
  if (kind === 'capsule' || kind === 'cylinder') box.expandByPoint(new THREE.Vector3(...end));
  if (kind !== 'box') return box.expandByScalar(radius);
  const reach = [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, k) => sum + Math.abs(axes[3 * k + c]) * half[k], 0));
  return box.expandByVector(new THREE.Vector3(...reach));
}

function geometryOf({ kind, point, end, half, radius }: DrawingObstacle): THREE.BufferGeometry {
  const length = Math.hypot(end[0] - point[0], end[1] - point[1], end[2] - point[2]);
  if (kind === 'box') return new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]);
  if (kind === 'capsule') return new THREE.CapsuleGeometry(radius, length, 20, 56);
  if (kind === 'cylinder') return new THREE.CylinderGeometry(radius, radius, length, 72);
  return new THREE.SphereGeometry(radius, 64, 40);
}

/** The geometry's own axes in the scene: capsules and cylinders come along y. */
function turnOf({ kind, point, end, axes }: DrawingObstacle): THREE.Quaternion {
  const turn = new THREE.Quaternion();
  if (kind === 'box') {
    const [x, y, z] = [0, 1, 2].map((k) => new THREE.Vector3(...axes.slice(3 * k, 3 * k + 3)));
    return turn.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z));
  }
  if (kind === 'sphere') return turn;
  const along = new THREE.Vector3(...end).sub(new THREE.Vector3(...point));
  if (along.lengthSq() === 0) return turn;
  return turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
}
