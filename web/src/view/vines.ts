// What vines show besides their tube: their rigid bodies, the forces of contacts, and the line that their tips paint.
import * as THREE from 'three';
import type { Moment } from '../engine/moment';
import type { DrawingData } from '../engine/protocol';
import { quantity } from '../text/units';
import { ContactArrows, ForceScale } from './contactArrows';
import { thickestOf } from './extent';
import { Sleeves } from './sleeves';
import { TipPaths } from './tipPaths';

export interface VinesShown {
  bodies: boolean;
  forces: boolean;
  path: boolean;
}

export class Vines {
  readonly group = new THREE.Group();
  private readonly sleeves = new Sleeves();
  private readonly arrows = new ContactArrows();
  private readonly paths = new TipPaths();
  private readonly scale = new ForceScale();
  private contacts: Float32Array = new Float32Array(0);
  /** There are some to be seen. */
  present = false;
  /** Of the thickest one [m]. */
  radius = 0;

  constructor() {
    this.group.add(this.sleeves.group, this.arrows.group, this.paths.group);
    this.show({ bodies: false, forces: false, path: true });
  }

  setDrawing(drawing: DrawingData): void {
    const seen = drawing.parts.filter(({ kind, hidden }) => kind === 'vine' && !hidden);
    this.present = seen.length > 0;
    this.radius = seen.reduce((most, part) => Math.max(most, thickestOf(drawing, part)), 0);
    this.group.visible = this.present;
    this.sleeves.setDrawing(drawing);
  }

  /** A true state; `fresh`: the run starts anew with it. True if the scale of forces has changed. */
  push(drawing: DrawingData, moment: Moment, fresh: boolean, size: number): boolean {
    const before = this.scale.perCell;
    if (fresh) {
      this.scale.reset();
      this.paths.clear();
    }
    this.contacts = moment.contacts.slice();
    if (this.present) {
      this.paths.push(drawing, moment.positions, moment.directors, size);
      this.scale.take(this.contacts, performance.now());
    }
    return this.scale.perCell !== before;
  }

  /** As shown; `cell`: of the grid [m]. */
  update(positions: Float32Array, thicken: number, size: number, cell: number): void {
    if (!this.present) return;
    this.sleeves.update(positions, thicken);
    this.arrows.update(this.contacts, this.scale.perCell > 0 ? cell / this.scale.perCell : 0, size);
  }

  show(shown: Partial<VinesShown>): void {
    if (shown.bodies !== undefined) this.sleeves.group.visible = shown.bodies;
    if (shown.forces !== undefined) this.arrows.group.visible = shown.forces;
    if (shown.path !== undefined) this.paths.group.visible = shown.path;
  }

  /** What the arrows' length means; "" where none are shown. */
  get scaleWords(): string {
    const { perCell } = this.scale;
    return this.present && this.arrows.group.visible && perCell > 0
      ? `force arrows ${quantity(perCell, 'N', 1)} per cell`
      : '';
  }

  /** The force under the mouse. */
  wordsAt(camera: THREE.Camera, at: Record<'x' | 'y' | 'width' | 'height', number>): string {
    if (!this.present || !this.arrows.group.visible) return '';
    const force = this.arrows.pick(camera, at);
    return force === null ? '' : `contact: ${quantity(force, 'N')}`;
  }
}
