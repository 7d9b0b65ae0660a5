// Markdown as page elements: scene descriptions and the guide. Emphasis, code, links, pictures, and formulas between
// dollar signs, in the blocks of blocks.ts. It builds nodes and sets text only, so nothing written can become markup.

import { type Block, blocks } from './blocks';
import { mathPieces } from './math';

/** What a place may add to the plain text: without it links to other pages and pictures are shown as their words. */
export interface Place {
  /** Added to a heading's level; headings of descriptions are all of level 3. */
  shift: number;
  /** Before the names of headings, so that they are no other element's. */
  idPrefix: string;
  /** What a link that is not http(s) does; null: it is not a link. */
  link(target: string): { address: string; open: () => void } | null;
  /** Address of a picture; undefined: its words are shown. */
  picture(target: string): string | undefined;
  /** An element below a fenced text. */
  below(code: { language: string; text: string }): HTMLElement | null;
}

const inline = /(`[^`]+`)|(\$[^$]+\$)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)|(!?\[(?:[^\]`]|`[^`]*`)+\]\([^\s)]+\))/g;

function inlineNodes(text: string, place?: Place): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    nodes.push(inlineNode(match[0], place));
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

function inlineNode(token: string, place?: Place): Node {
  if (token.startsWith('`')) return element('code', [token.slice(1, -1)]);
  if (token.startsWith('$')) return mathNode(token.slice(1, -1));
  if (token.startsWith('**')) return element('strong', inlineNodes(token.slice(2, -2), place));
  if (token.startsWith('*')) return element('em', inlineNodes(token.slice(1, -1), place));
  const picture = token.startsWith('!');
  const close = token.lastIndexOf('](');
  const words = token.slice(picture ? 2 : 1, close);
  const target = token.slice(close + 2, -1);
  return picture ? pictureNode(words, target, place) : linkNode(words, target, place);
}

function linkNode(words: string, target: string, place?: Place): Node {
  const outside = /^https?:\/\//.test(target);
  const inside = outside ? null : place?.link(target);
  if (!outside && !inside) return element('span', inlineNodes(words, place));
  const link = element('a', inlineNodes(words, place)) as HTMLAnchorElement;
  if (inside) {
    link.href = inside.address;
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      inside.open();
    });
  } else {
    link.href = target;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  return link;
}

function pictureNode(words: string, target: string, place?: Place): Node {
  const address = place?.picture(target);
  if (!address) return document.createTextNode(words);
  const image = document.createElement('img');
  image.alt = words;
  image.src = address;
  return image;
}

function mathNode(source: string): HTMLElement {
  const node = element('span', []);
  node.className = 'math';
  for (const { text, shift } of mathPieces(source)) {
    node.append(shift === 'none' ? text : element(shift === 'up' ? 'sup' : 'sub', [text]));
  }
  return node;
}

function element(tag: string, children: (Node | string)[]): HTMLElement {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}

function blockNode(block: Block, place?: Place): HTMLElement {
  switch (block.kind) {
    case 'heading': {
      const level = place ? Math.min(6, block.level + place.shift) : 3;
      const node = element(`h${level}`, inlineNodes(block.text, place));
      if (place) node.id = place.idPrefix + block.id;
      return node;
    }
    case 'paragraph':
      return element('p', inlineNodes(block.text, place));
    case 'list': {
      const items = block.items.map((item) => element('li', inlineNodes(item, place)));
      return element(block.ordered ? 'ol' : 'ul', items);
    }
    case 'table':
      return tableNode(block, place);
    case 'code': {
      const text = element('pre', [element('code', [block.text])]);
      text.tabIndex = 0;
      const below = place?.below(block);
      return below ? element('div', [text, below]) : text;
    }
  }
}

/** In a box that scrolls sideways, since tables are wider than phones. */
function tableNode({ head, rows }: Extract<Block, { kind: 'table' }>, place?: Place): HTMLElement {
  const row = (cells: string[], tag: string): HTMLElement =>
    element(
      'tr',
      cells.map((cell) => element(tag, inlineNodes(cell, place))),
    );
  const titles = row(head, 'th');
  const body = element(
    'tbody',
    rows.map((cells) => row(cells, 'td')),
  );
  const box = element('div', [element('table', [element('thead', [titles]), body])]);
  box.className = 'table-box';
  box.tabIndex = 0;
  return box;
}

export function markdown(text: string, place?: Place): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks(text).map((block) => blockNode(block, place)));
  return fragment;
}
