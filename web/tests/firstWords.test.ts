// What stands above the sliders and what comes after a run: what to try, and where to go on.
import type { Parameter } from '@tendril/engine';
import { describe, expect, it } from 'vitest';
import { catalog, nextScenes } from '../src/scenes/catalog';
import { parseJsonc } from '../src/scenes/jsonc';
import { tries } from '../src/text/tries';
import { sceneFile } from './sceneFile';

const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  label: name,
  unit: '',
  value: 1,
  min: 0,
  max: 4,
  step: 0,
  hasRange: true,
  logarithmic: false,
  live: true,
  derived: false,
  choices: [],
  ...more,
});
describe('what to try', () => {
  const of = (parameters: Parameter[], view: object) => tries({ parameters, view: view as never });

  it('is what the scene says of parameters that can be set', () => {
    const parameters = [
      parameter('E', { label: "Young's modulus", unit: 'Pa' }),
      parameter('ball', { label: 'Ball', choices: [{ label: 'away', value: 0 }] }),
      parameter('half', { derived: true }),
    ];
    expect(of(parameters, { try: { 'Make it softer': { E: 1e5 }, 'Let go': { ball: 0, half: 2, none: 3 } } })).toEqual([
      { words: 'Make it softer', values: "Young's modulus: 100 kPa", set: { E: 1e5 } },
      { words: 'Let go', values: 'Ball: away', set: { ball: 0 } },
    ]);
    expect(of(parameters, {})).toEqual([]);
  });

  interface Written {
    min?: unknown;
    max?: unknown;
    choices?: unknown[] | Record<string, unknown>;
  }
  it.each(catalog.map(({ id }) => id))('%s says what its sliders and menus take', (id) => {
    const scene = parseJsonc(sceneFile(id)) as {
      parameters?: Record<string, Written>;
      view?: { try?: Record<string, Record<string, number>> };
    };
    for (const [words, set] of Object.entries(scene.view?.try ?? {})) {
      expect(words.length).toBeLessThan(50);
      for (const [name, value] of Object.entries(set)) {
        const { min, max, choices } = scene.parameters?.[name] ?? {};
        if (choices) expect(Object.values(choices)).toContain(value);
        else if (typeof min === 'number' && typeof max === 'number')
          expect(min <= value && value <= max, `${words}: ${name}`).toBe(true);
        else expect(typeof min, `${words}: ${name}`).toBe('string');
      }
    }
  });
});

describe('scenes to go on with', () => {
  it('are two of the same chapter and the first of the next', () => {
    expect(nextScenes('cantilever').map(({ id }) => id)).toEqual(['cantilever-figure', 'elastica-tip-load', 'pluck']);
    expect(nextScenes('feedback').map(({ id }) => id)).toEqual(['tentacle', 'pneunet', 'l-frame']);
  });

  it.each(catalog.map(({ id }) => id))('%s has three', (id) => {
    const next = nextScenes(id).map((entry) => entry.id);
    expect(next).toHaveLength(3);
    expect(new Set([id, ...next]).size).toBe(4);
  });
});
