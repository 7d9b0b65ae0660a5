// What acts on the bodies and cannot be seen: gravity, slopes, friction, pressure, natural shapes that are driven. Small signs with
// words beside the axes; signs are not read aloud, the words are.
import type { Acting } from '@tendril/engine';
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { plain, quantity } from '../text/units';
import { h } from '../ui/dom';

export interface ActingRow {
  kind: 'gravity' | 'slope' | 'friction' | 'pressure' | 'driven';
  /** Read aloud; the sign stands for it on the screen. */
  words: string;
  sign: string;
  value: string;
}

/** Angles [degrees] at which planes lean that bodies may slide down on. */
export function slopesOf({ obstacles }: Pick<DrawingData, 'obstacles'>): number[] {
  return obstacles
    .filter(({ kind, hidden, normal }) => kind === 'plane' && !hidden && normal[2] > 0.05 && normal[2] < 1 - 1e-6)
    .map(({ normal }) => (180 / Math.PI) * Math.acos(normal[2] / Math.hypot(...normal)));
}

/** `touching`: bodies may touch something, where friction is told. */
export function actingRows(
  { gravity, friction, pressure, driven }: Acting,
  drawing: Pick<DrawingData, 'obstacles'>,
  touching: boolean,
): ActingRow[] {
  const rows: ActingRow[] = [];
  const g = Math.hypot(...gravity);
  if (g > 0) rows.push({ kind: 'gravity', words: 'Gravity', sign: 'g', value: quantity(g, 'm/s^2') });
  const angles = [...new Set(slopesOf(drawing).map((angle) => `${Number(angle.toFixed(1))}°`))];
  if (angles.length > 0) rows.push({ kind: 'slope', words: 'Slope', sign: '', value: angles.join(', ') });
  if (touching && friction > 0)
    rows.push({ kind: 'friction', words: 'Friction coefficient', sign: 'μ', value: plain(friction, 2) });
  if (pressure !== 0) rows.push({ kind: 'pressure', words: 'Pressure', sign: 'p', value: quantity(pressure, 'Pa') });
  if (driven.length > 0)
    rows.push({ kind: 'driven', words: '', sign: '', value: `shape of ${driven.slice(0, 2).join(', ')} driven` });
  return rows;
}

const paths: Record<Exclude<ActingRow['kind'], 'slope'>, string> = {
  gravity: 'M0-8V5M-4 1 0 7 4 1',
  friction: 'M-8 3H8M-7 7l3-4M-2 7l3-4M3 7l3-4M-6-3H5M2-6 6-3 2 0',
  pressure: 'M-8 7H8M-5-7V4M-7 1l2 3 2-3M5-7V4M3 1l2 3 2-3',
  driven: 'M-7 5Q-3-8 1 0T7-5M3-6 7-5 6-1',
};

export class ActingSigns {
  readonly element = h('ul', { class: 'acting', aria: { label: 'What acts' } });
  private readonly down = new THREE.Vector3();
  private readonly turn = new THREE.Matrix4();
  private arrow: SVGElement | null = null;
  private rows = '';
  private gravity = new THREE.Vector3();

  set(acting: Acting | undefined, drawing: DrawingData, touching: boolean): void {
    const rows = acting ? actingRows(acting, drawing, touching) : [];
    this.gravity.fromArray(acting?.gravity ?? [0, 0, 0]).normalize();
    const key = JSON.stringify(rows);
    if (key === this.rows) return;
    this.rows = key;
    this.arrow = null;
    const [slope] = slopesOf(drawing);
    this.element.replaceChildren(...rows.map((row) => this.item(row, slope ?? 0)));
    this.element.hidden = rows.length === 0;
  }

  /** Gravity's arrow points as the camera sees it: away from it or toward it, it is a dot. */
  update(camera: THREE.Camera): void {
    if (!this.arrow) return;
    this.turn.copy(camera.matrixWorldInverse);
    this.down.copy(this.gravity).transformDirection(this.turn);
    const length = Math.hypot(this.down.x, this.down.y);
    const angle = (180 / Math.PI) * Math.atan2(-this.down.x, -this.down.y);
    this.arrow.setAttribute('transform', `rotate(${angle.toFixed(0)}) scale(1 ${Math.max(length, 0.15).toFixed(2)})`);
  }

  private item({ kind, words, sign, value }: ActingRow, slope: number): HTMLElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '-9 -9 18 18');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', kind === 'slope' ? wedge(slope) : paths[kind]);
    svg.append(path);
    if (kind === 'gravity') this.arrow = path;
    return h(
      'li',
      { class: kind },
      svg as unknown as HTMLElement,
      sign ? h('i', { aria: { hidden: 'true' } }, sign) : null,
      words ? h('span', { class: 'sr-only' }, `${words}: `) : null,
      h('span', {}, value),
    );
  }
}

/** A triangle with the slope's own angle. */
function wedge(degrees: number): string {
  const rise = 16 * Math.tan((Math.min(degrees, 50) * Math.PI) / 180);
  const low = Math.min(7, rise / 2);
  return `M-8 ${low.toFixed(1)}H8V${(low - Math.min(rise, 15)).toFixed(1)}Z`;
}
