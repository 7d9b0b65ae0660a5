// What plots make of a scene's columns and of a run's numbers: groups, units, labels, the run before, axes, the cursor.
import type { Column } from '@tendril/engine';
import { describe, expect, it } from 'vitest';
import { PlotCursor } from '../src/panels/plotCursor';
import { axisTexts, axisTitle, rowNear, stackUp, thinned, timeSpan, timeTexts, withGaps } from '../src/text/plotting';
import { groups, linesOf, Series, stackOf } from '../src/text/series';
import { quantity } from '../src/text/units';
import { column } from './fakeEngine';

const namesOf = (looks: Column[]): string[] => looks.map(({ name }) => name);
const energy = (name: string, which: string): Column => column(name, 'J', 'energy', { energy: which });

describe('groups', () => {
  it('columns of a probe share a plot, energies share one', () => {
    const looks = [
      ...['tip.x', 'tip.y', 'tip.z'].map((name) => column(name, 'm', 'position')),
      energy('total', 'total'),
      column('k', ''),
      energy('kinetic', 'kinetic'),
      column('strange', ''),
    ];
    expect(groups(namesOf(looks), looks).map((g) => [g.title, g.members.map((m) => m.label)])).toEqual([
      ['tip', ['x', 'y', 'z']],
      ['k', ['k']],
      ['strange', ['strange']],
      ['Energy', ['total', 'kinetic']],
    ]);
  });

  it('labels stand for names, what is hidden is not there, what is in joules is an energy', () => {
    const looks = [
      ...['tip.x', 'tip.z'].map((name) => column(name, 'm', 'position', { label: 'Tip' })),
      column('sag', 'm', '', { label: 'Sag' }),
      column('help', '', '', { hidden: true }),
      column('turn.x', 'm', 'position', { hidden: true }),
      column('theory', 'J', '', { label: 'Work, in theory' }),
      energy('kinetic', 'kinetic'),
      column('sum', 'm s'),
      column('n', '1'),
      column('clock', '', '', { hidden: true }),
    ];
    const found = groups(namesOf(looks), looks);
    expect(found.map((g) => [g.title, g.unit, g.quantity, g.members.map((m) => m.label)])).toEqual([
      ['Tip', 'm', 'position', ['x', 'z']],
      ['Sag', 'm', '', ['Sag']],
      ['sum', 'm s', '', ['sum']],
      ['n', '1', '', ['n']],
      ['Energy', 'J', 'energy', ['Work, in theory', 'kinetic']],
    ]);
    expect(found[0].members.map(({ index }) => index)).toEqual([0, 1]);
  });

  it('parts of the energy are stacked, once each; totals, gravity and energies of one body are lines', () => {
    const looks = [
      energy('total', 'total'),
      energy('bending', 'hinge'),
      energy('membrane', 'membrane'),
      energy('ofSail', ''),
      energy('gravity', 'gravity'),
      column('tip.x', 'm', 'position'),
      energy('again', 'hinge'),
    ];
    const [group] = groups(namesOf(looks), looks).filter((one) => one.energy);
    const stack = stackOf(group, looks);
    expect(stack.map((i) => group.members[i].label)).toEqual(['membrane', 'bending']);
    const data = group.members.map((_, i) => Float64Array.from([i, 10 * i]));
    const drawn = stackUp(data, stack);
    expect([...drawn[1]]).toEqual([3, 30]);
    expect(drawn.filter((_, i) => i !== 1)).toEqual(data.filter((_, i) => i !== 1));
    expect(stackOf({ ...group, members: group.members.slice(0, 2) }, looks)).toEqual([]);
  });

  it('leave out a coordinate that is nothing but zero beside others', () => {
    const members = ['x', 'y', 'z'].map((label, index) => ({ index, label }));
    const group = { title: 'tip', members, unit: 'm', quantity: 'position', energy: false };
    const zero = new Float64Array(3);
    const moves = Float64Array.of(0, 0, 0.1);
    expect(linesOf(group, [moves, moves, zero])).toEqual([true, true, false]);
    expect(linesOf(group, [zero, zero, zero])).toEqual([true, true, true]);
    const one = new Float64Array(1);
    expect(linesOf(group, [Float64Array.of(1), one, one])).toEqual([true, true, true]);
    const forces = { ...group, members: group.members.map(({ index }) => ({ index, label: `f${index}` })) };
    expect(linesOf(forces, [moves, moves, zero])).toEqual([true, true, true]);
  });
});

