// The engine's words on what goes wrong in a run, as the page shows them.
import { quantity } from './units';

/** Numbers of more than six digits, as the engine writes times exactly, with six; energies with the prefix of their size. */
export function tidyNumbers(text: string): string {
  const joules = text.replace(/(\d[\d.]*(?:e[-+]?\d+)?) J\b/g, (_, digits) => quantity(Number(digits), 'J'));
  return joules.replace(/\d+\.\d{5,}(?:e[-+]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(6))));
}

/** As a sentence: the engine's words begin small and end without a full stop. */
export function sentence(text: string): string {
  const tidy = tidyNumbers(text);
  const ended = /[.!?]$/.test(tidy) ? tidy : `${tidy}.`;
  return ended[0].toUpperCase() + ended.slice(1);
}
