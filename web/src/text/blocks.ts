// Markdown's blocks: headings, paragraphs, lists, tables and fenced code, as plain data. What stands inside a line is
// left as it is written, for markdown.ts to show.

export type Block =
  | { kind: 'heading'; level: number; text: string; id: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; language: string; text: string };

const bullet = /^\s*[-*] +(.*)$/;
const numbered = /^\s*\d+\. +(.*)$/;
const heading = /^(#{1,6}) +(.*)$/;
const rule = /^\|[\s:|-]+\|$/;

export function blocks(source: string): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const found: Block[] = [];
  let at = 0;
  let fresh = true;
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim() === '') {
      fresh = true;
      at += 1;
    } else if (line.startsWith('```')) {
      let end = at + 1;
      while (end < lines.length && !lines[end].startsWith('```')) end += 1;
      found.push({ kind: 'code', language: line.slice(3).trim(), text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
      fresh = true;
    } else if (line.startsWith('|') && rule.test((lines[at + 1] ?? '').trim())) {
      let end = at + 2;
      while (end < lines.length && lines[end].startsWith('|')) end += 1;
      found.push({ kind: 'table', head: cells(line), rows: lines.slice(at + 2, end).map(cells) });
      at = end;
      fresh = true;
    } else {
      addLine(found, line, fresh);
      fresh = heading.test(line);
      at += 1;
    }
  }
  return found;
}

/** A line of text: a heading, an item, or more of the block before it unless `fresh`. */
function addLine(found: Block[], line: string, fresh: boolean): void {
  const last = found.at(-1);
  const title = heading.exec(line);
  const item = bullet.exec(line) ?? numbered.exec(line);
  if (title) {
    found.push({ kind: 'heading', level: title[1].length, text: title[2], id: anchor(title[2]) });
  } else if (item) {
    const ordered = !bullet.test(line);
    if (last?.kind === 'list' && last.ordered === ordered) last.items.push(item[1]);
    else found.push({ kind: 'list', ordered, items: [item[1]] });
  } else if (!fresh && last?.kind === 'list') {
    last.items[last.items.length - 1] += ` ${line.trim()}`;
  } else if (!fresh && last?.kind === 'paragraph') {
    last.text += ` ${line.trim()}`;
  } else {
    found.push({ kind: 'paragraph', text: line.trim() });
  }
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));
}

/** The name that links give to a heading. */
export function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
