// What links have besides their bodies: joints and tendons in the 3D scene, and the legend of the tensions.
import * as THREE from 'three';
import type { Moment } from '../engine/moment';
import type { DrawingData } from '../engine/protocol';
import { Joints } from './joints';
import type { Legend } from './overlays';
import { Tendons, type TensionRange } from './tendons';

export class Linkwork {
  readonly group = new THREE.Group();
  private readonly joints: Joints;
  private readonly tendons: Tendons;
  /** Some tendon is drawn and has no color of its own. */
  private readonly colored: boolean;

  constructor(
    drawing: DrawingData,
    private readonly range: TensionRange,
  ) {
    this.joints = new Joints(drawing);
    this.tendons = new Tendons(drawing);
    this.colored = drawing.tendons.some(({ hidden, color }) => !hidden && color === '');
    this.group.add(this.joints.group, this.tendons.group);
  }

  /** Lengths [m]; `size`: of the structure. */
  update(moment: Omit<Moment, 'contacts'>, thicken: number, size: number): void {
    this.joints.update(moment, thicken, size);
    this.tendons.update(moment.tendons, moment.tensions, thicken, size);
  }

  show(joints: boolean, tendons: boolean): void {
    this.joints.group.visible = joints;
    this.tendons.group.visible = tendons;
  }

  setTheme(dark: boolean): void {
    this.joints.setTheme(dark);
    this.tendons.setTheme(dark);
  }

  /** Colors and legend as the range of tensions stands. */
  look(legend: Legend | null): void {
    const { low, high } = this.range;
    this.tendons.setRange(low, high);
    if (!legend) return;
    if (!this.colored || !this.tendons.group.visible || low === high) {
      legend.hide();
      return;
    }
    const { row, from, to } = this.range.legend();
    legend.show('tension', [row], from, to);
  }

  dispose(): void {
    this.joints.dispose();
    this.tendons.dispose();
    this.group.clear();
  }
}
