// Changes of a scene's text: comments and layout stay. This part comes when the first one is made; see ../share/textEdits.
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { finderIn, writtenAt } from '../scenes/jsonc';

export { withObstacleMoved } from './placeOfObstacle';

/** The text with these parameter values; null if one of the parameters does not stand in it. */
export function withValues(text: string, set: Record<string, number>): string | null {
  let out = text;
  for (const [name, value] of Object.entries(set)) {
    const path = pathOfValue(text, name);
    if (!path) return null;
    out = applyEdits(out, modify(out, path, value, {}));
  }
  return out;
}

/** The values of `shown` that go over into the text `next`: all but those that the text itself gives anew. */
export function keptValues(
  { text, set }: { text: string; set: Record<string, number> },
  next: string,
): Record<string, number> {
  const written = (source: string, name: string): string | null => {
    const path = pathOfValue(source, name);
    const node = path && finderIn(source)(path);
    return node ? writtenAt(source, node) : null;
  };
  return Object.fromEntries(
    Object.entries(set).filter(([name]) => {
      const now = written(next, name);
      return now !== null && now === written(text, name);
    }),
  );
}

/** Of a parameter's own value; null where it has none. */
function pathOfValue(text: string, name: string): JSONPath | null {
  const find = finderIn(text);
  const whole = find(['parameters', name]);
  const path = ['parameters', name, ...(whole?.type === 'object' ? ['value'] : [])];
  return find(path) ? path : null;
}
