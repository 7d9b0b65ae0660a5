// The gallery's order: every scene file has its place in the course, once.

import { names } from 'virtual:scene-names';
import { expect, it } from 'vitest';
import { catalog, chapters } from '../src/scenes/catalog';
import { course, firstScene } from '../src/scenes/course';
import { describe } from '../src/scenes/describe';
import { parseJsonc } from '../src/scenes/jsonc';
import { markupOf } from '../src/text/mathml';
import { sceneFile } from './sceneFile';

const named = course.flatMap(({ scenes }) => scenes);

it('every scene file is in the course, by its name or its tag', () => {
  expect(catalog.length).toBeGreaterThan(20);
  const tags = course.map(({ rest }) => rest).filter((tag) => tag !== undefined);
  const lost = catalog.filter(({ id, tags: own }) => !named.includes(id) && !own.some((tag) => tags.includes(tag)));
  expect(lost.map(({ id }) => id)).toEqual([]);
  expect(chapters().map(({ title }) => title)).not.toContain('More');
});

it('every name in the course is a scene file, named once', () => {
  expect(named.filter((id, i) => named.indexOf(id) !== i)).toEqual([]);
  const ids = catalog.map(({ id }) => id);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  const shown = chapters().flatMap(({ entries }) => entries);
  expect(shown).toHaveLength(catalog.length);
});

it('the opening scene exists', () => expect(names).toContain(firstScene));

it('the names that the first script has are those of the index', () => {
  expect([...names].sort()).toEqual(catalog.map(({ id }) => id).sort());
});

it('linkages and their tendons have tags', () => {
  const tagsOf = (linkages: object): string[] => describe('x', JSON.stringify({ linkages })).tags;
  expect(tagsOf({ arm: { links: {} } })).toEqual(['linkage', 'dynamic']);
  expect(tagsOf({ arm: { links: {}, cables: { c1: {} } } })).toEqual(['linkage', 'tendons', 'dynamic']);
});

it('feedback is what measures and acts, not what adds up', () => {
  const tagsOf = (rate: string, torque: string): string[] =>
    describe('x', JSON.stringify({ states: { I: { rate } }, probes: { tip: {} }, loads: [{ torque }] })).tags;
  expect(tagsOf('=1 - tip.z', '=3*I')).toContain('feedback');
  expect(tagsOf('=1 - tip.z', '=3*In')).not.toContain('feedback');
  expect(tagsOf('=2*pi', '=3*I')).not.toContain('feedback');
});

it.each(names.map((id) => ({ id, text: sceneFile(id) })))(
  '$id: every formula of its description can be shown',
  ({ text }) => {
    const { description } = parseJsonc(text) as { description: string };
    const formulas = [...description.matchAll(/\$([^$\n]+)\$/g)].map(([, formula]) => formula);
    expect(formulas.filter((formula) => markupOf(formula, false) === '')).toEqual([]);
  },
);
