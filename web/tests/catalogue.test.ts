// The gallery's order: every scene file has its place in the course, once.
import { expect, it } from 'vitest';
import { catalogue, chapters, openingScene } from '../src/scenes/catalogue';
import { course, firstScene } from '../src/scenes/course';
import { parseJsonc } from '../src/scenes/jsonc';
import { flat } from '../src/text/math';

const named = course.flatMap(({ scenes }) => scenes);

it('every scene file is in the course', () => {
  expect(catalogue.length).toBeGreaterThan(20);
  expect(catalogue.map(({ id }) => id).filter((id) => !named.includes(id))).toEqual([]);
  expect(chapters().map(({ title }) => title)).not.toContain('More');
});

it('no scene is named twice, and the chapters leave out only names without a file', () => {
  expect(named.filter((id, i) => named.indexOf(id) !== i)).toEqual([]);
  const shown = chapters().flatMap(({ entries }) => entries);
  expect(shown).toHaveLength(catalogue.length);
});

it('the opening scene exists', () => expect(openingScene()?.id).toBe(firstScene));

it.each(catalogue.map(({ id, text }) => ({ id, text })))(
  '$id: every formula of its description can be shown',
  ({ text }) => {
    const { description } = parseJsonc(text) as { description: string };
    const formulas = [...description.matchAll(/\$([^$\n]+)\$/g)].map(([, formula]) => flat(formula));
    expect(formulas.filter((shown) => shown.includes('\\'))).toEqual([]);
  },
);
