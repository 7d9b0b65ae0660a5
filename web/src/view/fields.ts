// Fields that color the bodies: their words and units per group of bodies, and the range of values seen so far.
// Rods, soft links, vines and shells share a range where their values have one unit; energies per length and per area have one
// each. Rigid links have no field: they keep their own color.
import type { DrawingData, Field } from '../engine/protocol';
import type { BodyLook } from './bodyMaterial';
import type { FieldMap } from './colormap';

export type BodyKind = DrawingData['parts'][number]['kind'];

/** Bodies whose values have one unit. */
type Group = 'slender' | 'shell';

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

const words: Record<Field, Record<Group, FieldWords>> = {
  curvature: {
    slender: { title: 'Curvature', unit: '1/m', choice: 'curvature' },
    shell: { title: 'Curvature', unit: '1/m', choice: 'curvature' },
  },
  strain: {
    slender: { title: 'Axial strain', unit: '', choice: 'axial strain' },
    shell: { title: 'Membrane strain', unit: '', choice: 'membrane strain' },
  },
  energy: {
    slender: { title: 'Elastic energy per length', unit: 'J/m', choice: 'elastic energy' },
    shell: { title: 'Bending energy per area', unit: 'J/m^2', choice: 'bending energy' },
  },
};
/** Where a scene has both groups and they share a range. */
const mixedTitles: Partial<Record<Field, string>> = { curvature: 'Curvature', strain: 'Axial or membrane strain' };
const mixedChoices: Record<Field, string> = { curvature: 'curvature', strain: 'strain', energy: 'elastic energy' };

export const fields: Field[] = ['curvature', 'strain', 'energy'];

export const mapOf = (field: Field): FieldMap => (field === 'strain' ? 'diverging' : 'sequential');

const groupOf: Record<BodyKind, Group | null> = {
  rod: 'slender',
  soft: 'slender',
  rigid: null,
  shell: 'shell',
  vine: 'slender',
};

function groupsOf(kinds: BodyKind[]): Group[] {
  return (['slender', 'shell'] as const).filter((group) => kinds.some((kind) => groupOf[kind] === group));
}

/** The kinds that are drawn, rods first. */
export function kindsOf(drawing: DrawingData): BodyKind[] {
  const has = (kind: BodyKind): boolean => drawing.parts.some((part) => part.kind === kind && !part.hidden);
  return (['rod', 'soft', 'rigid', 'vine', 'shell'] as const).filter(has);
}

/** What the pointer can do with these, or the keys that the scene uses; `touch`: there are fingers and no keyboard. */
export function hintWords(kinds: BodyKind[], playKeys: { cap: string; action: string }[] = [], touch = false): string {
  if (playKeys.length > 0) {
    return `hold ${playKeys.map(({ cap, action }) => (touch ? action : `${cap}: ${action}`)).join(', ')}`;
  }
  const called = kinds.map((kind) => (kind === 'soft' || kind === 'rigid' ? 'link' : kind));
  const what = [...new Set(called)].map((name) => `a ${name}`).join(' or ');
  return what ? `drag ${what} to pull it` : '';
}

/** Whether the run plays, stands at its start, later than that, or at its end. */
export type RunState = 'playing' | 'start' | 'within' | 'end';

/** At the end of a run nothing can be pulled any more. */
export const endWords = (touch: boolean): string => (touch ? 'play runs it again' : 'Space runs it again');

export const pauseFirst = 'pause to drag obstacles';

/** What can be done with obstacles now; dragging them away from a run's start costs what has been computed. */
export function obstacleWords(kinds: BodyKind[], solids: boolean, state: RunState): string {
  if (!solids) return '';
  if (state === 'within' || state === 'end') return 'drag an obstacle: the run starts again';
  if (!kinds.includes('vine')) return '';
  return state === 'playing' ? pauseFirst : 'drag obstacles';
}

/** True where fields have something to color. */
export function hasFields(kinds: BodyKind[]): boolean {
  return groupsOf(kinds).length > 0;
}

/** How a field is called in a menu. */
export function choiceWords(field: Field, kinds: BodyKind[]): string {
  const groups = groupsOf(kinds);
  return groups.length > 1 ? mixedChoices[field] : words[field][groups[0] ?? 'slender'].choice;
}

type Range = [number, number];

export class FieldRanges {
  private readonly ranges: Record<Group, Range> = { slender: [0, 0], shell: [0, 0] };

  reset(): void {
    this.ranges.slender = [0, 0];
    this.ranges.shell = [0, 0];
  }

  /** Widens the ranges by one moment's values; true if that changed one. */
  take(field: Field, values: Float32Array, drawing: DrawingData): boolean {
    let changed = false;
    for (const { kind, hidden, firstPoint, pointCount } of drawing.parts) {
      const group = groupOf[kind];
      if (hidden || !group) continue;
      const range = this.ranges[group];
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

  /** The legend's rows: one for all, or one per group where the units differ; none where nothing has a field. */
  rows(field: Field, kinds: BodyKind[]): LegendRow[] {
    const groups = groupsOf(kinds);
    const title = mixedTitles[field];
    if (groups.length > 1 && title !== undefined) {
      const [low, high] = this.common();
      return [{ title, unit: words[field].slender.unit, low, high }];
    }
    return groups.map((group) => {
      const [low, high] = this.ranges[group];
      const { title: alone, unit } = words[field][group];
      return { title: groups.length > 1 ? ownTitle(group, kinds) : alone, unit, low, high };
    });
  }

  /** How bodies of a kind are colored; null: by name. */
  look(field: Field | null, kind: BodyKind): BodyLook {
    const group = groupOf[kind];
    if (!field || !group) return { field: false, map: 'sequential', low: 0, high: 1 };
    const [low, high] = mixedTitles[field] === undefined ? this.ranges[group] : this.common();
    return { field: true, map: mapOf(field), low, high: high > low ? high : low + 1 };
  }

  private common(): Range {
    const { slender, shell } = this.ranges;
    return [Math.min(slender[0], shell[0]), Math.max(slender[1], shell[1])];
  }
}

/** Where each group has an energy of its own: the units tell that one is per length, one per area. */
function ownTitle(group: Group, kinds: BodyKind[]): string {
  if (group === 'shell') return 'Shells: bending energy';
  const called = { rod: 'Rods', soft: 'Links', vine: 'Vines' } as const;
  const names = (['rod', 'soft', 'vine'] as const).filter((kind) => kinds.includes(kind)).map((kind) => called[kind]);
  const [first, ...others] = names.length > 0 ? names : ['Rods'];
  return `${[first, ...others.map((name) => name.toLowerCase())].join(' and ')}: elastic energy`;
}
