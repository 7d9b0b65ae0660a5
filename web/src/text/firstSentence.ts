// A description in one line.
import { inDollars } from './dollars';

/** The first sentence without marks, for cards; formulas stay between their dollar signs. */
export function firstSentence(text: string): string {
  const plainText = text
    .replace(/^#+ .*$/gm, '')
    .split(inDollars)
    .map((part, i) => (i % 2 === 1 ? `$${part}$` : part.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '')))
    .join('')
    .trim()
    .split(/\n\s*\n/)[0]
    .replace(/\s+/g, ' ');
  const end = /[.!?](?=\s+[A-Z])/.exec(plainText);
  return end ? plainText.slice(0, end.index + 1) : plainText;
}
