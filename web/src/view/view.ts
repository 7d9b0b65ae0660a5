// The 3D view: takes the drawing and its snapshots, shows them, colours them, and lets a person pull and look around.
import * as THREE from 'three';
import { valuesOf, viewsOf } from '../engine/moment';
import type { DrawingData, Field, LoadedReply, SnapshotReply } from '../engine/protocol';
import { quantity } from '../text/units';
import { h } from '../ui/dom';
import { Blend } from './blend';
import { Bodies } from './bodies';
import { bodiesBox, extentOf } from './extent';
import { type BodyKind, FieldRanges, kindsOf, mapOf } from './fields';
import { Follow } from './follow';
import { framingOf } from './framing';
import { Grab, type GrabEvents } from './grab';
import { Labels } from './labels';
import { Linkwork } from './linkwork';
import { NameTag } from './nameTag';
import { Obstacles } from './obstacles';
import { Axes, Legend, ScaleBar } from './overlays';
import { pickTendon } from './pickTendon';
import { handles } from './spread';
import { Stage } from './stage';
import { Symbols } from './symbols';
import { TensionRange } from './tendons';
import { suitableThickness } from './thickness';
import { coarse, fine } from './tubes';
import { listenToViewKeys } from './viewKeys';

/** Below this width legends lie over the middle of the picture [px]; how far buttons and scale reach into it. */
const narrowView = 560;
const buttonsBottom = 48;
const scaleHeight = 42;

export class View {
  private readonly stage: Stage;
  private readonly blend = new Blend();
  private readonly scale = new ScaleBar();
  private readonly axes: Axes;
  private readonly legend = new Legend();
  private readonly tensionLegend = new Legend('tension-legend');
  private readonly legends = h('div', { class: 'legends' });
  private readonly labels = new Labels();
  private readonly nameTag = new NameTag();
  private readonly grab: Grab;
  private drawing: DrawingData | null = null;
  private bodies: Bodies | null = null;
  private obstacles: Obstacles | null = null;
  /** Bodies may touch something. */
  private touching = false;
  /** What the drawing has, without what is hidden. */
  private kinds: BodyKind[] = [];
  private symbols: Symbols | null = null;
  private linkwork: Linkwork | null = null;
  private readonly tensions = new TensionRange();
  private readonly linkworkShown = { joints: true, tendons: true };
  private values: Float32Array | null = null;
  private field: Field | null = null;
  private readonly ranges = new FieldRanges();
  private thicken = 1;
  private thickenAsked: number | null = null;
  private symbolsShown = true;
  private wireframe = false;
  private size = 1;
  private settings: Record<string, unknown> = {};
  private needsFrame = false;
  private needsFit = true;
  /** Statics: the time at whose first snapshot the solved state is framed, unless the camera has a place [s]. */
  private frameAt: number | null = null;
  private detail = fine;
  private stale = true;
  private readonly follow = new Follow();
  private readonly scratch = new THREE.Vector3();

  /** Throws where the browser has no WebGL2. */
  constructor(
    private readonly container: HTMLElement,
    events: GrabEvents,
  ) {
    this.stage = new Stage(container);
    const canvas = this.stage.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute(
      'aria-label',
      'The simulation in 3D. Drag to look around, drag a rod, a link or a shell to pull it.',
    );
    this.grab = new Grab(this.stage, events);
    this.grab.radius = (i) => this.halfAxis(i) * this.thicken;
    this.grab.hidden = (i) => this.partOf(i)?.hidden ?? false;
    this.grab.onShell = (i) => this.partOf(i)?.kind === 'shell';
    this.axes = new Axes((direction) => this.stage.lookFrom(direction));
    this.grab.onOver = (at) => {
      if (at) this.nameTag.show(this.tendonWords(at) || (this.partOf(at.point)?.name ?? ''), at.x, at.y);
      else this.nameTag.show('');
    };
    this.legends.append(this.legend.element, this.tensionLegend.element);
    container.append(this.labels.element, this.axes.element, this.legends, this.scale.element, this.nameTag.element);
    const sizes = new ResizeObserver(() => this.keepClear());
    for (const element of [this.legends, container]) sizes.observe(element);
    this.stage.onFrame = (now) => this.draw(now);
    this.stage.onCamera = () => this.cameraMoved();
    this.stage.onTheme = () => {
      this.obstacles?.setTheme(this.stage.dark);
      this.linkwork?.setTheme(this.stage.dark);
    };
    this.stage.controls.addEventListener('start', () => {
      this.frameAt = null;
    });
    this.stage.onSlow = () => this.drawCoarsely();
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
    this.follow.restart();
    this.grab.letGo();
    this.ranges.reset();
    this.tensions.reset(tensions);
    const background = settings.background;
    this.container.style.background =
      typeof background === 'string' && CSS.supports('color', background) ? background : '';
    this.setDrawing(drawing);
    this.needsFit = true;
  }

