// The 3D view: takes the drawing and its snapshots, shows them, colors them, and lets a person pull and look around.

import type { Acting } from '@tendril/engine';
import * as THREE from 'three';
import { viewsOf } from '../engine/moment';
import type { DrawingData, Field, LoadedReply, SnapshotReply } from '../engine/protocol';
import type { Pose } from '../share/work';
import { plain, quantity } from '../text/units';
import { h } from '../ui/dom';
import { Blend } from './blend';
import { DragObstacle, planeOfVines } from './dragObstacle';
import { Exaggeration } from './exaggeration';
import { bodiesBox, extentOf } from './extent';
import { MiddleFollow } from './follow';
import { framingOf } from './framing';
import { Grab, type GrabEvents } from './grab';
import { flatAxis } from './light';
import { Overlay } from './overlay';
import { pickTendon } from './pickTendon';
import type { QualityChoice } from './quality';
import { Scenery, type SceneryShown } from './scenery';
import { ShownBodies } from './shownBodies';
import { handles } from './spread';
import { Stage } from './stage';
import type { RestShape } from './surface';
import { Swing } from './swing';
import { outgrown, suitableThickness } from './thickness';
import { coarse, fine } from './tubes';
import { listenToViewKeys } from './viewKeys';
import { Vines, type VinesShown } from './vines';
import { Watch } from './watch';

export interface ViewEvents extends GrabEvents {
  /** An obstacle was dragged from its place; ways shorter than `least` are none [m]. False: it goes back. */
  moveObstacle(name: string, offset: [number, number, number], least: number): void;
  /** A person has moved the camera. */
  looked(): void;
  /** Obstacles cannot be dragged while the run plays. */
  refuseDrag(): void;
}

