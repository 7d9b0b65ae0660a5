// What a person is told and may do while a scene with keys and obstacles plays: what keys are called, what the hint says,
// how far the view goes back, and what is said of a solver that gave up.
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import type { EngineClient } from '../src/engine/client';
import type { Messages } from '../src/panels/messages';
import type { Transport } from '../src/panels/transport';
import { Troubles } from '../src/panels/troubles';
import { sentence } from '../src/text/troubleWords';
import { padKey } from '../src/ui/padWords';
import { hintWords, obstacleWords } from '../src/view/fields';
import { distanceFor } from '../src/view/framing';

describe('keys that play', () => {
  const parameters = [
    { name: 'grow', label: 'Growth', unit: 'm/s' },
    { name: 'turn', label: 'Turn (1 is left)', unit: '' },
    { name: 'tilt', label: '', unit: 'rad' },
  ];
  const bindings = { space: { grow: 0.12 }, left: { turn: 1 }, right: { turn: -1 }, down: { grow: -0.1 } };
  const keys = (['space', 'left', 'right', 'down'] as const).map((key) => padKey(key, bindings, parameters));

  it('are called by what they do', () => {
    expect(keys.map(({ action }) => action)).toEqual(['Growth', 'Turn left', 'Turn right', 'Growth backwards']);
    expect(keys[0]).toMatchObject({ cap: 'Space', called: 'space bar', values: 'Growth = 120 mm/s' });
    expect([keys[1].values, keys[2].values]).toEqual(['Turn (1 is left) = 1', 'Turn (1 is left) = −1']);
    const both = { up: { tilt: 1 }, down: { tilt: -1 } };
    expect([padKey('up', both, parameters).action, padKey('down', both, parameters).action]).toEqual([
      'tilt up',
      'tilt down',
    ]);
  });

  it('are in the hint with what each does; fingers get the buttons instead', () => {
    expect(hintWords(['vine'], keys)).toBe('hold Space: Growth, ←: Turn left, →: Turn right, ↓: Growth backwards');
    expect(hintWords(['vine'], keys, true)).toBe('hold Growth, Turn left, Turn right, Growth backwards');
    expect(hintWords(['vine'])).toBe('drag a vine to pull it');
  });
});

describe('obstacles', () => {
  it('are said to be draggable when they are, and what that costs', () => {
    expect(obstacleWords(['vine'], true, 'start')).toBe('drag obstacles');
    expect(obstacleWords(['vine'], true, 'playing')).toBe('pause to drag obstacles');
    expect(obstacleWords(['vine'], true, 'within')).toBe('drag an obstacle: the run starts again');
    expect(obstacleWords(['rod'], true, 'within')).toBe('drag an obstacle: the run starts again');
    expect(obstacleWords(['rod'], true, 'playing')).toBe('');
    expect(obstacleWords(['vine'], false, 'within')).toBe('');
  });
});

describe('a solver that gave up', () => {
  it('is told of in sentences, and so are warnings', () => {
    expect(sentence('rod "a" folds back at node 6')).toBe('Rod "a" folds back at node 6.');
    expect(sentence('at t = 0.49000000000000027 s what? Nothing!')).toBe('At t = 0.49 s what? Nothing!');
  });
});

describe('notes on cut steps', () => {
  it('go where the solver gives up for the same reason', () => {
    const listeners = new Map<string, (reply: object) => void>();
    const client = { on: (type: string, listener: (reply: object) => void) => listeners.set(type, listener) };
    const notes = new Set<string>();
    const messages = {
      note: (text: string) => notes.add(text),
      unsay: (needless: (text: string) => boolean) => {
        for (const text of [...notes].filter(needless)) notes.delete(text);
      },
      keep: () => undefined,
    };
    new Troubles(
      client as unknown as EngineClient,
      messages as unknown as Messages,
      { mark: () => undefined } as unknown as Transport,
      { info: () => null, openText: () => undefined },
    );
    const gaveUp = { time: 2, message: 'no', words: 'No.' };
    listeners.get('retried')?.({ time: 1, count: 1, messages: ['A step was cut.', 'A wind blows.'] });
    listeners.get('gaveUp')?.({ ...gaveUp, repeats: '' });
    expect([...notes]).toEqual(['A step was cut.', 'A wind blows.']);
    listeners.get('gaveUp')?.({ ...gaveUp, repeats: 'A step was cut.' });
    expect([...notes]).toEqual(['A wind blows.']);
  });
});

describe('showing everything', () => {
  it('goes as near as it can along the present direction', () => {
    const box = new THREE.Box3(new THREE.Vector3(-2, -1, 0), new THREE.Vector3(2, 1, 1));
    const fromAbove = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
    // From above the top, half a meter over the middle, is the nearest that must be seen.
    expect(distanceFor(box, fromAbove, [0.5, 0.5])).toBeCloseTo(0.5 + 2 / 0.5);
    expect(distanceFor(box, fromAbove, [2, 0.5])).toBeCloseTo(0.5 + 1 / 0.5);
  });
});
