// What stands in the picture beside the bodies: obstacles, joints and tendons of linkages, and symbols of what holds and
// loads. Each is made anew with the drawing and can be left out.
import type { DrawingData } from '../engine/protocol';
import type { Blend } from './blend';
import { Linkwork } from './linkwork';
import { Obstacles } from './obstacles';
import { Legend } from './overlays';
import type { Stage } from './stage';
import { Symbols } from './symbols';
import { TensionRange } from './tendons';

export interface SceneryShown {
  symbols: boolean;
  joints: boolean;
  tendons: boolean;
}

export class Scenery {
  readonly legend = new Legend('tension-legend');
  readonly shown: SceneryShown = { symbols: true, joints: true, tendons: true };
  private drawing: DrawingData | null = null;
  private things: Obstacles | null = null;
  private symbols: Symbols | null = null;
  private linkwork: Linkwork | null = null;
  private readonly tensions = new TensionRange();

  constructor(
    private readonly stage: Stage,
    private readonly blend: Blend,
  ) {}

  get obstacles(): Obstacles | null {
    return this.things;
  }

  /** Of a new scene: the tensions that are known to come [N]. */
  resetTensions(range: [number, number]): void {
    this.tensions.reset(range);
  }

  takeTensions(tensions: Float32Array): void {
    if (this.tensions.take(tensions)) this.linkwork?.look(this.legend);
  }

  /** `keep`: of the same run, whose obstacles stay where they are unless they are others. `size` of the scene [m]. */
  setDrawing(drawing: DrawingData, keep: boolean, size: number): void {
    const same = keep && JSON.stringify(drawing.obstacles) === JSON.stringify(this.drawing?.obstacles);
    this.drawing = drawing;
    if (!same) this.makeObstacles(drawing);
    this.makeLinkwork(drawing);
    this.makeSymbols(size);
  }

  show(shown: Partial<SceneryShown>): void {
    Object.assign(this.shown, shown);
    if (this.symbols) this.symbols.group.visible = this.shown.symbols;
    this.linkwork?.show(this.shown.joints, this.shown.tendons);
    this.linkwork?.look(this.legend);
    this.stage.refresh();
  }

  setTheme(dark: boolean): void {
    this.things?.setTheme(dark);
    this.linkwork?.setTheme(dark);
  }

  /** `matches`: the snapshot belongs to the drawing; else there is nothing to show. */
  beforePicture(matches: boolean): void {
    if (this.things) this.things.group.visible = matches;
    this.things?.cutBelow(this.stage.ground.level);
    if (this.symbols) this.symbols.group.visible = matches && this.shown.symbols;
    if (this.linkwork) this.linkwork.group.visible = matches;
  }

  update(thicken: number, size: number): void {
    const { positions, directors, obstacles } = this.blend;
    this.things?.update(this.things.shown(obstacles));
    this.symbols?.update(positions, directors, thicken);
    this.linkwork?.update(this.blend, thicken, size);
  }

  /** Planes are shown around what the camera looks at, with the grid of the ground. */
  aimPlanes(): void {
    const { reach, spacing } = this.stage.ground;
    this.things?.aim(this.stage.controls.target, reach, spacing);
  }

  /** Symbols are drawn in the scene's size [m], which changes with the view. */
  makeSymbols(size: number): void {
    this.takeAway(this.symbols);
    if (!this.drawing) return;
    this.symbols = new Symbols(this.drawing, size * 0.13, this.blend.latest);
    this.symbols.group.visible = this.shown.symbols;
    this.stage.scene.add(this.symbols.group);
  }

  private makeLinkwork(drawing: DrawingData): void {
    this.takeAway(this.linkwork);
    this.linkwork = new Linkwork(drawing, this.tensions);
    this.linkwork.setTheme(this.stage.dark);
    this.stage.scene.add(this.linkwork.group);
    this.show({});
  }

  private makeObstacles(drawing: DrawingData): void {
    this.takeAway(this.things);
    this.things = new Obstacles(drawing);
    this.things.setTheme(this.stage.dark);
    this.aimPlanes();
    this.stage.ground.group.visible = !this.things.hasFloor;
    this.stage.ground.touched = !this.things.hasSlope;
    this.stage.scene.add(this.things.group);
  }

  private takeAway(part: Obstacles | Symbols | Linkwork | null): void {
    if (!part) return;
    this.stage.scene.remove(part.group);
    part.dispose();
  }
}
