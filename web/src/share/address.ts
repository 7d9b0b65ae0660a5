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

export async function readAddress(place: { search: string; hash: string } = location): Promise<Asked | null> {
  const query = new URLSearchParams(place.search);
  const written = query.getAll('set');
  const { set, unread } = readValues(written.length > 0 ? written.join(',') : null);
  const [scene, ...others] = query.getAll('scene');
  for (const other of others) unread.push(`A second scene is named: "${other}" is not opened.`);
  if (looksShared(place.hash)) {
    const codec = await import('./codec').catch(() => null);
    if (!codec)
      throw new Error('This link was not read: a part of the page did not arrive. Reload the page to try again.');
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

/** `set` null: the address says nothing of values. */
function readValues(text: string | null): { set: Record<string, number> | null; unread: string[] } {
  if (text === null) return { set: null, unread: [] };
  const set: Record<string, number> = {};
  const unread: string[] = [];
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [, name, written] = /^([A-Za-z_][A-Za-z0-9_]*):(.*)$/.exec(part) ?? [];
    // In addresses a plus is a space.
    const digits = /^-?[0-9.]+(?:e[- ]?[0-9]+)?$/i.test(written ?? '') ? written.replace(' ', '') : '';
    const value = digits === '' ? Number.NaN : Number(digits);
    if (name && Object.hasOwn(set, name) && set[name] !== value)
      unread.push(`"${name}" is set twice: ${set[name]} is taken, "${written}" is not.`);
    else if (name && Number.isFinite(value)) set[name] = value;
    else if (name) unread.push(`"${written}" is no number for "${name}".`);
    else unread.push(`"${part}" is no name with a value, as in "E:2e6".`);
  }
  return { set, unread };
}