  setDrawing(drawing: DrawingData): void {
    this.drawing = drawing;
    this.kinds = kindsOf(drawing);
    this.bodies?.dispose();
    if (this.bodies) this.stage.scene.remove(this.bodies.group);
    this.bodies = new Bodies(drawing, this.detail);
    this.bodies.setWireframe(this.wireframe);
    this.stage.scene.add(this.bodies.group);
    this.makeObstacles(drawing);
    this.makeLinkwork(drawing);
    this.follow.setParts(drawing.parts, this.settings.follow);
    this.labels.setDrawing(drawing);
    this.nameTag.show('');
    this.grab.triangles = drawing.triangles;
    this.values = null;
    this.makeSymbols();
  }

  /** Copies what it needs out of the snapshot's buffer. */
  push(snapshot: SnapshotReply): void {
    if (snapshot.drawing) this.setDrawing(snapshot.drawing);
    const moment = viewsOf(snapshot.buffer, snapshot.counts);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.blend.push(moment, snapshot.jump || still, performance.now());
    this.takeField(snapshot);
    if (this.tensions.take(moment.tensions)) this.linkwork?.look(this.tensionLegend);
    if (this.needsFit) this.fit();
    else if (this.frameAt !== null && snapshot.time >= this.frameAt * (1 - 1e-9)) this.frameSolved();
    else if (this.drawing) this.stage.ground.keepBelow(bodiesBox(this.drawing, moment.positions).min.z);
    this.stale = true;
    this.stage.refresh();
  }

  setField(field: Field | null): void {
    this.field = field;
    this.ranges.reset();
    this.legend.hide();
    if (field) return;
    this.values = null;
    this.look();
  }

  /** null: chosen so that thin rods can be seen. */
  setThickness(factor: number | null): void {
    this.thickenAsked = factor;
    this.chooseThickness();
    this.stale = true;
    this.stage.refresh();
  }

  showSymbols(shown: boolean): void {
    this.symbolsShown = shown;
    if (this.symbols) this.symbols.group.visible = shown;
    this.stage.refresh();
  }

  /** Joints and tendons of linkages. */
  showLinkwork(shown: { joints?: boolean; tendons?: boolean }): void {
    Object.assign(this.linkworkShown, shown);
    this.linkwork?.show(this.linkworkShown.joints, this.linkworkShown.tendons);
    this.linkwork?.look(this.tensionLegend);
    this.stage.refresh();
  }

  /** All edges of shells. */
  showWireframe(shown: boolean): void {
    this.wireframe = shown;
    this.bodies?.setWireframe(shown);
    this.stage.refresh();
  }

