// The page's address: a shared scene in the fragment, a gallery scene by name or one at another address, and in short the
// values that were set: "?scene=cantilever&set=E:2000000,length:0.25".
import { hasScene, sceneNames } from '../scenes/texts';
import { fetchScene } from './files';
import { looksShared } from './limits';

/** What an address asks for. */
export interface Asked {
  set: Record<string, number>;
  /** Of the gallery, whose text is yet to be fetched; else the text. */
  scene?: string;
  text?: string;
  /** What in the address names a text that is not of the gallery, and the values that this holds. */
  link?: Link;
  /** What in it should be a value and is none, in words. */
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

export async function readAddress(place: { search: string; hash: string } = location): Promise<Asked | null> {
  const query = new URLSearchParams(place.search);
  const [scene, ...others] = query.getAll('scene');
  const { set, unread } = await readWords(query.getAll('set'), others);
  if (looksShared(place.hash)) {
    const codec = await import('./codec').catch(() => null);
    if (!codec) throw new Error(notArrived);
    const shared = await codec.decode(place.hash);
    return { text: shared.scene, set: set ?? shared.set, link: { address: place.hash, set: shared.set }, unread };
  }
  if (!scene) return null;
  if (hasScene(scene)) return { set: set ?? {}, scene, unread };
  // Files and other addresses have dots or slashes.
  if (/^[\w -]+$/.test(scene)) {
    const words = await import('../text/leftOut').catch(() => null);
    throw new NoScene(scene, words?.nearest(scene, sceneNames) ?? null);
  }
  const address = `?${new URLSearchParams({ scene })}`;
  return { text: await fetchScene(scene), set: set ?? {}, link: { address, set: {} }, unread };
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

/** `set` null: the address says nothing of values. `others`: scenes that are not opened. */
async function readWords(
  written: string[],
  others: string[],
): Promise<{ set: Record<string, number> | null; unread: string[] }> {
  if (written.length + others.length === 0) return { set: null, unread: [] };
  const words = await import('./addressWords').catch(() => null);
  return words?.readWords(written, others) ?? { set: null, unread: [notArrived] };
}
