// Dragging obstacles with the pointer while the run stands: press on one, move it in a plane, let go. Planes stay where
// they are: a floor is everywhere.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import type { Obstacles } from './obstacles';
import type { Stage } from './stage';

export interface DragHost {
  /** Those that can be moved now. */
  obstacles(): Obstacles | null;
  /** Those that could be moved if the run stood. */
  waiting(): Obstacles | null;
  /** A person tries to move one that waits. */
  refused(): void;
  /** Normal of the plane in which vines live; null: none do. */
  normal(): THREE.Vector3 | null;
  /** One is shown at another place. */
  changed(): void;
  /** It was let go so far from its place [m]. */
  done(obstacle: number, offset: THREE.Vector3): void;
  /** The mouse is over an obstacle that can be dragged, or over none (-1). */
  over(obstacle: number, at: { x: number; y: number }): void;
}

/** Shorter ways are none [px]. */
const least = 4;
/** Seen from so steep [sine of the angle] obstacles move over the ground, otherwise in the plane of the screen. */
const steep = 0.5;

/** Normal of the plane in which a drag moves; `looks`: the camera's direction. */
export function dragNormal(looks: THREE.Vector3, own: THREE.Vector3 | null): THREE.Vector3 {
  // In a plane that is seen from its edge nothing can be aimed at.
  if (own && Math.abs(own.dot(looks)) > 0.1) return own;
  return Math.abs(looks.z) > steep ? new THREE.Vector3(0, 0, 1) : looks.clone();
}

/** Normal of the plane in which the first vine lies, from the directors as shown. */
export function planeOfVines(drawing: DrawingData | null, directors: Float32Array): THREE.Vector3 | null {
  const vine = drawing?.parts.find(({ kind }) => kind === 'vine');
  if (!vine || directors.length < 3 * vine.firstPoint + 3) return null;
  return new THREE.Vector3().fromArray(directors, 3 * vine.firstPoint);
}

export class DragObstacle {
  private obstacle = -1;
  private pointer = -1;
  private far = false;
  /** The pointer that has pressed on an obstacle that waits, or -1. */
  private trying = -1;
  private readonly begun = { x: 0, y: 0 };
  private readonly start = new THREE.Vector3();
  private readonly offset = new THREE.Vector3();
  private readonly met = new THREE.Vector3();
  private readonly plane = new THREE.Plane();
  private readonly ray = new THREE.Raycaster();
  private readonly mouse = new THREE.Vector2();

  /** After the pulling of bodies has taken what it wants. */
  constructor(
    private readonly stage: Stage,
    private readonly host: DragHost,
  ) {
    const canvas = stage.renderer.domElement;
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => {
      if (event.pointerId === this.pointer) this.end();
      this.trying = -1;
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.end();
    });
  }

  /** Puts it back. */
  private end(): void {
    if (this.obstacle < 0) return;
    this.show(this.offset.set(0, 0, 0));
    this.free();
  }

  private show(offset: THREE.Vector3): void {
    this.host.obstacles()?.drag(this.obstacle, offset);
    this.host.changed();
  }

  private free(): void {
    this.obstacle = this.pointer = -1;
    this.stage.controls.enabled = true;
    this.stage.refresh();
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.obstacle >= 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const found = this.find(event, this.host.obstacles());
    if (!found) {
      this.tryWaiting(event);
      return;
    }
    event.stopImmediatePropagation();
    const canvas = this.stage.renderer.domElement;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    this.stage.controls.enabled = false;
    this.obstacle = found.obstacle;
    this.pointer = event.pointerId;
    this.far = false;
    this.begun.x = event.clientX;
    this.begun.y = event.clientY;
    this.start.copy(found.place);
    this.offset.set(0, 0, 0);
    this.stage.camera.getWorldDirection(this.met);
    this.plane.setFromNormalAndCoplanarPoint(dragNormal(this.met, this.host.normal()), this.start);
    this.host.over(-1, { x: 0, y: 0 });
  }

  /** A press on an obstacle means that obstacle: the view does not turn instead. */
  private tryWaiting(event: PointerEvent): void {
    if (!this.find(event, this.host.waiting())) return;
    event.stopImmediatePropagation();
    this.trying = event.pointerId;
    this.begun.x = event.clientX;
    this.begun.y = event.clientY;
  }

  private wayOf(event: PointerEvent): number {
    return Math.hypot(event.clientX - this.begun.x, event.clientY - this.begun.y);
  }

  private move(event: PointerEvent): void {
    if (this.trying === event.pointerId && this.wayOf(event) >= least) {
      this.trying = -1;
      this.host.refused();
    }
    if (this.obstacle < 0) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        this.host.over(this.find(event, this.host.obstacles())?.obstacle ?? -1, { x: event.offsetX, y: event.offsetY });
      }
      return;
    }
    if (event.pointerId !== this.pointer) return;
    this.far ||= this.wayOf(event) >= least;
    if (!this.far) return;
    this.aim(event);
    if (!this.ray.ray.intersectPlane(this.plane, this.met)) return;
    this.offset.subVectors(this.met, this.start);
    this.show(this.offset);
  }

  private up(event: PointerEvent): void {
    this.trying = -1;
    if (this.obstacle < 0 || event.pointerId !== this.pointer) return;
    const { obstacle } = this;
    this.free();
    if (this.far) this.host.done(obstacle, this.offset);
  }

  private find(event: PointerEvent, obstacles: Obstacles | null): { obstacle: number; place: THREE.Vector3 } | null {
    if (!obstacles) return null;
    this.aim(event);
    return obstacles.pick(this.ray);
  }

  private aim(event: PointerEvent): void {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    this.mouse.x = ((event.clientX - box.left) / box.width) * 2 - 1;
    this.mouse.y = -((event.clientY - box.top) / box.height) * 2 + 1;
    this.ray.setFromCamera(this.mouse, this.stage.camera);
  }
}