  frameAll(): void {
    this.frameAt = null;
    this.stage.frameBox(this.box());
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

  private takeField({ buffer, counts, field }: SnapshotReply): void {
    if (!field || field !== this.field) return;
    const values = valuesOf(buffer, counts);
    if (this.values?.length !== values.length) this.values = new Float32Array(values.length);
    this.values.set(values);
    const changed = this.drawing !== null && this.ranges.take(field, values, this.drawing);
    if (changed || this.legend.element.hidden) this.look();
  }

  private look(): void {
    const field = this.values ? this.field : null;
    this.bodies?.setLook((kind) => this.ranges.look(field, kind));
    const rows = field ? this.ranges.rows(field, this.kinds) : [];
    if (field && rows.length > 0) this.legend.show(mapOf(field), rows);
    else this.legend.hide();
    this.stage.refresh();
  }

  private draw(now: number): boolean {
    const moving = this.blend.advance(now);
    const { positions, directors } = this.blend;
    const matches = positions.length === 3 * (this.drawing?.round.length ?? 0);
    if (this.bodies) this.bodies.group.visible = matches;
    if (this.obstacles) this.obstacles.group.visible = matches;
    this.obstacles?.cutBelow(this.stage.ground.level);
    if (this.symbols) this.symbols.group.visible = matches && this.symbolsShown;
    if (this.linkwork) this.linkwork.group.visible = matches;
    // Between a new drawing and its first snapshot there is nothing to show.
    if (matches && (moving || this.stale)) {
      this.bodies?.update(positions, directors, this.values, this.thicken);
      this.obstacles?.update(this.blend.obstacles);
      this.symbols?.update(positions, directors, this.thicken);
      this.linkwork?.update(this.blend, this.thicken, this.size);
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
    this.chooseThickness();
    this.makeSymbols();
    this.look();
  }

  /** The equilibrium may look quite unlike the start: it gets a camera, ground and symbols of its own, once. */
  private frameSolved(): void {
    this.frameAt = null;
    this.needsFrame = true;
    this.fit();
  }

  private drawCoarsely(): void {
    if (this.detail === coarse || !this.drawing) return;
    this.detail = coarse;
    const { values } = this;
    this.setDrawing(this.drawing);
    this.values = values;
    this.look();
    this.stale = true;
  }

  private chooseThickness(): void {
    if (!this.drawing) return;
    const asked = this.thickenAsked ?? this.settings.thicken;
    this.thicken =
      typeof asked === 'number' && asked > 0 ? asked : suitableThickness(this.drawing, this.size, this.touching);
    this.scale.setNotes(this.stage.ground.spacing, this.thicken);
  }

  private makeSymbols(): void {
    if (this.symbols) {
      this.stage.scene.remove(this.symbols.group);
      this.symbols.dispose();
    }
    if (!this.drawing) return;
    this.symbols = new Symbols(this.drawing, this.size * 0.13, this.blend.latest);
    this.symbols.group.visible = this.symbolsShown;
    this.stage.scene.add(this.symbols.group);
  }

  private makeLinkwork(drawing: DrawingData): void {
    if (this.linkwork) {
      this.stage.scene.remove(this.linkwork.group);
      this.linkwork.dispose();
    }
    this.linkwork = new Linkwork(drawing, this.tensions);
    this.linkwork.setTheme(this.stage.dark);
    this.stage.scene.add(this.linkwork.group);
    this.showLinkwork({});
  }

  private makeObstacles(drawing: DrawingData): void {
    if (this.obstacles) {
      this.stage.scene.remove(this.obstacles.group);
      this.obstacles.dispose();
    }
    this.obstacles = new Obstacles(drawing);
    this.obstacles.setTheme(this.stage.dark);
    this.aimPlanes();
    this.stage.ground.group.visible = !this.obstacles.hasFloor;
    this.stage.ground.touched = !this.obstacles.hasSlope;
    this.stage.scene.add(this.obstacles.group);
  }

  /** Planes are shown around what the camera looks at, with the grid of the ground. */
  private aimPlanes(): void {
    const { reach, spacing } = this.stage.ground;
    this.obstacles?.aim(this.stage.controls.target, reach, spacing);
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
    this.aimPlanes();
    this.placeLabels();
  }

  private placeLabels(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    const { positions, obstacles } = this.blend;
    if (positions.length !== 3 * (this.drawing?.round.length ?? 0)) return;
    this.labels.update(positions, obstacles, this.stage.camera, { width, height });
  }

  /** On phones buttons, legends and the scale take a part of the picture: what is shown stays between them. */
  private keepClear(): void {
    const { offsetTop, offsetHeight } = this.legends;
    const narrow = this.container.clientWidth < narrowView;
    if (narrow) this.stage.cover(Math.max(buttonsBottom, offsetTop + offsetHeight), scaleHeight);
    else this.stage.cover(0, 0);
  }

  private halfAxis(point: number): number {
    const axes = this.drawing?.halfAxes;
    return axes ? Math.max(axes[2 * point], axes[2 * point + 1]) : 0;
  }

  private partOf(point: number): DrawingData['parts'][number] | undefined {
    return this.drawing?.parts.find((p) => point >= p.firstPoint && point < p.firstPoint + p.pointCount);
  }

  /** The tendon under the mouse, with its tension. */
  private tendonWords({ x, y }: { x: number; y: number }): string {
    const { tendons } = this.drawing ?? { tendons: [] };
    if (tendons.length === 0 || !this.linkworkShown.tendons) return '';
    const { clientWidth: width, clientHeight: height } = this.container;
    const found = pickTendon(tendons, this.blend.tendons, this.stage.camera, { x, y, width, height });
    return found < 0 ? '' : `${tendons[found].name}: ${quantity(this.blend.tensions[found], 'N')}`;
  }

  private notice(text: string): void {
    this.container.querySelector('.view-notice')?.remove();
    if (text) this.container.append(h('p', { class: 'view-notice', role: 'status' }, text));
  }
}
