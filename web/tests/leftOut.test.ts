// What becomes of values that were set: those that stay when another text runs, and the words for those that cannot.
import type { Parameter } from '@tendril/engine';
import { describe, expect, it } from 'vitest';
import { beyondWords, leftOutWords, nearest } from '../src/text/leftOut';
import { keptValues } from '../src/text/textEdits';

const parameter = (name: string, derived = false): Parameter => ({ name, derived, unit: 'Pa' }) as Parameter;

describe('values that were set', () => {
  const text = '{"parameters": {"E": {"value": 1e6, "min": 0}, "n": 4, "w": {"value": 2}}}';
  const shown = { text, set: { E: 3e6, n: 5, w: 7 } };

  it('stay when an edited text runs', () => {
    expect(keptValues(shown, `${text} // note`)).toEqual(shown.set);
    expect(keptValues(shown, text.replace('"min": 0', '"min": 1, "label": "E"'))).toEqual(shown.set);
  });

  it('go where the text gives the parameter another value, or has it no longer', () => {
    expect(keptValues(shown, text.replace('1e6', '2e6').replace('"n": 4', '"m": 4'))).toEqual({ w: 7 });
    expect(keptValues(shown, '{"parameters": ')).toEqual({});
  });
});

describe('words for values that are left out', () => {
  it('name the value, why, and what there is', () => {
    const left = [
      { name: 'E', value: -2e6, known: true, message: 'youngs must be greater than 0 Pa' },
      { name: 'zz', value: 5, known: false, message: '' },
      { name: 'EI', value: 5, known: false, message: '' },
    ];
    const words = leftOutWords(left, [parameter('E'), parameter('r'), parameter('L'), parameter('EI', true)]);
    expect(words).toBe(
      '"E" cannot be −2 MPa: youngs must be greater than 0 Pa. There is no parameter "zz". "EI" follows from other parameters. The scene has "E", "r" and "L".',
    );
    expect(leftOutWords(left.slice(0, 1), [])).not.toMatch(/has/);
    expect(leftOutWords(left.slice(1, 2), [])).toBe('There is no parameter "zz". The scene has no parameters.');
  });
});

describe('words for values beyond their sliders', () => {
  const slider = { name: 'r', unit: 'm', min: 5e-4, max: 2e-3, choices: [] as Parameter['choices'] } as Parameter;
  const bare = { name: 'L', unit: 'm', choices: [] as Parameter['choices'] } as Parameter;
  const choices = [15, 30, 60].map((value) => ({ label: String(value), value }));
  const choice = { name: 'n', unit: '', choices } as Parameter;

  it('name the value and where the slider goes', () => {
    const words = 'The link sets "r" to 1 Gm; its slider goes from 500 µm to 2 mm.';
    expect(beyondWords({ r: 1e9, L: 1e9 }, [slider, bare])).toBe(words);
    expect(beyondWords({ n: 7 }, [choice])).toBe('The link sets "n" to 7; its choices are 15, 30 and 60.');
    expect(beyondWords({ r: 4e-4 }, [slider])).toMatch(/400 µm/);
  });

  it('are none for values within, and where there is no slider', () => {
    expect(beyondWords({ r: 2e-3 }, [slider])).toBe('');
    expect(beyondWords({ r: 5e-4, L: 1e9 }, [slider, bare])).toBe('');
    expect(beyondWords({ n: 30 }, [choice])).toBe('');
    expect(beyondWords({}, [slider])).toBe('');
  });
});

describe('the nearest name', () => {
  it('is one with few other letters, or one that has it within', () => {
    const names = ['cantilever', 'cantilever-figure', 'vine-maze', 'pluck'];
    expect(nearest('Cantilver', names)).toBe('cantilever');
    expect(nearest('maze', names)).toBe('vine-maze');
    expect(nearest('nosuch', names)).toBeNull();
    expect(nearest('x', [])).toBeNull();
  });
});