export class View {
  /** The run stands: obstacles can be dragged. */
  standing = false;
  private readonly stage: Stage;
  private readonly blend = new Blend();
  private readonly swinging = new Swing();
  private readonly over: Overlay;
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
  private follow: LoadedReply['info']['follow'] = { parts: [], nodes: null };
  private needsFrame = false;
  private needsFit = true;
  private isStatic = false;
  private acting: Acting | null = null;
  private driven: string[] = [];
  /** Statics: the time at whose first snapshot the solved state is framed, unless the camera has a place [s]. */
  private frameAt: number | null = null;
  private detail = fine;
  private wantedPose: Pose | null = null;
  /** A person has moved the camera in this scene. */
  private looked = false;
  private stale = true;
  private readonly middle = new MiddleFollow();
  private readonly watch: Watch;
  private readonly exaggeration = new Exaggeration();
  private exaggerateAsked: number | null = null;
  private rest: RestShape = { places: new Float32Array(0), driven: [] };
  private readonly scratch = new THREE.Vector3();
  private lastBox = new THREE.Box3(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));

  /** Throws where the browser has no WebGL2. */
  constructor(
    private readonly container: HTMLElement,
    private readonly events: ViewEvents,
  ) {
    this.stage = new Stage(container);
    this.over = new Overlay(container, this.stage);
    this.bodies = new ShownBodies(this.stage.scene, this.over.legend);
    this.scenery = new Scenery(this.stage, this.blend);
    this.over.addLegend(this.scenery.legend);
    this.watch = new Watch(this.stage, this.blend);
    const canvas = this.stage.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute(
      'aria-label',
      'The simulation in 3D. Drag to look around, drag a rod, a link, a vine or a shell to pull it.',
    );
    this.grab = new Grab(this.stage, {
      pull: (point, shown) => events.pull(point, this.exaggeration.truth(point, shown)),
      release: () => events.release(),
    });
    this.grab.radius = (i) => this.halfAxis(i) * this.thicken;
    this.grab.hidden = (i) => this.partOf(i)?.hidden ?? false;
    this.grab.onShell = (i) => this.partOf(i)?.kind === 'shell';
    this.grab.onOver = (at) => {
      if (at) this.over.nameTag.show(this.wordsAt(at) || (this.partOf(at.point)?.name ?? ''), at.x, at.y);
      else this.over.nameTag.show('');
    };
    this.makeDrag(canvas);
    this.stage.scene.add(this.vines.group);
    this.stage.onFrame = (now) => this.draw(now);
    this.stage.onCamera = () => this.cameraMoved();
    this.stage.onTheme = () => this.scenery.setTheme(this.stage.dark);
    this.stage.controls.addEventListener('start', () => {
      this.watch.stop();
      this.frameAt = null;
    });
    this.stage.onLook = () => {
      this.watch.stop();
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
    { drawing, rest, info }: Pick<LoadedReply, 'drawing' | 'rest' | 'info'>,
    keepCamera: boolean,
    solved: number | null,
  ): void {
    const settings = info.view;
    this.settings = settings;
    this.touching = info.mayTouch;
    this.needsFrame = !keepCamera;
    this.frameAt = keepCamera || settings.camera !== undefined ? null : solved;
    this.stage.newScene();
    this.follow = info.follow;
    this.middle.restart();
    this.looked &&= keepCamera;
    this.wantedPose = null;
    this.grab.letGo();
    this.bodies.reset();
    this.scenery.resetTensions(info.tensions);
    const background = settings.background;
    this.container.style.background =
      typeof background === 'string' && CSS.supports('color', background) ? background : '';
    this.driven = info.acting.driven;
    this.setDrawing(drawing, rest);
    this.needsFit = true;
    this.isStatic = info.static;
    this.setActing(info.acting);
    if (!keepCamera) this.watch.stop();
  }

  /** `rest`: its points at the start; `keep`: of the same run, in which bodies have come or gone. */
  setDrawing(drawing: DrawingData, rest: Float32Array, keep = false): void {
    this.rest = { places: rest, driven: this.driven };
    this.exaggeration.setRest(drawing, rest);
    this.chooseExaggeration();
    this.bodies.setDrawing(drawing, this.rest, this.detail);
    this.drawing = drawing;
    this.scenery.setDrawing(drawing, keep, this.size);
    this.vines.setDrawing(drawing);
    this.middle.setParts(drawing.parts, this.follow);
    this.watch.setDrawing(drawing, this.follow);
    this.over.labels.setDrawing(drawing);
    // A slope is read from its plane, which comes after the value that turned it.
    if (keep && this.acting) this.setActing(this.acting);
    if (!keep) this.over.nameTag.show('');
    this.grab.triangles = drawing.triangles;
  }

  /** Copies what it needs out of the snapshot's buffer. */
  push(snapshot: SnapshotReply): void {
    const moment = viewsOf(snapshot.buffer, snapshot.counts);
    this.stage.hasState();
    if (snapshot.drawing) this.setDrawing(snapshot.drawing, moment.positions.slice(), true);
    const before = this.exaggeration.factor;
    moment.positions = this.exaggeration.drawn(moment.positions, snapshot.fresh && !snapshot.sought);
    if (this.exaggeration.factor !== before) this.note();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.blend.push(moment, snapshot.jump || still, performance.now());
    this.bodies.take(snapshot);
    this.scenery.takeTensions(moment.tensions.filter((_, i) => this.drawing?.tendons[i].unit === 'N'));
    const again = snapshot.fresh && !this.isStatic;
    if (again && this.watch.active && !this.needsFit) this.frameAgain();
    if (this.frameAt !== null && snapshot.time >= this.frameAt * (1 - 1e-9) && !this.needsFit) this.frameSolved();
    else if (this.needsFit || again || this.hasOutgrown) this.fit();
    else if (this.drawing) this.stage.ground.keepBelow(bodiesBox(this.drawing, moment.positions).min.z, this.isStatic);
    if (this.drawing && this.vines.push(this.drawing, moment, snapshot.fresh, this.size)) this.note();
    this.again();
  }

  /** Where a person has moved the camera. */
  get pose(): Pose | null {
    return this.wantedPose ?? (this.looked ? this.stage.pose : null);
  }

  /** Looks from there, in the scene that comes next from its first picture on. */
  look(pose: Pose): void {
    this.watch.stop();
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
    if (this.vines.present) this.needsFit = true;
    this.again();
  }

  /** What acts, with the present parameters. */
  setActing(acting: Acting): void {
    this.acting = acting;
    this.stage.ground.valueChanged();
    if (this.drawing) this.over.setActing(acting, this.drawing, this.touching);
  }

  /** null: as the scene asks. */
  setExaggeration(factor: number | null): void {
    this.exaggerateAsked = factor;
    this.chooseExaggeration();
    this.note();
  }

  /** How far each point goes from where it stands, 3 numbers each [m]; to and fro until null. */
  swing(away: Float32Array | null): void {
    this.swinging.set(away, this.size);
    this.again();
  }

  /** Symbols of what holds and loads; joints and tendons of linkages. */
  showScenery(shown: Partial<SceneryShown>): void {
    this.scenery.show(shown);
    if (shown.symbols !== undefined) this.over.showActing(shown.symbols);
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

  /** Calls once what was pushed is drawn, or where nothing is drawn. */
  afterShown(then: () => void): void {
    this.stage.afterShown(then);
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

  /** The picture as PNG, with what it stands on, scale, legends and labels. */
  picture(): Promise<Blob | null> {
    return this.over.picture();
  }

  set below(pad: HTMLElement) {
    this.over.below = pad;
  }

  private draw(now: number): boolean {
    const blending = this.blend.advance(now);
    const moving = this.swinging.moves || blending;
    const { directors } = this.blend;
    const positions = this.swinging.of(this.blend.positions, now);
    const matches = positions.length === 3 * (this.drawing?.round.length ?? 0);
    this.bodies.beforePicture(matches);
    this.scenery.beforePicture(matches);
    // Between a new drawing and its first snapshot there is nothing to show.
    if (matches && (moving || this.stale)) {
      this.bodies.update(positions, directors, this.thicken);
      this.scenery.update(this.thicken, this.size);
      this.vines.update(positions, this.thicken, this.size, this.stage.ground.spacing);
      this.grab.positions = positions;
      this.middle.update(positions, (offset) => this.stage.shift(offset));
      this.placeLabels();
    }
    const going = matches && !this.grab.active && this.watch.update(now);
    this.grab.follow();
    this.stale = moving;
    return moving || going;
  }

  private fit(): void {
    this.needsFit = false;
    const box = this.box();
    this.size = Math.max(box.getSize(this.scratch).length(), 1e-6);
    this.over.keepClear();
    this.chooseThickness();
    const shown = this.bodiesShown();
    // A tube that lies on the ground is lit aslant, so that its shadow shows beside it.
    const underside = this.vines.present ? shown.min.z - this.vines.radius * this.thicken : null;
    const lies = underside !== null && underside <= box.min.z;
    const flat = lies ? null : this.vines.present ? 2 : flatAxis(shown);
    this.stage.fit(box, framingOf(this.settings.camera), this.needsFrame, flat, underside);
    if (this.needsFrame && !this.middle.active && !this.wantedPose) this.watch.start();
    this.needsFrame = false;
    if (this.wantedPose) this.stage.look(this.wantedPose);
    this.looked ||= this.wantedPose !== null;
    this.wantedPose = null;
    this.scenery.makeSymbols(this.size);
    this.bodies.look();
    this.note();
  }

  /** The equilibrium may look quite unlike the start: it gets a camera, ground and symbols of its own, once. */
  private frameSolved(): void {
    this.frameAt = null;
    this.needsFrame = true;
    this.fit();
  }

  /** From the start again: so does the camera, where nobody has moved it. */
  private frameAgain(): void {
    this.stage.frameBox(this.box(), framingOf(this.settings.camera));
    this.watch.start();
  }

  private bodiesShown(): THREE.Box3 {
    return this.drawing ? bodiesBox(this.drawing, this.blend.positions) : new THREE.Box3();
  }

  private chooseExaggeration(): void {
    this.exaggeration.ask(this.exaggerateAsked ?? this.settings.exaggerate);
  }

  private setDetail(detail: typeof fine): void {
    if (this.detail === detail) return;
    this.detail = detail;
    if (!this.drawing) return;
    this.bodies.setDrawing(this.drawing, this.rest, detail, true);
    this.bodies.look();
    this.stale = true;
  }

  /** What is far larger or smaller than what was framed would be a hairline, or nothing, and without ground and shadow. */
  private get hasOutgrown(): boolean {
    return outgrown(this.box().getSize(this.scratch).length(), this.size);
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
    const more = this.leftOutWords() || this.vines.scaleWords;
    this.over.scale.setNotes(this.stage.ground.spacing, this.thicken, this.exaggeration.factor, more);
  }

  /** Of rods that have more nodes than can be drawn at a pace. */
  private leftOutWords(): string {
    let nodes = 0;
    for (const { kind, pointCount } of this.drawing?.parts ?? []) if (kind !== 'shell') nodes += pointCount;
    return nodes > fine.most ? `${plain(fine.most)} of ${plain(nodes)} nodes drawn` : '';
  }

  private makeDrag(canvas: HTMLCanvasElement): void {
    new DragObstacle(this.stage, {
      obstacles: () => (this.standing && !this.grab.active ? this.scenery.obstacles : null),
      waiting: () => (!this.standing && this.vines.present ? this.scenery.obstacles : null),
      refused: () => this.events.refuseDrag(),
      normal: () => planeOfVines(this.drawing, this.blend.directors),
      changed: () => {
        this.over.nameTag.show('');
        this.again();
      },
      done: (obstacle, offset) => {
        const name = this.drawing?.obstacles[obstacle]?.name ?? '';
        this.events.moveObstacle(name, offset.toArray(), resolution(this.size));
      },
      over: (found, { x, y }) => {
        const obstacle = this.grab.over ? -1 : found;
        canvas.classList.toggle('over-obstacle', obstacle >= 0);
        // The number of a force that is drawn over it comes first.
        if (obstacle < 0 || !this.over.nameTag.element.hidden) return;
        this.over.nameTag.show(this.drawing?.obstacles[obstacle]?.name ?? '', x, y);
      },
    });
  }

  /** Of all that is shown; what has gone to infinity leaves the box from before. */
  private box(): THREE.Box3 {
    const { positions, obstacles } = this.blend.latest;
    const box = this.drawing ? extentOf(this.drawing, positions, obstacles) : new THREE.Box3();
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    if (Number.isFinite(box.getSize(this.scratch).length())) this.lastBox = box;
    return this.lastBox;
  }

  private cameraMoved(): void {
    this.over.cameraMoved();
    this.scenery.aimPlanes();
    this.placeLabels();
  }

  private placeLabels(): void {
    const { positions, obstacles } = this.blend;
    if (positions.length !== 3 * (this.drawing?.round.length ?? 0)) return;
    this.over.placeLabels(positions, this.scenery.obstacles?.shown(obstacles) ?? obstacles);
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
    const tendons = this.drawing?.tendons ?? [];
    if (force || !this.scenery.shown.tendons) return force;
    const found = pickTendon(tendons, this.blend.tendons, this.stage.camera, { x, y, width, height });
    return found < 0 ? '' : `${tendons[found].name}: ${quantity(this.blend.tensions[found], tendons[found].unit)}`;
  }

  private notice(text: string): void {
    this.container.querySelector('.view-notice')?.remove();
    if (text) this.container.append(h('p', { class: 'view-notice', role: 'status' }, text));
  }
}

/** How exactly a place can be meant in a structure of this size: a power of ten [m]. */
const resolution = (size: number): number => 10 ** Math.floor(Math.log10(1e-3 * size));
