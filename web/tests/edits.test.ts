import type { Parameter } from '@tendril/engine';
import { beforeEach, expect, test, vi } from 'vitest';
import { Edits } from '../src/share/edits';
import type { Version } from '../src/share/history';

const text = '{"parameters": {"E": {"value": 1}, "n": {"value": 4}}}';
const parameters = [
  { name: 'E', value: 1, live: true },
  { name: 'n', value: 4, live: false },
] as Parameter[];
const told: unknown[] = [];
const loads: Version[] = [];
const can = { undo: false, redo: false };
let frames: (() => void)[] = [];
let edits: Edits;

const drawFrame = () => {
  const due = frames;
  frames = [];
  for (const frame of due) frame();
};

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  told.length = loads.length = frames.length = 0;
  edits = new Edits({
    send: (...what) => told.push(what),
    load: (version) => loads.push(version),
    changed: (undo, redo) => Object.assign(can, { undo, redo }),
  });
  edits.loaded({ text, set: {} }, parameters, false);
});

test('a drag is sent once per drawn frame, with its newest value, and is in the text that is taken along', async () => {
  edits.change('E', 2);
  edits.change('E', 3);
  edits.change('n', 6);
  expect(told).toEqual([]);
  drawFrame();
  expect(told).toEqual([
    ['E', 3, true],
    ['n', 6, false],
  ]);
  expect(edits.set).toEqual({ E: 3, n: 6 });
  expect(edits.own('E')).toBe(3);
  expect(JSON.parse(await edits.asSet()).parameters.E.value).toBe(3);
});

test('undo sets values back without a load, and redo sets them again', () => {
  edits.change('E', 2);
  drawFrame();
  edits.parameters = [{ ...parameters[0], value: 2 }, parameters[1]];
  expect(can).toEqual({ undo: true, redo: false });
  edits.undo();
  expect(told).toEqual([
    ['E', 2, true],
    ['E', 1, true],
  ]);
  expect(edits.set).toEqual({});
  expect(can).toEqual({ undo: false, redo: true });
  edits.parameters = parameters;
  edits.redo();
  expect(told.at(-1)).toEqual(['E', 2, true]);
  expect(loads).toEqual([]);
});

test('undo of another text loads it', () => {
  edits.loaded({ text: '{}', set: {} }, [], false);
  edits.undo();
  expect(loads).toEqual([{ text, set: {} }]);
  expect(told).toEqual([]);
});

test('a refused value leaves no trace', async () => {
  edits.change('E', -1);
  drawFrame();
  expect(edits.forget('E', -1)).toBe(true);
  expect(edits.set).toEqual({});
  expect(await edits.asSet()).toBe(text);
  expect(can).toEqual({ undo: false, redo: false });
});

test('a refusal that comes when another value is wanted takes nothing back', () => {
  edits.change('E', -1);
  drawFrame();
  edits.change('E', 2);
  drawFrame();
  expect(edits.forget('E', -1)).toBe(false);
  expect(edits.set).toEqual({ E: 2 });
  expect(can.undo).toBe(true);
});

test('undo takes back a value that the run does not have yet, sent or not', () => {
  edits.change('E', 2);
  edits.undo();
  drawFrame();
  expect(told.at(-1)).toEqual(['E', 1, true]);
  expect(edits.set).toEqual({});
  edits.redo();
  edits.undo();
  drawFrame();
  expect(told.at(-1)).toEqual(['E', 1, true]);
  expect(edits.set).toEqual({});
});

test('a slider that is held is one step of the history, however long it rests', () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let now = 0;
  edits.change('E', 2);
  now = 5000;
  edits.change('E', 3, true);
  now = 10_000;
  edits.change('E', 4, true);
  now = 15_000;
  edits.change('E', 5);
  edits.undo();
  expect(edits.set).toEqual({ E: 4 });
  edits.undo();
  expect(edits.set).toEqual({});
  vi.restoreAllMocks();
});

test('undo of a drag leaves what was written before it', () => {
  const written = `${text} // my note`;
  const moved = `${text} // my note, moved`;
  edits.loaded({ text: moved, set: {} }, parameters, false, written);
  edits.undo();
  expect(loads).toEqual([{ text: written, set: {} }]);
  edits.loaded(loads[0], parameters, true);
  edits.undo();
  expect(loads[1]).toEqual({ text, set: {} });
});

test("the editor's own undo and redo go along with a drag, and with nothing else", () => {
  const moved = `${text} // moved`;
  edits.loaded({ text: moved, set: {} }, parameters, false, text);
  edits.follow('something else', text);
  edits.follow(moved, 'something else');
  expect(loads).toEqual([]);
  edits.follow(moved, text);
  expect(loads).toEqual([{ text, set: {} }]);
  edits.loaded(loads[0], parameters, true);
  edits.follow(text, moved);
  expect(loads[1].text).toBe(moved);
  edits.loaded(loads[1], parameters, true);
  edits.loaded({ text: '{}', set: {} }, [], false);
  edits.follow('{}', moved);
  expect(loads).toHaveLength(2);
});
