// Fields that colour the bodies: their words and units per kind of body, and the range of values seen so far.
// Rods and shells share a range where their values have one unit; energies per length and per area have one each.
import type { DrawingData, Field } from '../engine/protocol';
import type { BodyLook } from './bodyMaterial';
import type { MapName } from './colormap';

export type BodyKind = DrawingData['parts'][number]['kind'];

interface FieldWords {
  title: string;
  unit: string;
  /** As a choice: "by ...". */
  choice: string;
}

/** One row of the legend. */
export interface LegendRow {
  title: string;
  unit: string;
  low: number;
  high: number;
}

const words: Record<Field, Record<BodyKind, FieldWords>> = {
  curvature: {
    rod: { title: 'Curvature', unit: '1/m', choice: 'curvature' },
    shell: { title: 'Curvature', unit: '1/m', choice: 'curvature' },
  },
  strain: {
    rod: { title: 'Axial strain', unit: '', choice: 'axial strain' },
    shell: { title: 'Membrane strain', unit: '', choice: 'membrane strain' },
  },
  energy: {
    rod: { title: 'Elastic energy per length', unit: 'J/m', choice: 'elastic energy' },
    shell: { title: 'Bending energy per area', unit: 'J/m^2', choice: 'bending energy' },
  },
};
/** Where a scene has rods and shells and each kind has a range: the units tell that one is per length, one per area. */
const ownTitles: Record<BodyKind, string> = { rod: 'Rods: elastic energy', shell: 'Shells: bending energy' };
/** Where they share one. */
const mixedTitles: Partial<Record<Field, string>> = { curvature: 'Curvature', strain: 'Axial or membrane strain' };
const mixedChoices: Record<Field, string> = { curvature: 'curvature', strain: 'strain', energy: 'elastic energy' };

export const fields: Field[] = ['curvature', 'strain', 'energy'];

export const mapOf = (field: Field): MapName => (field === 'strain' ? 'diverging' : 'sequential');

/** The kinds that are drawn, rods first. */
export function kindsOf(drawing: DrawingData): BodyKind[] {
  const has = (kind: BodyKind): boolean => drawing.parts.some((part) => part.kind === kind && !part.hidden);
  return (['rod', 'shell'] as const).filter(has);
}

/** What the pointer can do with these. */
export function hintWords(kinds: BodyKind[]): string {
  const what = kinds.map((kind) => `a ${kind}`).join(' or ');
  return what ? `drag ${what} to pull it` : '';
}

/** How a field is called in a menu. */
export function choiceWords(field: Field, kinds: BodyKind[]): string {
  return kinds.length > 1 ? mixedChoices[field] : words[field][kinds[0] ?? 'rod'].choice;
}

type Range = [number, number];

export class FieldRanges {
  private readonly ranges: Record<BodyKind, Range> = { rod: [0, 0], shell: [0, 0] };

  reset(): void {
    this.ranges.rod = [0, 0];
    this.ranges.shell = [0, 0];
  }

  /** Widens the ranges by one moment's values; true if that changed one. */
  take(field: Field, values: Float32Array, drawing: DrawingData): boolean {
    let changed = false;
    for (const { kind, hidden, firstPoint, pointCount } of drawing.parts) {
      if (hidden) continue;
      const range = this.ranges[kind];
      let [low, high] = range;
      for (let i = firstPoint; i < firstPoint + pointCount; ++i) {
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
      }
      if (field === 'strain') {
        high = Math.max(high, -low);
        low = -high;
      }
      changed ||= low !== range[0] || high !== range[1];
      range[0] = low;
      range[1] = high;
    }
    return changed;
  }

  /** The legend's rows: one for all, or one per kind where the units differ. */
  rows(field: Field, kinds: BodyKind[]): LegendRow[] {
    if (kinds.length <= 1) {
      const kind = kinds[0] ?? 'rod';
      const [low, high] = this.ranges[kind];
      return [{ title: words[field][kind].title, unit: words[field][kind].unit, low, high }];
    }
    const title = mixedTitles[field];
    if (title !== undefined) {
      const [low, high] = this.common();
      return [{ title, unit: words[field].rod.unit, low, high }];
    }
    return kinds.map((kind) => {
      const [low, high] = this.ranges[kind];
      return { title: ownTitles[kind], unit: words[field][kind].unit, low, high };
    });
  }

  /** How bodies of a kind are coloured; null: by name. */
  look(field: Field | null, kind: BodyKind): BodyLook {
    if (!field) return { field: false, map: 'sequential', low: 0, high: 1 };
    const [low, high] = mixedTitles[field] === undefined ? this.ranges[kind] : this.common();
    return { field: true, map: mapOf(field), low, high: high > low ? high : low + 1 };
  }

  private common(): Range {
    const { rod, shell } = this.ranges;
    return [Math.min(rod[0], shell[0]), Math.max(rod[1], shell[1])];
  }
}
