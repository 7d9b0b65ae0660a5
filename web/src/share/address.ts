// What the page's address asks for: a shared scene in the fragment, a gallery scene by name, or one at another address.
import { type Entry, findScene } from '../scenes/catalogue';
import { decode, looksShared, type Shared } from './codec';
import { fetchScene } from './files';

export async function readAddress(): Promise<Shared | { entry: Entry } | null> {
  if (looksShared(location.hash)) return decode(location.hash);
  const asked = new URLSearchParams(location.search).get('scene');
  if (!asked) return null;
  const entry = findScene(asked);
  if (entry) return { entry };
  return { scene: await fetchScene(asked), set: {} };
}

/** `?scene=NAME`, so that a reload shows the same gallery scene. */
export function showGalleryAddress(id: string): void {
  const url = new URL(location.href);
  url.hash = '';
  url.search = new URLSearchParams({ scene: id }).toString();
  if (url.href !== location.href) window.history.replaceState(null, '', url);
}

/** The scene on screen has no address of its own. */
export function showPlainAddress(): void {
  const url = new URL(location.href);
  url.hash = '';
  url.search = '';
  if (url.href !== location.href) window.history.replaceState(null, '', url);
}
