// Dragged obstacles and what a person is writing: the drag goes into the editor's text, or is refused with words.
import type { Problem } from '@tendril/engine';
import { beforeEach, expect, test } from 'vitest';
import { ObstacleMoves } from '../src/share/obstacleMoves';
import { differenceOf } from '../src/text/difference';

const shown = '{"parameters": {"E": 1, "n": 4}, "obstacles": {"post": {"sphere": {"center": [0.5, 0, 0]}}}}';
const moved = shown.replace('0.5', '0.6');
const state = { written: shown, said: [] as string[], loads: [] as unknown[], put: 0, checked: [] as string[] };
let moves: ObstacleMoves;

beforeEach(() => {
  Object.assign(state, { written: shown, said: [], loads: [], put: 0, checked: [] });
  moves = new ObstacleMoves({
    written: () => state.written,
    shown: () => ({ text: shown, set: { E: 2, n: 5 } }),
    validate: (text) => state.checked.push(text),
    load: (...what) => state.loads.push(what),
    say: (words) => state.said.push(words),
    putBack: () => ++state.put,
  });
});

const drag = () => moves.move('post', [0.1, 0, 0], 1e-3);

test('a drag in the text on screen is loaded at once', async () => {
  await drag();
  expect(state.loads).toEqual([
    [
      { text: moved, set: { E: 2, n: 5 } },
      { obstacle: 'post', before: shown },
    ],
  ]);
  expect(state.checked).toEqual([]);
});

test('what is written and not run yet goes along, with the values that it gives', async () => {
  state.written = `${shown.replace('"n": 4', '"n": 7')} // my note`;
  await drag();
  expect(state.loads).toEqual([]);
  await moves.checked(99, []);
  expect(state.loads).toEqual([]);
  await moves.checked(1, []);
  const text = state.written.replace('0.5', '0.6');
  expect(text).toContain('my note');
  expect(state.loads).toEqual([
    [
      { text, set: { E: 2 } },
      { obstacle: 'post', before: state.written },
    ],
  ]);
  expect(state.put).toBe(0);
});

test('a text that cannot run stays as it is, the obstacle goes back, and the words say why', async () => {
  state.written = `${shown},`;
  await drag();
  await moves.checked(1, [{ line: 1, message: 'expected the end of the text' } as Problem]);
  expect(state.loads).toEqual([]);
  expect(state.put).toBe(1);
  expect(state.said).toEqual([
    '"post" stays where it was. Line 1 of the text cannot run: expected the end of the text.',
  ]);
  await moves.checked(1, []);
  expect(state.loads).toEqual([]);
});

test('a formula is refused with its words', async () => {
  state.written = shown.replace('0.5', '"=E"');
  await drag();
  await moves.checked(1, []);
  expect(state.put).toBe(1);
  expect(state.said[0]).toContain('is a formula');
});

test('a drag that cannot be written goes back at once', async () => {
  await moves.move('none', [0.1, 0, 0], 1e-3);
  await moves.move('post', [1e-4, 0, 0], 1e-3);
  expect(state.loads).toEqual([]);
  expect(state.put).toBe(2);
  expect(state.said).toHaveLength(1);
});

test('two texts differ by one short change', () => {
  expect(differenceOf(shown, shown)).toBeNull();
  expect(differenceOf('a [0.5] b', 'a [0.61] b')).toEqual({ from: 5, to: 6, insert: '61' });
  expect(differenceOf('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
  expect(differenceOf('aaa', 'a')).toEqual({ from: 1, to: 3, insert: '' });
});
