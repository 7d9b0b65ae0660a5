// The page's address: a shared scene in the fragment, a gallery scene by name or one at another address, and in short the
// values that were set: "?scene=cantilever&set=E:2000000,length:0.25".
import { hasScene } from '../scenes/texts';
import { looksShared } from './limits';

/** What an address asks for: a scene, a text, or neither. */
export interface Asked {
  set: Record<string, number>;
  /** Of the gallery, whose text is yet to be fetched; else the text. */
  scene?: string;
  text?: string;
  /** What in the address names a text that is not of the gallery, and the values that this holds. */
  link?: Link;
  /** What in it is not used, in words. */
  unread: string[];
}

/** No scene of the gallery has this name; `near`: one that has nearly. */
export class NoScene extends Error {
  constructor(
    readonly scene: string,
    readonly near: string | null,
  ) {
    super(`There is no scene "${scene}".`);
  }
}

export interface Link {
  /** "?scene=https://..." or "#v1...." */
  address: string;
  set: Record<string, number>;
}

const notArrived = 'This link was not read: a part of the page did not arrive. Reload the page to try again.';

export async function readAddress(place: { search: string; hash: string } = location): Promise<Asked> {
  const query = new URLSearchParams(place.search);
  const scene = query.get('scene');
  const [hash, ...more] = place.hash.split('&');
  const shared = looksShared(hash);
  // Of a page of the guide it is a heading.
  if (!shared && !query.has('guide') && hash !== '') more.unshift(hash.slice(1));
  const { set, unread } = await readWords(query, more);
  if (shared) {
    const codec = await import('./codec').catch(() => null);
    if (!codec) throw new Error(notArrived);
    const found = await codec.decode(hash);
    return { text: found.scene, set: set ?? found.set, link: { address: hash, set: found.set }, unread };
  }
  if (!scene) return { set: {}, unread: set ? ['The address names no scene.', ...unread] : unread };
  if (hasScene(scene)) return { set: set ?? {}, scene, unread };
  const elsewhere = await import('./elsewhere').catch(() => null);
  if (!elsewhere) throw new Error(notArrived);
  const address = `?${new URLSearchParams({ scene })}`;
  return { text: await elsewhere.fetchScene(scene), set: set ?? {}, link: { address, set: {} }, unread };
}

/** The part of an address that names a scene and its values, and the page of the guide over it. */
export function addressOf(
  { scene, link, set }: { scene?: string; link?: Link; set: Record<string, number> },
  guide?: { page: string; heading: string },
): string {
  const [, query = '', hash = ''] = /^(?:\?([^#]*))?(#.*)?$/.exec(link?.address ?? '') ?? [];
  const parts = query ? [query] : scene ? [`scene=${encodeURIComponent(scene)}`] : [];
  const known = scene !== undefined || link !== undefined;
  if (known && writeValues(set) !== writeValues(link?.set ?? {})) parts.push(`set=${writeValues(set)}`);
  if (guide) parts.push(`guide=${encodeURIComponent(guide.page)}`);
  return `${parts.length > 0 ? `?${parts.join('&')}` : ''}${hash || (guide?.heading ? `#${guide.heading}` : '')}`;
}

function writeValues(set: Record<string, number>): string {
  const names = Object.keys(set).sort();
  return names.map((name) => `${name}:${String(set[name]).replace('+', '')}`).join(',');
}

/** `set` null: the address says nothing of values. `more`: parts of it that stand behind "#". */
async function readWords(
  query: URLSearchParams,
  more: string[],
): Promise<{ set: Record<string, number> | null; unread: string[] }> {
  const keys = [...query.keys()].filter((key) => key !== 'guide').join();
  if ((keys === '' || keys === 'scene') && more.length === 0) return { set: null, unread: [] };
  const words = await import('./addressWords').catch(() => null);
  return words?.readWords(query, more) ?? { set: null, unread: [notArrived] };
}
