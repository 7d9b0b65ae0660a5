// The guide's pages and pictures, bundled as text, and what shows them: this chunk is fetched once, ahead of need, and then
// needs no network.
import { parseJsonc } from '../scenes/jsonc';
import { markdown } from '../text/markdown';

export { markdown, parseJsonc };

const texts = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default', eager: true });
const drawings = import.meta.glob<string>('../../../docs/pictures/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface Page {
  /** The file's name without its ending. */
  id: string;
  title: string;
  text: string;
}

export const firstPage = 'index';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const byId = new Map<string, Page>(
  Object.entries(texts).map(([path, text]) => {
    const id = nameOf(path).slice(0, -'.md'.length);
    return [id, { id, title: /^# (.*)$/m.exec(text)?.[1] ?? id, text }];
  }),
);

/** In the order in which the first page links to them; what it does not name comes last. */
export const pages: Page[] = inOrder();

function inOrder(): Page[] {
  const first = byId.get(firstPage);
  const named = [...(first?.text ?? '').matchAll(/\]\(([\w-]+)\.md\)/g)].map((match) => match[1]);
  const ids = new Set([firstPage, ...named, ...byId.keys()]);
  return [...ids].map((id) => byId.get(id)).filter((page) => page !== undefined);
}

export function findPage(id: string): Page | undefined {
  return byId.get(id);
}

/** Where a link in the guide leads: "scenes.md#clamp-or-fix", "#sources"; null: to no page of it. */
export function target(link: string, from: string): { page: string; heading: string } | null {
  const match = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(link);
  if (!match || link === '') return null;
  const page = match[1] ?? from;
  return byId.has(page) ? { page, heading: match[2] ?? '' } : null;
}

/** A picture as an address that holds all of it. */
export function pictureAddress(link: string): string | undefined {
  const found = Object.entries(drawings).find(([path]) => path.endsWith(`/docs/${link}`));
  return found && `data:image/svg+xml,${encodeURIComponent(found[1])}`;
}
