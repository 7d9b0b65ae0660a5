// What differs between two texts, as one change: the cursor and the rest of an editor's text stay where they are.

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The shortest single change that makes `after` of `before`; null where they are the same. */
export function differenceOf(before: string, after: string): Change | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) ++from;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) ++same;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** Editors end every line with "\n" alone. */
export function sameLines(one: string, other: string): boolean {
  return one === other || one.replace(/\r\n?/g, '\n') === other.replace(/\r\n?/g, '\n');
}
