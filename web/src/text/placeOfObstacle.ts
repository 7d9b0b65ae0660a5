// A scene's text with an obstacle at another place: the numbers of its center or ends change, comments and layout stay.
// What is a formula stays one: a place that follows from something else is refused, with words that say where.
import { applyEdits, type Edit } from 'jsonc-parser';
import { finderIn, writtenAt } from '../scenes/jsonc';

export type Moved = { text: string } | { refused: string };

/** The keys of the points of each shape. */
const pointsOf: Record<string, string[]> = {
  sphere: ['center'],
  box: ['center'],
  capsule: ['from', 'to'],
  cylinder: ['from', 'to'],
};
const axes = ['x', 'y', 'z'];

/** `offset` [m]; what is smaller than `least` counts as nothing, and places are rounded to it. */
export function withObstacleMoved(text: string, name: string, offset: number[], least: number): Moved {
  const find = finderIn(text);
  const own = ['obstacles', name];
  if (!find(own)) {
    return {
      refused: `"${name}" does not stand in the scene's text by itself: it comes from a "repeat" or "defaults".`,
    };
  }
  const shape = Object.keys(pointsOf).find((kind) => find([...own, kind]));
  if (!shape) return { refused: `"${name}" has no center that could be moved.` };
  const edits: Edit[] = [];
  for (const key of pointsOf[shape]) {
    const point = find([...own, shape, key]);
    const where = `"${key}" of "${name}"`;
    if (!point) return { refused: `${where} does not stand in the scene's text: it comes from "defaults".` };
    const items = point.type === 'array' ? point.children : undefined;
    if (items?.length !== 3) {
      return { refused: `${where} is a formula: ${writtenAt(text, point)}. Change it in the text.` };
    }
    for (let c = 0; c < 3; ++c) {
      if (Math.abs(offset[c]) < least) continue;
      const written = writtenAt(text, items[c]);
      if (items[c].type !== 'number') {
        return {
          refused: `The ${axes[c]} of ${where} is a formula: ${written}. Change it, or its parameter, in the text.`,
        };
      }
      const { offset: at, length } = items[c];
      edits.push({ offset: at, length, content: rounded(Number(written) + offset[c], least) });
    }
  }
  return { text: applyEdits(text, edits) };
}

function rounded(value: number, least: number): string {
  const decimals = Math.min(Math.max(0, Math.ceil(-Math.log10(least) - 1e-9)), 12);
  return String(Number(value.toFixed(decimals)));
}
