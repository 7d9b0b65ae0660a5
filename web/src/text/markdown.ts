// Markdown as page elements: scene descriptions and the guide. A library reads it; the elements are made here, one kind of
// token after the other, and only their text is set. Descriptions come from anyone: HTML in them stays text.
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked';
import { inDollars } from './dollars';
import { formula } from './formula';

/** What a host may add to the plain text: without it links within the guide and pictures are shown as their words. */
export interface MarkdownHost {
  /** Added to a heading's level; headings of descriptions are all of level 3. */
  shift: number;
  /** Before the names of headings, so that they are no other element's. */
  idPrefix: string;
  /** What a link that is not to another site does; null: it is not a link. */
  link(target: string): { address: string; open: () => void } | null;
  /** Address of a picture; undefined: its words are shown. */
  picture(target: string): string | undefined;
  /** An element below a fenced text. */
  below(code: { language: string; text: string }): HTMLElement | null;
}

interface Formula extends Tokens.Generic {
  type: 'formula';
  text: string;
  display: boolean;
}

const inlineFormula = new RegExp(`^${inDollars.source}`);
const displayFormula = /^\$\$\s*([^$`]+?)\s*\$\$/;

const reader = new Marked({
  extensions: [
    {
      name: 'formula',
      level: 'inline',
      start: (text) => {
        const at = text.indexOf('$');
        return at < 0 ? undefined : at;
      },
      tokenizer(text): Formula | undefined {
        const display = displayFormula.exec(text);
        const match = display ?? inlineFormula.exec(text);
        return match ? { type: 'formula', raw: match[0], text: match[1], display: display !== null } : undefined;
      },
    },
  ],
});

/** What the text is made of, as the library reads it, with formulas between dollar signs. */
export const tokensOf = (text: string): Token[] => reader.lexer(text);

/** The only links that leave the page. */
export const isOutside = (target: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(target);

/** The name that links give to a heading. */
export function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

export function markdown(text: string, host?: MarkdownHost): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes(tokensOf(text), host));
  return fragment;
}

const nodes = (tokens: Token[], host?: MarkdownHost): Node[] => tokens.flatMap((token) => nodesOf(token, host));

function nodesOf(token: Token, host?: MarkdownHost): Node[] {
  if (token.type === 'formula') return [formula((token as Formula).text, (token as Formula).display)];
  // Without other extensions there are no other tokens.
  const one = token as MarkedToken;
  const inside = (): Node[] => nodes(('tokens' in one && one.tokens) || [], host);
  switch (one.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const node = element(`h${host ? Math.min(6, one.depth + host.shift) : 3}`, inside());
      if (host) node.id = host.idPrefix + anchor(one.text);
      return [node];
    }
    case 'paragraph':
      return [element('p', inside())];
    case 'blockquote':
      return [element('blockquote', inside())];
    case 'list':
      return [listNode(one, host)];
    case 'table':
      return [tableNode(one, host)];
    case 'code':
      return [codeNode(one, host)];
    case 'hr':
    case 'br':
      return [element(one.type, [])];
    case 'strong':
    case 'em':
    case 'del':
      return [element(one.type, inside())];
    case 'codespan':
      return [element('code', [one.text])];
    case 'link':
      return [linkNode(one.href, inside(), host)];
    case 'image':
      return [pictureNode(one, host)];
    case 'checkbox':
      return [document.createTextNode(one.checked ? '☑ ' : '☐ ')];
    case 'text':
      return 'tokens' in one && one.tokens ? inside() : [document.createTextNode(decoded(one.text))];
    case 'escape':
      return [document.createTextNode(one.text)];
    case 'html':
      return [one.block ? element('p', [one.raw.trim()]) : document.createTextNode(one.raw)];
    default:
      return [document.createTextNode(one.raw)];
  }
}

function linkNode(target: string, words: Node[], host?: MarkdownHost): Node {
  const outside = isOutside(target);
  const inside = outside ? null : host?.link(target);
  if (!outside && !inside) return element('span', words);
  const link = element('a', words) as HTMLAnchorElement;
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

function pictureNode({ href, text }: Tokens.Image, host?: MarkdownHost): Node {
  const address = host?.picture(href);
  if (!address) return document.createTextNode(text);
  const image = document.createElement('img');
  image.alt = text;
  image.src = address;
  return image;
}

function listNode({ ordered, start, items }: Tokens.List, host?: MarkdownHost): HTMLElement {
  const list = element(
    ordered ? 'ol' : 'ul',
    items.map((item) => element('li', nodes(item.tokens, host))),
  );
  if (ordered && typeof start === 'number' && start !== 1) (list as HTMLOListElement).start = start;
  return list;
}

function codeNode({ lang, text }: Tokens.Code, host?: MarkdownHost): HTMLElement {
  const box = element('pre', [element('code', [text])]);
  box.tabIndex = 0;
  const below = host?.below({ language: lang ?? '', text });
  return below ? element('div', [box, below]) : box;
}

/** In a box that scrolls sideways, since tables are wider than phones. */
function tableNode({ header, rows }: Tokens.Table, host?: MarkdownHost): HTMLElement {
  const row = (cells: Tokens.TableCell[], tag: string): HTMLElement =>
    element(
      'tr',
      cells.map(({ tokens, align }) => {
        const cell = element(tag, nodes(tokens, host));
        if (align) cell.style.textAlign = align;
        return cell;
      }),
    );
  const body = element(
    'tbody',
    rows.map((cells) => row(cells, 'td')),
  );
  const box = element('div', [element('table', [element('thead', [row(header, 'th')]), body])]);
  box.className = 'table-box';
  box.tabIndex = 0;
  return box;
}

function element(tag: string, children: (Node | string)[]): HTMLElement {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}

/** With its character references replaced, which only the browser knows all of: nothing but a reference is ever parsed. */
function decoded(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]*);/gi, (reference) => {
    const field = document.createElement('textarea');
    field.innerHTML = reference;
    return field.value;
  });
}
