// The 3D view: takes the drawing and its snapshots, shows them, colours them, and lets a person pull and look around.
import * as THREE from 'three';
import { viewsOf } from '../engine/moment';
import type { DrawingData, Field, LoadedReply, SnapshotReply } from '../engine/protocol';
import type { Pose } from '../share/work';
import { quantity } from '../text/units';
import { h } from '../ui/dom';
import { Blend } from './blend';
import { DragObstacle, planeOfVines } from './dragObstacle';
import { bodiesBox, extentOf } from './extent';
import { Follow } from './follow';
import { framingOf } from './framing';
import { Grab, type GrabEvents } from './grab';
import { Labels } from './labels';
import { NameTag } from './nameTag';
import { Axes, Legend, ScaleBar } from './overlays';
import { pickTendon } from './pickTendon';
import type { QualityChoice } from './quality';
import { Scenery, type SceneryShown } from './scenery';
import { ShownBodies } from './shownBodies';
import { handles } from './spread';
import { Stage } from './stage';
import { suitableThickness } from './thickness';
import { coarse, fine } from './tubes';
import { listenToViewKeys } from './viewKeys';
import { Vines, type VinesShown } from './vines';

/** Below this width legends lie over the middle of the picture [px]; how far buttons and scale reach into it. */
const narrowView = 560;
const buttonsBottom = 48;
const scaleHeight = 42;
const padEdge = 6;
/** A view that is lower than this keeps clear of the hint [px]. */
const lowView = 360;

export interface ViewEvents extends GrabEvents {
  /** An obstacle was dragged from its place; ways shorter than `least` are none [m]. False: it goes back. */
  moveObstacle(name: string, offset: [number, number, number], least: number): boolean;
  /** A person has moved the camera. */
  looked(): void;
  /** Obstacles cannot be dragged while the run plays. */
  refuseDrag(): void;
}

export class View {
  /** The run stands: obstacles can be dragged. */
  standing = false;
  /** What lies over the lower edge, where it does. */
  below: HTMLElement | null = null;
  private readonly stage: Stage;
  private readonly blend = new Blend();
  private readonly scale = new ScaleBar();
  private readonly axes: Axes;
  private readonly legend = new Legend();
  private readonly legends = h('div', { class: 'legends' });
  private readonly labels = new Labels();
  private readonly nameTag = new NameTag();
  private readonly grab: Grab;
  private drawing: DrawingData | null = null;
  private readonly bodies: ShownBodies;
  private readonly scenery: Scenery;
  /** Bodies may touch something. */
  private touching = false;
  private readonly vines = new Vines();
  private thicken = 1;
  private thickenAsked: number | null = null;
  private size = 1;
  private settings: Record<string, unknown> = {};
  private needsFrame = false;
  private needsFit = true;
  /** Statics: the time at whose first snapshot the solved state is framed, unless the camera has a place [s]. */
  private frameAt: number | null = null;
  private detail = fine;
  private wantedPose: Pose | null = null;
  /** A person has moved the camera in this scene. */
  private looked = false;
  private stale = true;
  private readonly follow = new Follow();
  private readonly scratch = new THREE.Vector3();

