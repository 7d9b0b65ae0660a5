// What lies over the 3D view: the scale bar, the axes, and the legend of a colored field.
import * as THREE from 'three';
import { niceBelow, quantity, scaleFor } from '../text/units';
import { h } from '../ui/dom';
import { type MapName, mapBytes, mapSize } from './colormap';
import type { LegendRow } from './fields';

/** A bar of a round length at the distance of the orbit's center, and what the grid and thick rods mean. */
export class ScaleBar {
  readonly element: HTMLElement;
  private readonly bar = h('div', { class: 'scale-line' });
  private readonly words = h('span', { class: 'scale-text' });
  private readonly notes = h('span', { class: 'scale-notes' });

  constructor() {
    this.element = h('div', { class: 'scale-bar' }, h('div', { class: 'scale-row' }, this.bar, this.words), this.notes);
  }

  /** `pixelsPerMeter`: at a distance of a meter. */
  update(camera: THREE.Camera, target: THREE.Vector3, pixelsPerMeter: number): void {
    const metersPerPixel = camera.position.distanceTo(target) / Math.max(pixelsPerMeter, 1);
    const length = niceBelow(metersPerPixel * 130);
    this.bar.style.width = `${length / metersPerPixel}px`;
    this.words.textContent = quantity(length, 'm', 1);
  }

  /** `more`: further words. */
  setNotes(spacing: number, thicken: number, exaggerate: number, more = ''): void {
    const parts = [`grid ${quantity(spacing, 'm', 1)}`];
    if (more) parts.push(more);
    if (exaggerate !== 1) parts.push(`deflection drawn ${exaggerate}×`);
    if (thicken !== 1) parts.push(`drawn ${Number(thicken.toPrecision(3))}× thicker`);
    this.notes.textContent = parts.join(' · ');
  }
}

/** The axes as the camera sees them; each end is a button that looks along it. */
export class Axes {
  readonly element: HTMLElement;
  private readonly lines: SVGLineElement[] = [];
  private readonly ends: HTMLButtonElement[] = [];
  private readonly turn = new THREE.Matrix4();
  private readonly axis = new THREE.Vector3();

  constructor(look: (direction: THREE.Vector3) => void) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '-36 -36 72 72');
    svg.setAttribute('aria-hidden', 'true');
    this.element = h('div', { class: 'axes', role: 'group', aria: { label: 'Look along an axis' } });
    this.element.append(svg);
    ['x', 'y', 'z'].forEach((name, i) => {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      line.classList.add(`axis-${name}`);
      svg.append(line);
      this.lines.push(line);
      const direction = new THREE.Vector3(i === 0 ? 1 : 0, i === 1 ? -1 : 0, i === 2 ? 1 : 0);
      if (i === 2) direction.y = -1e-3;
      const label =
        i === 0 ? 'Look from the side, along x' : i === 1 ? 'Look from the front, along y' : 'Look from above';
      const end = h('button', { type: 'button', class: `axis-end axis-${name}`, title: label, aria: { label } }, name);
      end.addEventListener('click', () => look(direction.clone().normalize()));
      this.ends.push(end);
      this.element.append(end);
    });
  }

  update(camera: THREE.Camera): void {
    this.turn.copy(camera.matrixWorldInverse);
    for (let i = 0; i < 3; ++i) {
      this.axis.set(i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0).transformDirection(this.turn);
      const x = 24 * this.axis.x;
      const y = -24 * this.axis.y;
      this.lines[i].setAttribute('x2', x.toFixed(1));
      this.lines[i].setAttribute('y2', y.toFixed(1));
      this.ends[i].style.transform = `translate(${(x * 1.25).toFixed(1)}px, ${(y * 1.25).toFixed(1)}px)`;
      this.ends[i].style.zIndex = this.axis.z > 0 ? '1' : '0';
    }
  }
}

/** A color map, or a part of it, with the values at its ends; a row of values for each unit. */
export class Legend {
  readonly element: HTMLElement;
  private readonly above = h('div', { class: 'legend-row' });
  private readonly below = h('div', { class: 'legend-row' });
  private readonly bar = h('canvas', { class: 'legend-bar', width: mapSize, height: 1, aria: { hidden: 'true' } });

  /** `name`: a class of its own. */
  constructor(name = '') {
    this.element = h('div', { class: `legend ${name}`.trim() }, this.above, this.bar, this.below);
    this.element.hidden = true;
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** One row: its title above the map, its values below. Two: each with title and values on its side. */
  show(map: MapName, rows: LegendRow[], from = 0, to = 1): void {
    this.element.hidden = false;
    const [first, second] = rows;
    this.above.replaceChildren(title(first), ...(second ? [ends(first)] : []));
    this.below.replaceChildren(ends(second ?? first), ...(second ? [title(second)] : []));
    const key = `${map} ${from} ${to}`;
    if (this.bar.dataset.map === key) return;
    this.bar.dataset.map = key;
    const image = new ImageData(mapSize, 1);
    const bytes = mapBytes(map);
    for (let i = 0; i < mapSize; ++i) {
      const at = Math.round((from + ((to - from) * i) / (mapSize - 1)) * (mapSize - 1));
      image.data.set(bytes.subarray(4 * at, 4 * at + 4), 4 * i);
    }
    this.bar.getContext('2d')?.putImageData(image, 0, 0);
  }
}

const legendScale = ({ low, high, unit }: LegendRow): { factor: number; unit: string } =>
  scaleFor(Math.max(Math.abs(low), Math.abs(high)), unit);

function title(row: LegendRow): HTMLElement {
  const { unit } = legendScale(row);
  return h('span', { class: 'legend-title' }, unit ? `${row.title} [${unit}]` : row.title);
}

function ends(row: LegendRow): HTMLElement {
  const { factor } = legendScale(row);
  const values = [row.low, (row.low + row.high) / 2, row.high].map((value) => quantity(value / factor, ''));
  return h('div', { class: 'legend-ends' }, ...values.map((text) => h('span', {}, text)));
}
