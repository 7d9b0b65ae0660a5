// A scene's text with an obstacle at another place: the numbers of its center or ends change, comments and layout stay.
// What is a formula stays one: a place that follows from something else is refused, with words that say where.
import { find } from './withValues';

export type Moved = { text: string } | { refused: string };

/** The keys of the points of each shape. */
const pointsOf: Record<string, string[]> = {
  sphere: ['center'],
  box: ['center'],
  capsule: ['from', 'to'],
  cylinder: ['from', 'to'],
};
const axes = ['x', 'y', 'z'];
const plainNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

interface Edit {
  from: number;
  to: number;
  value: string;
}

/** `offset` [m]; what is smaller than `least` counts as nothing, and places are rounded to it. */
export function withObstacleMoved(text: string, name: string, offset: number[], least: number): Moved {
  const own = ['obstacles', name];
  if (!find(text, own)) {
    return {
      refused: `"${name}" does not stand in the scene's text by itself: it comes from a "repeat" or "defaults".`,
    };
  }
  const shape = Object.keys(pointsOf).find((kind) => find(text, [...own, kind]));
  if (!shape) return { refused: `"${name}" has no center that could be moved.` };
  const edits: Edit[] = [];
  for (const key of pointsOf[shape]) {
    const range = find(text, [...own, shape, key]);
    const where = `"${key}" of "${name}"`;
    if (!range) return { refused: `${where} does not stand in the scene's text: it comes from "defaults".` };
    const items = itemsOf(text, range.from, range.to);
    if (items?.length !== 3) {
      return { refused: `${where} is a formula: ${text.slice(range.from, range.to)}. Change it in the text.` };
    }
    for (let c = 0; c < 3; ++c) {
      if (Math.abs(offset[c]) < least) continue;
      const { from, to } = items[c];
      const written = text.slice(from, to);
      if (!plainNumber.test(written)) {
        return {
          refused: `The ${axes[c]} of ${where} is a formula: ${written}. Change it, or its parameter, in the text.`,
        };
      }
      edits.push({ from, to, value: rounded(Number(written) + offset[c], least) });
    }
  }
  edits.sort((a, b) => b.from - a.from);
  let out = text;
  for (const { from, to, value } of edits) out = out.slice(0, from) + value + out.slice(to);
  return { text: out };
}

function rounded(value: number, least: number): string {
  const decimals = Math.min(Math.max(0, Math.ceil(-Math.log10(least) - 1e-9)), 12);
  return String(Number(value.toFixed(decimals)));
}

/** Where the items of a list of numbers and texts stand; null where there is no such list. */
function itemsOf(text: string, from: number, to: number): { from: number; to: number }[] | null {
  if (text[from] !== '[') return null;
  const items: { from: number; to: number }[] = [];
  const token = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,|("(?:[^"\\\n]|\\.)*"|[^\s{}[\],:"/]+)/y;
  token.lastIndex = from + 1;
  while (token.lastIndex < to - 1) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (!match) return null;
    if (match[1] !== undefined) items.push({ from: start, to: token.lastIndex });
  }
  return items;
}
