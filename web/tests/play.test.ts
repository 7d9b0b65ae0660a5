// What a person is told and may do while a scene with keys and obstacles plays: what keys are called, what the hint says,
// how far the view goes back, and what is said of a solver that gave up.
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { repeats } from '../src/panels/troubles';
import { advice, sentence } from '../src/text/troubleWords';
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
  const contradiction =
    'at t = 1.56667 s no step of 1.9e-8 s or more converged: body 19 of vine "v" cannot keep out of obstacle "wall" while the vine grows as prescribed; a "stall" force lets growth give way';

  it('gets general advice only where its words name no key to change', () => {
    expect(advice(contradiction, false)).toBe('');
    expect(advice('body 3 of vine "v" turns too far; let "steer", "curvature" and loads change slower', false)).toBe(
      '',
    );
    expect(advice('body 3 of vine "v" moves too far within this step for contact to be detected', false)).toContain('"dt"');
    expect(advice('no convergence in 20 iterations', true)).toContain('loadSteps');
    expect(advice('body 3 of vine "v" cannot keep out of obstacle "w": there is no room left for it', false)).toBe(
      'Move that obstacle, or let the vine grow less.',
    );
  });

  it('is told of in sentences, and so are warnings', () => {
    expect(sentence('rod "a" folds back at node 6')).toBe('Rod "a" folds back at node 6.');
    expect(sentence('at t = 0.49000000000000027 s what? Nothing!')).toBe('At t = 0.49 s what? Nothing!');
  });

  it('is not told of twice', () => {
    const reason = contradiction.slice(contradiction.indexOf('body'));
    const note = `at t = 1.56 s a step of 0.01 s could not be taken (${reason}) and was cut; further cuts are counted as retries`;
    expect(repeats(sentence(note), contradiction)).toBe(true);
    expect(repeats(note.replace('body 19', 'body 7'), contradiction)).toBe(false);
    expect(repeats('friction of vine "v" obeys the law to 1 %', contradiction)).toBe(false);
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