describe('the run before', () => {
  const rows = (...values: number[]): Float64Array => Float64Array.from(values.flatMap((v, i) => [i, v]));
  const filled = (now: number, ...values: number[]): Series => {
    const series = new Series(['a'], null, now);
    series.append(rows(...values));
    return series;
  };
  const pastOf = (series: Series): number[] | undefined => series.before?.columns[0] && [...series.before.columns[0]];

  it('is kept when a value was set, whole, and not when the same run starts again', () => {
    const series = filled(0, 1, 2, 3);
    series.startAgain(1000);
    expect(series.before).toBeNull();
    series.append(rows(1, 2, 3));
    series.valuesChanged();
    series.startAgain(2000);
    series.append(rows(4, 5));
    expect(pastOf(series)).toEqual([1, 2, 3]);
    expect(series.length).toBe(2);
    series.startAgain(3000);
    expect(pastOf(series)).toEqual([1, 2, 3]);
  });

  it('is that before a slider began to move, not one of those on the way', () => {
    const series = filled(0, 1, 2, 3);
    for (let i = 0; i < 20; ++i) {
      series.valuesChanged();
      series.startAgain(1000 + 50 * i);
      series.append(rows(10 + i, 20 + i));
    }
    expect(pastOf(series)).toEqual([1, 2, 3]);
  });

  it('goes over to the history of another text of the same columns', () => {
    expect(pastOf(new Series(['a'], filled(0, 1, 2), 1000))).toEqual([1, 2]);
    expect(new Series(['b'], filled(0, 1, 2), 1000).before).toBeNull();
  });

  it('is in the axis of time', () => {
    expect(timeSpan([0], 4)).toEqual([0, 4]);
    expect(timeSpan([], 4)).toEqual([0, 4]);
    expect(timeSpan([0, 0.5, 1], 4)).toEqual([0, 1]);
    expect(timeSpan([0], 4, [0, 1, 3])).toEqual([0, 3]);
  });

  it('is drawn with few points that have its peaks', () => {
    const times = Float64Array.from({ length: 50_000 }, (_, i) => i);
    const values = times.map((t) => (t === 31_234 ? 9 : Math.sin(t)));
    const points = thinned(times, values);
    expect(points.length).toBeLessThanOrEqual(2400);
    expect(points).toContainEqual([31_234, 9]);
    expect(points[0][0]).toBe(0);
    expect(points[points.length - 1][0]).toBe(49_999);
    expect(thinned(times.slice(0, 3), values.slice(0, 3))).toHaveLength(3);
  });
});

it('a line has a gap where there is no number', () => {
  const whole = Float64Array.from([1, 2, 3]);
  expect(withGaps(whole)).toBe(whole);
  expect(withGaps(Float64Array.from([1, Number.NaN, Infinity, 4]))).toEqual([1, null, null, 4]);
});

describe('axes', () => {
  it('say what and in which unit, with a prefix', () => {
    const { ticks, unit } = axisTexts([0, 0.0005, 0.001, 0.0015], 'm');
    expect(ticks).toEqual(['0', '0.5', '1.0', '1.5']);
    expect(axisTitle('position', unit, 20)).toBe('position (mm)');
    expect(axisTexts([-1e6, 0, 1e6], 'Pa')).toEqual({ ticks: ['−1', '0', '1'], unit: 'MPa' });
    expect(axisTexts([0, 10], '1/m').unit).toBe('1/m');
  });

  it('have a power of ten where no prefix fits, so that the numbers stay short', () => {
    expect(axisTexts([0, 2e25, 4e25], 'Pa')).toEqual({ ticks: ['0', '2', '4'], unit: '10²⁵ Pa' });
    expect(axisTexts([-6e23, 0, 6e23], '1')).toEqual({ ticks: ['−6', '0', '6'], unit: '10²³' });
    expect(axisTexts([0, 5e-16, 1e-15], 'm')).toEqual({ ticks: ['0', '0.5', '1.0'], unit: '10⁻¹⁵ m' });
    expect(axisTexts([0, 1e200, 2e200], 'N')).toEqual({ ticks: ['0', '1', '2'], unit: '10²⁰⁰ N' });
    expect(axisTexts([0, 500, 1000], '1/m')).toEqual({ ticks: ['0', '500', '1000'], unit: '1/m' });
  });

  it('of pure numbers have no unit, of long names as much as there is room for', () => {
    expect(axisTitle('ratio', axisTexts([0, 1], '1').unit, 20)).toBe('ratio');
    expect(axisTitle('Force along the rope', 'N', 14)).toBe('(N)');
    expect(axisTitle('Force along the rope', 'N', 8)).toBe('(N)');
    expect(axisTitle('change of position', 'µm', 14, 'change')).toBe('change (µm)');
    expect(axisTitle('change of position', 'µm', 8, 'change')).toBe('(µm)');
    expect(quantity(1.25, '1')).toBe('1.25');
    expect(quantity(0, '1')).toBe('0');
  });

  it('of time are in seconds and below', () => {
    expect(timeTexts([0, 0.1, 0.2])).toEqual({ ticks: ['0', '100', '200'], unit: 'ms' });
    expect(timeTexts([0, 1000, 2000])).toEqual({ ticks: ['0', '1000', '2000'], unit: 's' });
  });
});

describe('the cursor', () => {
  it('is at the nearest row', () => {
    const times = [0, 1, 2, 4];
    expect([-1, 0.4, 0.6, 2.9, 3.1, 9].map((t) => rowNear(times, t))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(rowNear([], 1)).toBe(-1);
    expect(rowNear([5], 1)).toBe(0);
  });

  it('tells where it is put, once, and stays under a pointer whose axis moves', () => {
    const told: (number | null)[] = [];
    const cursor = new PlotCursor((time) => told.push(time));
    let scale = 1;
    const plot = { timeAt: (x: number) => x * scale };
    cursor.point(plot, 3);
    cursor.point(plot, 3);
    scale = 2;
    cursor.follow();
    expect(cursor.time).toBe(6);
    cursor.keep();
    scale = 5;
    cursor.follow();
    expect(cursor.time).toBe(6);
    cursor.set(null);
    expect(told).toEqual([3, 6, null]);
  });
});
