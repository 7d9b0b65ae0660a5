// The little Markdown that scene descriptions use, as page elements: paragraphs, lists, headings, emphasis, code,
// links, and formulas between dollar signs.
// It builds nodes and sets text only, so nothing in a scene can become markup.

import { flat, mathPieces } from './math';

const inline = /(\$[^$]+\$)|(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)|(\[[^\]]+\]\(https?:\/\/[^\s)]+\))/g;

function inlineNodes(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    nodes.push(inlineNode(match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

function inlineNode(token: string): Node {
  if (token.startsWith('`')) return element('code', token.slice(1, -1));
  if (token.startsWith('$')) return mathNode(token.slice(1, -1));
  if (token.startsWith('**')) return element('strong', token.slice(2, -2));
  if (token.startsWith('*')) return element('em', token.slice(1, -1));
  const close = token.indexOf('](');
  const link = document.createElement('a');
  link.href = token.slice(close + 2, -1);
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.textContent = token.slice(1, close);
  return link;
}

function mathNode(source: string): HTMLElement {
  const node = document.createElement('span');
  node.className = 'math';
  for (const { text, shift } of mathPieces(source)) {
    node.append(shift === 'none' ? text : element(shift === 'up' ? 'sup' : 'sub', text));
  }
  return node;
}

function element(tag: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

export function markdown(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) continue;
    if (lines.every((line) => /^\s*[-*] /.test(line))) {
      const list = document.createElement('ul');
      for (const line of lines) {
        const item = document.createElement('li');
        item.append(...inlineNodes(line.replace(/^\s*[-*] /, '')));
        list.append(item);
      }
      fragment.append(list);
      continue;
    }
    const heading = /^#{1,6}\s+(.*)$/.exec(lines[0]);
    const node = document.createElement(heading ? 'h3' : 'p');
    node.append(...inlineNodes(heading ? heading[1] : lines.join(' ')));
    fragment.append(node);
    if (heading && lines.length > 1) fragment.append(markdown(lines.slice(1).join('\n')));
  }
  return fragment;
}

/** The first sentence without marks, for cards. */
export function firstSentence(text: string): string {
  const plainText = text
    .replace(/^#+ .*$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\$([^$]+)\$/g, (_, formula: string) => flat(formula))
    .replace(/[*`]/g, '')
    .trim()
    .split(/\n\s*\n/)[0]
    .replace(/\s+/g, ' ');
  const end = /[.!?](?=\s+[A-Z])/.exec(plainText);
  return end ? plainText.slice(0, end.index + 1) : plainText;
}
