// The page's address: a shared scene in the fragment, a gallery scene by name or one at another address, and in short the
// values that were set: "?scene=cantilever&set=E:2000000,length:0.25".
import { hasScene, sceneText } from '../scenes/texts';
import { decode, looksShared } from './codec';
import { fetchScene } from './files';

/** What an address asks for. */
export interface Asked {
  text: string;
  set: Record<string, number>;
  /** Of the gallery. */
  scene?: string;
  /** What in the address names a text that is not of the gallery, and the values that this holds. */
  link?: Link;
}

export interface Link {
  /** "?scene=https://..." or "#v1...." */
  address: string;
  set: Record<string, number>;
}

export async function readAddress(place: { search: string; hash: string } = location): Promise<Asked | null> {
  const query = new URLSearchParams(place.search);
  const set = readValues(query.get('set'));
  if (looksShared(place.hash)) {
    const shared = await decode(place.hash);
    return { text: shared.scene, set: set ?? shared.set, link: { address: place.hash, set: shared.set } };
  }
  const scene = query.get('scene');
  if (!scene) return null;
  if (hasScene(scene)) return { text: await sceneText(scene), set: set ?? {}, scene };
  const address = `?${new URLSearchParams({ scene })}`;
  return { text: await fetchScene(scene), set: set ?? {}, link: { address, set: {} } };
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

/** null: the address says nothing of values. */
function readValues(text: string | null): Record<string, number> | null {
  if (text === null) return null;
  const set: Record<string, number> = {};
  for (const part of text.split(',')) {
    const [, name, digits] = /^([A-Za-z_][A-Za-z0-9_]*):(-?[0-9.]+(?:e-?[0-9]+)?)$/i.exec(part) ?? [];
    const value = Number(digits);
    if (name && Number.isFinite(value)) set[name] = value;
  }
  return set;
}
