// What a link may hold, and how one is known; codec.ts, which writes and reads them, is fetched when it is needed.

export interface Shared {
  /** The scene's text. */
  scene: string;
  /** Parameter values that differ from the text's own. */
  set: Record<string, number>;
}

/** Characters of a link's fragment that are read at all. */
export const longestLink = 256 * 1024;
/** Bytes that it may inflate to. */
export const largestScene = 4 * 1024 * 1024;

export function looksShared(fragment: string): boolean {
  return /^#?v\d+\./.test(fragment);
}
