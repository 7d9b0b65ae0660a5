// The engine's words on what goes wrong in a run, as the page shows them, and what to try.
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

/** Names of things in quotes; other quoted words are keys of the scene. */
const quotedNames =
  /\b(?:vine|obstacle|rod|shell|linkage|link|joint|cable|body|bodies|parameter|probe|series|material|of|and) "[^"]*"/g;

/** What to try after the solver gave up, from its words; "" where they name the key to change themselves. */
export function advice(message: string, isStatic: boolean): string {
  if (/"\w+"/.test(message.replace(quotedNames, ''))) return '';
  if (/no room left/.test(message)) return 'Move that obstacle, or let the vine grow less.';
  if (/formula|nan|not a number|not finite|divi/i.test(message))
    return 'Look at that formula: what does it give at this time?';
  if (isStatic) return 'Try more load steps ("loadSteps"), a smaller load, or a dynamic run with damping.';
  return 'Try a smaller "dt", "adaptive" time steps, more damping, or gentler loads.';
}
