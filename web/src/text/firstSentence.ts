// A description in one line.
import { flat } from './math';

/** The first sentence without marks, for cards. */
export function firstSentence(text: string): string {
  const plainText = text
    .replace(/^#+ .*$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\$([^$]+)\$/g, (_, formula: string) => flat(formula))
    .replace(/[*`]/g, '')
    .trim()
    .split(/\n\s*\n/)[0]
    .replace(/\s+/g, ' ');
  const end = /[.!?](?=\s+[A-Z])/.exec(plainText);
  return end ? plainText.slice(0, end.index + 1) : plainText;
}
