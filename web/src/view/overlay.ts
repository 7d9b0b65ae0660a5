// What lies over the picture: scale, axes, signs of what acts, legends, labels and the name under the mouse.
import type { Acting } from '@tendril/engine';
import type { DrawingData } from '../engine/protocol';
import { h } from '../ui/dom';
import { ActingSigns } from './acting';
import { Labels } from './labels';
import { NameTag } from './nameTag';
import { Axes, Legend, ScaleBar } from './overlays';
import type { Stage } from './stage';

/** Below this width legends lie over the middle of the picture [px]; how far buttons and scale reach into it. */
const narrowView = 560;
const buttonsBottom = 48;
const scaleHeight = 42;
const padEdge = 6;
/** A view that is lower than this keeps clear of the hint [px]. */
const lowView = 360;

export class Overlay {
  /** What lies over the lower edge, where it does. */
  below: HTMLElement | null = null;
  readonly scale = new ScaleBar();
  readonly legend = new Legend();
  readonly labels = new Labels();
  readonly nameTag = new NameTag();
  private readonly axes: Axes;
  private readonly acting = new ActingSigns();
  private readonly legends = h('div', { class: 'legends' });

  constructor(
    private readonly container: HTMLElement,
    private readonly stage: Stage,
  ) {
    this.axes = new Axes((direction) => stage.lookFrom(direction));
    this.legends.append(this.legend.element);
    const shown = [this.axes, this.acting, this.scale, this.nameTag].map(({ element }) => element);
    container.append(this.labels.element, this.legends, ...shown);
    const sizes = new ResizeObserver(() => this.keepClear());
    for (const element of [this.legends, this.acting.element, container]) sizes.observe(element);
  }

  addLegend(legend: Legend): void {
    this.legends.append(legend.element);
  }

  /** What acts, with the present parameters. */
  setActing(acting: Acting | undefined, drawing: DrawingData, touching: boolean): void {
    this.acting.set(acting, drawing, touching);
    this.acting.update(this.stage.camera);
  }

  showActing(shown: boolean): void {
    this.acting.element.classList.toggle('off', !shown);
  }

  cameraMoved(): void {
    const { camera, controls, pixelsPerMeter } = this.stage;
    camera.updateMatrixWorld();
    this.scale.update(camera, controls.target, pixelsPerMeter);
    this.axes.update(camera);
    this.acting.update(camera);
  }

  placeLabels(positions: Float32Array, moves: Float32Array): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    this.labels.update(positions, moves, this.stage.camera, { width, height });
  }

  /** Keys that play take a part of the picture, on phones other buttons, legends, the scale and what acts too: what is shown
   * stays between them. */
  keepClear(): void {
    const { offsetTop, offsetHeight } = this.legends;
    const { clientWidth, clientHeight } = this.container;
    const narrow = clientWidth < narrowView;
    const { below } = this;
    const low = below && !below.hidden && this.container.contains(below) ? below.offsetHeight : 0;
    const edge = low > 0 ? padEdge : 0;
    const { element: acting } = this.acting;
    const signs = acting.offsetHeight > 0 ? clientHeight - acting.offsetTop : 0;
    const bottom = Math.max(scaleHeight + low + edge, signs);
    if (narrow) this.stage.cover(Math.max(buttonsBottom, offsetTop + offsetHeight), bottom);
    else this.stage.cover(clientHeight < lowView ? buttonsBottom : 0, low + 2 * edge);
  }

  /** The picture with all of this, as PNG. */
  async picture(): Promise<Blob | null> {
    const { paintOver } = await import('./paintOver');
    const { renderer } = this.stage;
    this.stage.render();
    const parts = [this.labels, this.axes, this.acting, this.scale].map(({ element }) => element);
    const canvas = paintOver(this.container, renderer.domElement, [...parts, this.legends]);
    return new Promise((done) => canvas.toBlob(done, 'image/png'));
  }
}
