// The page's smaller parts: histories, undo, the catalog's reading, thickness.
import { describe, expect, it } from 'vitest';
import type { DrawingData } from '../src/engine/protocol';
import { sliderScale } from '../src/panels/parameters';
import { matches } from '../src/scenes/catalog';
import { describe as describeScene } from '../src/scenes/describe';
import { History } from '../src/share/history';
import { firstSentence } from '../src/text/firstSentence';
import { Series } from '../src/text/series';
import { tidyNumbers } from '../src/text/troubleWords';
import { colorsByName, mapBytes } from '../src/view/colormap';
import { outgrown, suitableThickness } from '../src/view/thickness';

describe('series', () => {
  it('grows, shows its columns, and goes back', () => {
    const series = new Series(['a', 'b']);
    for (let i = 0; i < 1000; ++i) series.append(Float64Array.from([i * 0.1, i, -i]));
    expect(series.length).toBe(1000);
    expect([...series.column(1)].slice(-2)).toEqual([-998, -999]);
    expect(series.last(0)).toBe(999);
    series.cutAfter(50.05);
    expect(series.length).toBe(501);
    series.append(Float64Array.from([60, 1, 2, 61, 3, 4]));
    expect([...series.times()].slice(-2)).toEqual([60, 61]);
    series.clear();
    expect(series.last(0)).toBeNaN();
  });

  it('writes CSV that reads back exactly', () => {
    const series = new Series(['tip.x']);
    series.append(Float64Array.from([0, 0.1 + 0.2, 1e-3, -1 / 3]));
    const lines = series.csv().trim().split('\n');
    expect(lines[0]).toBe('t,tip.x');
    expect(lines.slice(1).map((line) => line.split(',').map(Number))).toEqual([
      [0, 0.1 + 0.2],
      [1e-3, -1 / 3],
    ]);
  });
});

it('numbers in the words of the solver are shortened', () => {
  expect(tidyNumbers('at t = 0.49000000000000027 s a step of 0.0001 s, 1.23456789e-7 m, 12 of 20')).toBe(
    'at t = 0.49 s a step of 0.0001 s, 1.23457e-7 m, 12 of 20',
  );
  expect(tidyNumbers('took 0.000838 J out, against at most 1.2e-07 J in the motion of 3 Joints')).toBe(
    'took 838 µJ out, against at most 120 nJ in the motion of 3 Joints',
  );
});

it('undo goes back by whole changes, and a slider drag is one', () => {
  const history = new History();
  history.record({ text: 'a', set: {} }, '', 0);
  for (let i = 1; i <= 20; ++i) history.record({ text: 'a', set: { E: i } }, 'E', i * 16);
  history.record({ text: 'a', set: { E: 20, k: 1 } }, 'k', 400);
  expect(history.undo()).toEqual({ text: 'a', set: { E: 20 } });
  expect(history.undo()).toEqual({ text: 'a', set: {} });
  expect(history.undo()).toBeNull();
  expect(history.redo()).toEqual({ text: 'a', set: { E: 20 } });
  history.record({ text: 'b', set: {} }, '', 1000);
  expect(history.canRedo).toBe(false);
});

it('a change that was refused is none', () => {
  const history = new History();
  history.record({ text: 'a', set: {} }, '', 0);
  history.record({ text: 'a', set: { E: -3 } }, 'E', 100);
  history.amend({ text: 'a', set: {} });
  expect(history.canUndo).toBe(false);
  history.record({ text: 'a', set: { E: 2 } }, 'E', 200);
  history.record({ text: 'a', set: { E: 2, r: 0 } }, 'r', 300);
  history.amend({ text: 'a', set: { E: 2 } });
  expect(history.undo()).toEqual({ text: 'a', set: {} });
});

it('sliders reach both ends, and log sliders step by ratios', () => {
  const common = {
    name: 'E',
    label: '',
    unit: 'Pa',
    value: 0,
    hasRange: true,
    live: true,
    derived: false,
    choices: [],
  };
  const log = sliderScale({ ...common, min: 1e5, max: 1e9, step: 0, logarithmic: true });
  expect(log.value(0)).toBe(1e5);
  expect(log.value(log.steps)).toBe(1e9);
  expect(log.value(log.steps / 2)).toBeCloseTo(1e7, -3);
  expect(log.place(1e7)).toBe(log.steps / 2);
  const stepped = sliderScale({ ...common, min: 2, max: 10, step: 2, logarithmic: false });
  expect(stepped.steps).toBe(4);
  expect([0, 1, 2, 3, 4].map(stepped.value)).toEqual([2, 4, 6, 8, 10]);
});

