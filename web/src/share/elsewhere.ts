// Scenes that an address names and the gallery does not have. Asked for where there is one.
import { sceneNames } from '../scenes/texts';
import { nearest } from '../text/leftOut';
import { NoScene } from './address';
import { megabytes, Unreadable } from './files';
import { largestScene } from './limits';

/** A scene from an https address, or of a file beside the page or below it; stops reading at the size limit. */
export async function fetchScene(address: string): Promise<string> {
  if (!mayBeFetched(address)) throw new NoScene(address, nearest(address, sceneNames));
  const url = new URL(address, location.href);
  if (url.protocol !== 'https:' && url.origin !== location.origin) {
    throw new Unreadable(`Scenes are read from https addresses, not from ${url.protocol}`);
  }
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch {
    throw new Unreadable(`${url.href} did not answer, or does not let other pages read it.`);
  }
  if (!response.ok) throw new Unreadable(`${url.href} answered ${response.status}.`);
  const reader = response.body?.getReader();
  const parts: BlobPart[] = [];
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > largestScene) {
      await reader.cancel();
      throw new Unreadable(`${url.href} is larger than ${megabytes()}.`);
    }
    parts.push(value as BlobPart);
  }
  return new Blob(parts).text();
}

/** Files have dots or slashes, other addresses a scheme. */
function mayBeFetched(scene: string): boolean {
  const below = (): boolean => new URL(scene, location.href).href.startsWith(new URL('.', location.href).href);
  return /^\w+:/.test(scene) || (/[./].*\w$/.test(scene) && below());
}
