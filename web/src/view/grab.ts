// Pulling a body with the pointer: press near a rod or link or on a shell, drag in the plane of the screen, let go. Or with
// keys: a point is taken, moved in the plane of the screen step by step, and let go.
import * as THREE from 'three';
import { type Hit, pickTriangle } from './pick';
import type { Stage } from './stage';

export interface GrabEvents {
  /** A drawn point is pulled toward a place [m]. */
  pull(point: number, target: [number, number, number]): void;
  release(): void;
}

/** How near to a rod's center line a press must be, beyond its radius [px]. */
const reachMouse = 9;
const reachTouch = 22;

export class Grab {
  /** Positions as shown, triangles of shells, the points' largest half-axis [m], and hidden points. */
  positions: Float32Array = new Float32Array(0);
  triangles: Uint32Array = new Uint32Array(0);
  radius: (point: number) => number = () => 0;
  hidden: (point: number) => boolean = () => false;
  onShell: (point: number) => boolean = () => false;
  /** The mouse is at a place of the view [px], over a drawn point or none (-1); null: it has gone, or pulls. */
  onOver: (at: { point: number; x: number; y: number } | null) => void = () => {};
  /** The mouse is over a body. */
  over = false;
  private point = -1;
  private pointer = -1;
  private readonly target = new THREE.Vector3();
  /** From where the pointer's ray met the plane at first to the pulled point: a point does not jump to the pointer. */
  private readonly offset = new THREE.Vector3();
  private readonly plane = new THREE.Plane();
  private readonly ray = new THREE.Raycaster();
  private readonly mouse = new THREE.Vector2();
  private readonly projected = new THREE.Vector3();
  private readonly line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  /** Marks the pulled point and where it is pulled to. */
  private readonly dot: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private readonly ends = new Float32Array(6);
  private waiting = false;

  constructor(
    private readonly stage: Stage,
    private readonly events: GrabEvents,
  ) {
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(this.ends, 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: '#e11d74', depthTest: false }));
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.line.renderOrder = 10;
    const points = new THREE.PointsMaterial({ color: '#e11d74', depthTest: false, size: 9, sizeAttenuation: false });
    this.dot = new THREE.Points(geometry, points);
    this.dot.frustumCulled = false;
    this.dot.visible = false;
    this.dot.renderOrder = 10;
    stage.scene.add(this.line, this.dot);
    const canvas = stage.renderer.domElement;
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerleave', () => this.onOver(null));
    for (const type of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(type, (event) => this.up(event));
    }
  }

  get active(): boolean {
    return this.point >= 0;
  }

  /** The pulled point, or -1. */
  get held(): number {
    return this.point;
  }

  /** A point is held by keys. */
  get byKeys(): boolean {
    return this.active && this.pointer < 0;
  }

  /** Takes a point for keys to move; one that a pointer holds stays. */
  take(point: number): void {
    if (this.active && !this.byKeys) return;
    this.letGo();
    this.begin(point);
  }

  /** Moves what keys hold to the right and upwards on the screen [m]. */
  nudge(right: number, up: number): void {
    const { matrixWorld } = this.stage.camera;
    this.target.addScaledVector(this.projected.setFromMatrixColumn(matrixWorld, 0), right);
    this.target.addScaledVector(this.projected.setFromMatrixColumn(matrixWorld, 1), up);
    this.send();
  }

  letGo(): void {
    if (!this.active) return;
    this.point = this.pointer = -1;
    this.line.visible = this.dot.visible = false;
    this.stage.controls.enabled = true;
    this.events.release();
    this.stage.refresh();
  }

  /** Keeps the drawn line at the pulled point. */
  follow(): void {
    if (!this.active) return;
    this.ends.set(this.positions.subarray(3 * this.point, 3 * this.point + 3), 0);
    this.target.toArray(this.ends, 3);
    this.dot.geometry.attributes.position.needsUpdate = true;
    this.line.geometry.attributes.position.needsUpdate = true;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || (this.active && !this.byKeys) || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const found = this.nearest(event, event.pointerType === 'touch' ? reachTouch : reachMouse);
    if (found < 0) return;
    event.stopImmediatePropagation();
    this.letGo();
    this.pointer = event.pointerId;
    this.stage.controls.enabled = false;
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
    this.stage.renderer.domElement.focus({ preventScroll: true });
    this.begin(found);
    const met = this.ray.ray.intersectPlane(this.plane, this.projected);
    if (met) this.offset.subVectors(this.target, met);
    else this.offset.set(0, 0, 0);
  }

  private begin(point: number): void {
    this.point = point;
    this.onOver(null);
    this.target.fromArray(this.positions, 3 * point);
    this.stage.camera.getWorldDirection(this.projected);
    this.plane.setFromNormalAndCoplanarPoint(this.projected, this.target);
    this.line.visible = this.dot.visible = true;
    this.send();
  }

  private move(event: PointerEvent): void {
    if (!this.active || this.byKeys) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        const over = this.nearest(event, reachMouse);
        this.over = over >= 0;
        this.stage.renderer.domElement.classList.toggle('over-body', this.over);
        this.onOver({ point: over, x: event.offsetX, y: event.offsetY });
      }
      return;
    }
    if (event.pointerId !== this.pointer) return;
    this.aim(event);
    const met = this.ray.ray.intersectPlane(this.plane, this.projected);
    if (met) this.target.addVectors(met, this.offset);
    this.send();
  }

  private up(event: PointerEvent): void {
    if (this.active && event.pointerId === this.pointer) this.letGo();
  }

  /** At most one message per drawn frame. */
  private send(): void {
    this.stage.refresh();
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.active) this.events.pull(this.point, [this.target.x, this.target.y, this.target.z]);
    });
  }

  private aim(event: PointerEvent): void {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    this.mouse.x = ((event.clientX - box.left) / box.width) * 2 - 1;
    this.mouse.y = -((event.clientY - box.top) / box.height) * 2 + 1;
    this.ray.setFromCamera(this.mouse, this.stage.camera);
  }

  /** The point to pull: of a rod near the pointer on the screen, unless a shell hides it; else of the shell; or -1. */
  private nearest(event: PointerEvent, reach: number): number {
    this.aim(event);
    const hit = pickTriangle(this.ray.ray, this.positions, this.triangles, this.hidden);
    const near = this.nearestOnScreen(reach, hit);
    return near < 0 && hit ? hit.point : near;
  }

  /** The drawn point nearest to the pointer on the screen and not behind the shell that was hit, or -1. */
  private nearestOnScreen(reach: number, hit: Hit | null): number {
    const { clientWidth: width, clientHeight: height } = this.stage.renderer.domElement;
    const { camera, pixelsPerMeter } = this.stage;
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.positions.length / 3; ++i) {
      this.projected.fromArray(this.positions, 3 * i);
      const depth = this.projected.distanceTo(camera.position);
      this.projected.project(camera);
      if (this.projected.z > 1 || this.hidden(i)) continue;
      if (hit && (this.onShell(i) || depth > 1.002 * hit.distance + this.radius(i))) continue;
      const dx = ((this.projected.x - this.mouse.x) * width) / 2;
      const dy = ((this.projected.y - this.mouse.y) * height) / 2;
      const gap = Math.hypot(dx, dy) - (this.radius(i) * pixelsPerMeter) / depth;
      if (gap < least) {
        least = gap;
        best = i;
      }
    }
    return least <= reach + this.spacing() ? best : -1;
  }

  /** Points of coarse rods lie far apart on the screen: half of their mean gap is allowed on top, within limits. */
  private spacing(): number {
    return this.positions.length < 300 ? 8 : 0;
  }
}