  /** Throws where the browser has no WebGL2. */
  constructor(
    private readonly container: HTMLElement,
    private readonly events: ViewEvents,
  ) {
    this.stage = new Stage(container);
    this.bodies = new ShownBodies(this.stage.scene, this.legend);
    this.scenery = new Scenery(this.stage, this.blend);
    const canvas = this.stage.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute(
      'aria-label',
      'The simulation in 3D. Drag to look around, drag a rod, a link, a vine or a shell to pull it.',
    );
    this.grab = new Grab(this.stage, events);
    this.grab.radius = (i) => this.halfAxis(i) * this.thicken;
    this.grab.hidden = (i) => this.partOf(i)?.hidden ?? false;
    this.grab.onShell = (i) => this.partOf(i)?.kind === 'shell';
    this.axes = new Axes((direction) => this.stage.lookFrom(direction));
    this.grab.onOver = (at) => {
      if (at) this.nameTag.show(this.wordsAt(at) || (this.partOf(at.point)?.name ?? ''), at.x, at.y);
      else this.nameTag.show('');
    };
    this.makeDrag(canvas);
    this.stage.scene.add(this.vines.group);
    this.legends.append(this.legend.element, this.scenery.legend.element);
    container.append(this.labels.element, this.axes.element, this.legends, this.scale.element, this.nameTag.element);
    const sizes = new ResizeObserver(() => this.keepClear());
    for (const element of [this.legends, container]) sizes.observe(element);
    this.stage.onFrame = (now) => this.draw(now);
    this.stage.onCamera = () => this.cameraMoved();
    this.stage.onTheme = () => this.scenery.setTheme(this.stage.dark);
    this.stage.controls.addEventListener('start', () => {
      this.frameAt = null;
    });
    this.stage.onLook = () => {
      this.looked = true;
      events.looked();
    };
    this.stage.onQuality = () => this.setDetail(this.stage.quality.fineBodies ? fine : coarse);
    listenToViewKeys(canvas, this.stage, this.grab, () => this.size);
    canvas.addEventListener('blur', () => {
      if (this.grab.byKeys) this.grab.letGo();
    });
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.notice('The graphics driver was reset; the picture comes back by itself.');
    });
    canvas.addEventListener('webglcontextrestored', () => this.notice(''));
  }

  /** A new scene: its look from `view`, its camera at the first snapshot unless `keepCamera`; of a static scene, whose
   * solution comes at the time `solved` [s], once more for that. */
  setScene(
    { drawing, touching, info, tensions }: Pick<LoadedReply, 'drawing' | 'touching' | 'info' | 'tensions'>,
    keepCamera: boolean,
    solved: number | null,
  ): void {
    const settings = info.view;
    this.settings = settings;
    this.touching = touching;
    this.needsFrame = !keepCamera;
    this.frameAt = keepCamera || settings.camera !== undefined ? null : solved;
    this.stage.quality.newScene();
    this.follow.restart();
    this.stage.standStill();
    this.looked &&= keepCamera;
    this.wantedPose = null;
    this.grab.letGo();
    this.bodies.reset();
    this.scenery.resetTensions(tensions);
    const background = settings.background;
    this.container.style.background =
      typeof background === 'string' && CSS.supports('color', background) ? background : '';
    this.setDrawing(drawing);
    this.needsFit = true;
  }

  /** `keep`: of the same run, in which bodies have come or gone. */
  setDrawing(drawing: DrawingData, keep = false): void {
    this.bodies.setDrawing(drawing, this.detail);
    this.drawing = drawing;
    this.scenery.setDrawing(drawing, keep, this.size);
    this.vines.setDrawing(drawing);
    this.follow.setParts(drawing.parts, this.settings.follow);
    this.labels.setDrawing(drawing);
    if (!keep) this.nameTag.show('');
    this.grab.triangles = drawing.triangles;
  }

  /** Copies what it needs out of the snapshot's buffer. */
  push(snapshot: SnapshotReply): void {
    if (snapshot.drawing) this.setDrawing(snapshot.drawing, true);
    const moment = viewsOf(snapshot.buffer, snapshot.counts);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.blend.push(moment, snapshot.jump || still, performance.now());
    this.bodies.take(snapshot);
    this.scenery.takeTensions(moment.tensions);
    if (this.needsFit) this.fit();
    else if (this.frameAt !== null && snapshot.time >= this.frameAt * (1 - 1e-9)) this.frameSolved();
    else if (this.drawing) this.stage.ground.keepBelow(bodiesBox(this.drawing, moment.positions).min.z);
    if (this.drawing && this.vines.push(this.drawing, moment, snapshot.fresh, this.size)) this.note();
    this.again();
  }

  /** Where a person has moved the camera. */
  get pose(): Pose | null {
    return this.wantedPose ?? (this.looked ? this.stage.pose : null);
  }

  /** Looks from there, in the scene that comes next from its first picture on. */
  look(pose: Pose): void {
    this.wantedPose = pose;
    this.frameAt = null;
  }

  setQuality(choice: QualityChoice): void {
    this.stage.quality.choose(choice);
  }

  setField(field: Field | null): void {
    this.bodies.setField(field);
    this.stage.refresh();
  }

  /** null: chosen so that thin rods can be seen. */
  setThickness(factor: number | null): void {
    this.thickenAsked = factor;
    this.chooseThickness();
    this.again();
  }

  /** Symbols of what holds and loads; joints and tendons of linkages. */
  showScenery(shown: Partial<SceneryShown>): void {
    this.scenery.show(shown);
  }

  /** Bodies, contact forces and painted paths of vines. */
  showVines(shown: Partial<VinesShown>): void {
    this.vines.show(shown);
    this.note();
    this.again();
  }

  /** A dragged obstacle goes back to its place. */
  putBack(): void {
    this.scenery.obstacles?.drag(-1, this.scratch);
    this.again();
  }

  /** All edges of shells. */
  showWireframe(shown: boolean): void {
    this.bodies.setWireframe(shown);
    this.stage.refresh();
  }

  frameAll(): void {
    this.frameAt = null;
    this.stage.showAll(this.box());
  }

  /** For keys: takes the next of the points that are worth pulling; arrows then move it, Escape lets go. */
  pullNext(): void {
    if (!this.drawing || this.grab.positions.length === 0) return;
    this.stage.renderer.domElement.focus({ preventScroll: true });
    const points = handles(this.drawing, this.grab.positions);
    const last = this.grab.byKeys ? points.indexOf(this.grab.held) : -1;
    if (points.length > 0) this.grab.take(points[(last + 1) % points.length]);
  }

  /** The picture as PNG. */
  picture(): Promise<Blob | null> {
    this.stage.renderer.render(this.stage.scene, this.stage.camera);
    return new Promise((done) => this.stage.renderer.domElement.toBlob(done, 'image/png'));
  }

  private draw(now: number): boolean {
    const moving = this.blend.advance(now);
    const { positions, directors } = this.blend;
    const matches = positions.length === 3 * (this.drawing?.round.length ?? 0);
    this.bodies.beforePicture(matches);
    this.scenery.beforePicture(matches);
    // Between a new drawing and its first snapshot there is nothing to show.
    if (matches && (moving || this.stale)) {
      this.bodies.update(positions, directors, this.thicken);
      this.scenery.update(this.thicken, this.size);
      this.vines.update(positions, this.thicken, this.size, this.stage.ground.spacing);
      this.grab.positions = positions;
      this.follow.update(positions, (offset) => this.stage.shift(offset));
      this.placeLabels();
    }
    this.grab.follow();
    this.stale = moving;
    return moving;
  }

  private fit(): void {
    this.needsFit = false;
    const box = this.box();
    this.size = Math.max(box.getSize(this.scratch).length(), 1e-6);
    this.keepClear();
    this.stage.fit(box, framingOf(this.settings.camera), this.needsFrame);
    this.needsFrame = false;
    if (this.wantedPose) this.stage.look(this.wantedPose);
    this.looked ||= this.wantedPose !== null;
    this.wantedPose = null;
    this.chooseThickness();
    this.scenery.makeSymbols(this.size);
    this.bodies.look();
  }

  /** The equilibrium may look quite unlike the start: it gets a camera, ground and symbols of its own, once. */
  private frameSolved(): void {
    this.frameAt = null;
    this.needsFrame = true;
    this.fit();
  }

  private setDetail(detail: typeof fine): void {
    if (this.detail === detail) return;
    this.detail = detail;
    if (!this.drawing) return;
    this.bodies.setDrawing(this.drawing, detail, true);
    this.bodies.look();
    this.stale = true;
  }

  private chooseThickness(): void {
    if (!this.drawing) return;
    const asked = this.thickenAsked ?? this.settings.thicken;
    this.thicken =
      typeof asked === 'number' && asked > 0 ? asked : suitableThickness(this.drawing, this.size, this.touching);
    this.note();
  }

  /** Everything is placed anew in the next picture. */
  private again(): void {
    this.stale = true;
    this.stage.refresh();
  }

  /** What the grid, thick rods and arrows mean. */
  private note(): void {
    this.scale.setNotes(this.stage.ground.spacing, this.thicken, this.vines.scaleWords);
  }

  private makeDrag(canvas: HTMLCanvasElement): void {
    new DragObstacle(this.stage, {
      obstacles: () => (this.standing && !this.grab.active ? this.scenery.obstacles : null),
      waiting: () => (!this.standing && this.vines.present ? this.scenery.obstacles : null),
      refused: () => this.events.refuseDrag(),
      normal: () => planeOfVines(this.drawing, this.blend.directors),
      changed: () => {
        this.nameTag.show('');
        this.again();
      },
      done: (obstacle, offset) => {
        const name = this.drawing?.obstacles[obstacle]?.name ?? '';
        if (!this.events.moveObstacle(name, offset.toArray(), resolution(this.size))) this.putBack();
      },
      over: (found, { x, y }) => {
        const obstacle = this.grab.over ? -1 : found;
        canvas.classList.toggle('over-obstacle', obstacle >= 0);
        // The number of a force that is drawn over it comes first.
        if (obstacle < 0 || !this.nameTag.element.hidden) return;
        this.nameTag.show(this.drawing?.obstacles[obstacle]?.name ?? '', x, y);
      },
    });
  }

  private box(): THREE.Box3 {
    const { positions, obstacles } = this.blend.latest;
    const box = this.drawing ? extentOf(this.drawing, positions, obstacles) : new THREE.Box3();
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    return box;
  }

  private cameraMoved(): void {
    const { camera, controls } = this.stage;
    camera.updateMatrixWorld();
    this.scale.update(camera, controls.target, this.stage.pixelsPerMetre);
    this.axes.update(camera);
    this.scenery.aimPlanes();
    this.placeLabels();
  }

  private placeLabels(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    const { positions, obstacles } = this.blend;
    if (positions.length !== 3 * (this.drawing?.round.length ?? 0)) return;
    const moves = this.scenery.obstacles?.shown(obstacles) ?? obstacles;
    this.labels.update(positions, moves, this.stage.camera, { width, height });
  }

  /** Keys that play take a part of the picture, on phones other buttons, legends and the scale too: what is shown stays
   * between them. */
  private keepClear(): void {
    const { offsetTop, offsetHeight } = this.legends;
    const { clientWidth, clientHeight } = this.container;
    const narrow = clientWidth < narrowView;
    const { below } = this;
    const low = below && !below.hidden && this.container.contains(below) ? below.offsetHeight : 0;
    const edge = low > 0 ? padEdge : 0;
    if (narrow) this.stage.cover(Math.max(buttonsBottom, offsetTop + offsetHeight), scaleHeight + low + edge);
    else this.stage.cover(clientHeight < lowView ? buttonsBottom : 0, low + 2 * edge);
  }

  private halfAxis(point: number): number {
    const axes = this.drawing?.halfAxes;
    return axes ? Math.max(axes[2 * point], axes[2 * point + 1]) : 0;
  }

  private partOf(point: number): DrawingData['parts'][number] | undefined {
    return this.drawing?.parts.find((p) => point >= p.firstPoint && point < p.firstPoint + p.pointCount);
  }

  /** The force or tendon under the mouse, with its number. */
  private wordsAt({ x, y }: { x: number; y: number }): string {
    const { clientWidth: width, clientHeight: height } = this.container;
    const force = this.vines.wordsAt(this.stage.camera, { x, y, width, height });
    const { tendons } = this.drawing ?? { tendons: [] };
    if (force || tendons.length === 0 || !this.scenery.shown.tendons) return force;
    const found = pickTendon(tendons, this.blend.tendons, this.stage.camera, { x, y, width, height });
    return found < 0 ? '' : `${tendons[found].name}: ${quantity(this.blend.tensions[found], 'N')}`;
  }

  private notice(text: string): void {
    this.container.querySelector('.view-notice')?.remove();
    if (text) this.container.append(h('p', { class: 'view-notice', role: 'status' }, text));
  }
}

/** How exactly a place can be meant in a structure of this size: a power of ten [m]. */
const resolution = (size: number): number => 10 ** Math.floor(Math.log10(1e-3 * size));
