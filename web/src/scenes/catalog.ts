// The gallery's index: every scene file of the project, its title, first sentence and tags, grouped as a course goes.
import { index } from 'virtual:scene-index';
import { course } from './course';
import type { Entry } from './describe';

export { cardOf, noScenes, pictureOf, sectionOf, smallCardOf } from './cards';
export type { Entry };

export interface Chapter {
  title: string;
  entries: Entry[];
}

export const catalog: Entry[] = [...index].sort((a, b) => a.title.localeCompare(b.title));

export function findScene(id: string): Entry | undefined {
  return catalog.find((entry) => entry.id === id);
}

export function chapters(): Chapter[] {
  const left = new Set(catalog);
  const list: Chapter[] = [];
  const named = new Set(course.flatMap(({ scenes }) => scenes));
  for (const { title, scenes, rest } of course) {
    const entries = scenes.map(findScene).filter((entry) => entry !== undefined);
    if (rest) entries.push(...catalog.filter(({ id, tags }) => !named.has(id) && tags.includes(rest)));
    for (const entry of entries) left.delete(entry);
    if (entries.length > 0) list.push({ title, entries });
  }
  if (left.size > 0) list.push({ title: 'More', entries: [...left] });
  return list;
}

/** Three to go on with: two of the same chapter, and the first of the next. */
export function nextScenes(id: string): Entry[] {
  const list = chapters();
  const here = list.findIndex(({ entries }) => entries.some((entry) => entry.id === id));
  if (here < 0) return [];
  const { entries } = list[here];
  const at = entries.findIndex((entry) => entry.id === id);
  const same = [...entries.slice(at + 1), ...entries.slice(0, at)].slice(0, 2);
  const onward = list.slice(here + 1).concat(list.slice(0, here));
  return [...same, ...onward.map((chapter) => chapter.entries[0])].slice(0, 3);
}

/** True if every word of `query` occurs in the entry. */
export function matches(entry: Entry, query: string): boolean {
  const hay = `${entry.id} ${entry.title} ${entry.sentence} ${entry.tags.join(' ')}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}
