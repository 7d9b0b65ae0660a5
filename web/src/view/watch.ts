// The camera goes along with what a scene is about, until a person moves it: inSight.ts says where to, this file what is watched.
import type { Follow } from '@tendril/engine';
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import type { Blend } from './blend';
import { bodiesBox, extentOf } from './extent';
import { InSight } from './inSight';
import type { Stage } from './stage';

/** Obstacles are watched too until everything is so many times larger than at first: then they are left behind. */
const farBehind = 3;
/** A slow machine's pictures lie far apart: so much of the way is gone at once [ms]. */
const longest = 1000;

export class Watch {
  private readonly inSight = new InSight();
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private drawing: DrawingData | null = null;
  private run: [number, number] | null = null;
  /** When the last picture was drawn [ms]. */
  private drawn = 0;

  constructor(
    private readonly stage: Stage,
    private readonly blend: Blend,
  ) {}

  /** `nodes`: what is kept in sight of the first of `parts`; null: all. */
  setDrawing(drawing: DrawingData, { parts, nodes }: Follow): void {
    this.drawing = drawing;
    const first = drawing.parts[parts[0]]?.firstPoint;
    this.run = nodes && [first + nodes[0], first + nodes[1] + 1];
  }

  /** The camera was framed for the newest state, which may not be shown yet. */
  start(): void {
    this.inSight.start(this.all(), this.stage.sight);
  }

  stop(): void {
    this.inSight.stop();
  }

  get active(): boolean {
    return this.inSight.active;
  }

  /** Before a picture at `now` [ms]; true: the camera is not where it goes. */
  update(now: number): boolean {
    const seconds = this.still.matches ? 1 : Math.min(now - this.drawn, longest) / 1000;
    this.drawn = now;
    if (!this.active) return false;
    const { stage } = this;
    const box = this.box();
    const next = this.inSight.next(box, stage.sight, stage.lens, seconds);
    if (next) stage.follow(next);
    return next !== null || this.inSight.isSmall(box, stage.sight, stage.lens);
  }

  private box(): THREE.Box3 {
    const all = this.all();
    const far = !this.run && all.min.distanceTo(all.max) > farBehind * this.inSight.size;
    return far && this.drawing ? bodiesBox(this.drawing, this.blend.latest.positions) : all;
  }

  private all(): THREE.Box3 {
    const { drawing, run } = this;
    const { positions, obstacles } = this.blend.latest;
    if (!drawing) return new THREE.Box3();
    if (run) return new THREE.Box3().setFromArray(Array.from(positions.subarray(3 * run[0], 3 * run[1])));
    return extentOf(drawing, positions, obstacles);
  }
}
