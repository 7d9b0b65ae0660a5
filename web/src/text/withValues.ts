// A scene's text with parameter values written into it: what a person set with sliders goes along with the file, and
// comments and layout stay.

interface Range {
  from: number;
  to: number;
}

/** The text with these values; null if one of the parameters does not stand in it. */
export function withValues(text: string, set: Record<string, number>): string | null {
  const edits: { range: Range; value: number }[] = [];
  for (const [name, value] of Object.entries(set)) {
    const range = find(text, ['parameters', name]);
    if (!range) return null;
    const inside = text[range.from] === '{' ? find(text, ['parameters', name, 'value']) : range;
    if (!inside) return null;
    edits.push({ range: inside, value });
  }
  edits.sort((a, b) => b.range.from - a.range.from);
  let out = text;
  for (const { range, value } of edits) out = out.slice(0, range.from) + String(value) + out.slice(range.to);
  return out;
}

const token = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"/]+/y;

/** Where the value at a path of keys stands; null if it does not. The text is one that the engine has loaded. */
export function find(text: string, path: string[]): Range | null {
  let at = 0;
  let start = 0;
  const next = (): string | null => {
    for (;;) {
      token.lastIndex = at;
      const match = token.exec(text);
      if (!match) return null;
      start = at;
      at = token.lastIndex;
      if (!/^(\s|\/\/|\/\*)/.test(match[0])) return match[0];
    }
  };
  /** Reads a value whose first token is given, and returns where it ends. */
  const skip = (first: string): number => {
    let depth = /[{[]/.test(first) && first.length === 1 ? 1 : 0;
    while (depth > 0) {
      const read = next();
      if (read === null) break;
      if (read === '{' || read === '[') depth += 1;
      if (read === '}' || read === ']') depth -= 1;
    }
    return at;
  };
  let keys = path;
  let first = next();
  while (first === '{' && keys.length > 0) {
    let key = next();
    let reached = false;
    while (key !== null && key !== '}') {
      if (key === ',') {
        key = next();
        continue;
      }
      if (next() !== ':') return null;
      first = next();
      if (first === null) return null;
      if (JSON.parse(key) === keys[0]) {
        reached = true;
        break;
      }
      skip(first);
      key = next();
    }
    if (!reached) return null;
    keys = keys.slice(1);
  }
  if (first === null || keys.length > 0) return null;
  const from = start;
  return { from, to: skip(first) };
}