it('the catalog reads titles, first sentences and tags, with comments in the file', () => {
  const text = `{ // a comment
    "title": "Arm", /* "title": "no" */ "description": "A **soft** arm. It bends http://x.y/z. More.",
    "rods": {"arm": {}}, "solver": {"mode": "static"}, "joints": [{}]}`;
  const entry = describeScene('arm', text);
  expect(entry).toMatchObject({ title: 'Arm', sentence: 'A soft arm.', tags: ['rod', 'network', 'static'] });
  expect(matches(entry, 'SOFT static')).toBe(true);
  expect(matches(entry, 'vine')).toBe(false);
  expect(describeScene('broken', '{').title).toBe('broken');
  expect(firstSentence('# Title\n\nOne of E = 2.5 MPa. Two.')).toBe('One of E = 2.5 MPa.');
});

it('bodies keep their colors: copies share one, own colors win', () => {
  const part = (name: string, color = ''): { name: string; color: string } => ({ name, color });
  const [a, b, c, d] = colorsByName([part('leg0'), part('leg1'), part('hub'), part('x', '#3a7')]);
  expect(a).toBe(b);
  expect(a).not.toBe(c);
  expect(d).toBe('#3a7');
  expect(colorsByName([part('x', 'url(evil)')])[0]).toMatch(/^#[0-9a-f]{6}$/);
});

it('color maps rise evenly in lightness', () => {
  const bytes = mapBytes('sequential');
  const light = (i: number): number => 0.2126 * bytes[4 * i] + 0.7152 * bytes[4 * i + 1] + 0.0722 * bytes[4 * i + 2];
  for (let i = 8; i < 256; i += 8) expect(light(i)).toBeGreaterThan(light(i - 8));
});

it('slender rods are thickened by round factors, stout ones never', () => {
  const drawing = (halfAxes: number[], kind: 'rod' | 'shell' = 'rod'): DrawingData => ({
    parts: [
      {
        name: 'a',
        kind,
        firstPoint: 0,
        pointCount: 1,
        color: '',
        label: '',
        opacity: 1,
        hidden: false,
        bodyLength: 0,
        body: 0,
      },
    ],
    halfAxes: Float32Array.from(halfAxes),
    round: new Uint8Array(1),
    segments: new Uint32Array(0),
    triangles: new Uint32Array(0),
    marks: [],
    obstacles: [],
    joints: [],
    tendons: [],
    revision: 1,
  });
  expect(outgrown(4.1, 1) && outgrown(0.24, 1)).toBe(true);
  expect(outgrown(3.9, 1) || outgrown(0.26, 1) || outgrown(0, 1) || outgrown(Number.POSITIVE_INFINITY, 1)).toBe(false);
  expect(suitableThickness(drawing([0.01, 0.01]), 1, false)).toBe(1);
  expect(suitableThickness(drawing([0.002, 0.001]), 1, false)).toBe(3);
  expect(suitableThickness(drawing([1e-6, 1e-6]), 1, false)).toBe(5000);
  expect(suitableThickness(drawing([4.51e-4, 4.51e-4]), 1, false)).toBe(10);
  expect(suitableThickness(drawing([4.49e-4, 4.49e-4]), 1, false)).toBe(20);
  expect(suitableThickness(drawing([1e-3, 1e-3]), 1e6, false)).toBe(5e6);
  expect(suitableThickness(drawing([0, 0]), 1, false)).toBe(1);
  expect(suitableThickness(drawing([1e-6, 1e-6], 'shell'), 1, false)).toBe(1);
  // What may touch something is drawn as it is as long as it can be seen.
  expect(suitableThickness(drawing([0.002, 0.001]), 1, true)).toBe(1);
  expect(suitableThickness(drawing([0.001, 0.001]), 1, true)).toBe(2);
});

it('first sentences keep their formulas as they are', () => {
  expect(firstSentence('Below *the* $P_{cr} = \\pi^2 E*I*L$ it stands. Then not.')).toBe(
    'Below the $P_{cr} = \\pi^2 E*I*L$ it stands.',
  );
});
