// Words for values that could not be set or are unusual, and for names that nothing has.
import type { Parameter } from '@tendril/engine';
import type { LeftOut } from '../engine/takenValues';
import { entry, range } from './units';

/** Names that are told of; more would be no help. */
const mostNames = 12;

/** One sentence each, and which parameters there are where one of them is unknown. */
export function leftOutWords(left: LeftOut[], parameters: Parameter[]): string {
  const settable = parameters.filter(({ derived }) => !derived);
  const sentences = left.map(({ name, value, known, message }) => {
    const parameter = settable.find((one) => one.name === name);
    if (known) return `"${name}" cannot be ${entry(value, parameter?.unit ?? '').replace('-', '−')}: ${ended(message)}`;
    const formula = parameters.some((one) => one.name === name);
    return formula ? `"${name}" follows from other parameters.` : `There is no parameter "${name}".`;
  });
  if (left.every(({ known }) => known)) return sentences.join(' ');
  const names = settable.slice(0, mostNames).map(({ name }) => `"${name}"`);
  if (settable.length > mostNames) names.push('…');
  const has = names.length > 0 ? `The scene has ${listed(names)}.` : 'The scene has no parameters.';
  return [...sentences, has].join(' ');
}

/** Values that a link sets beyond where their sliders go, or that are no choice; '' where there are none. */
export function beyondWords(set: Record<string, number>, parameters: Parameter[]): string {
  const within = ({ name, min, max, choices }: Parameter): boolean =>
    choices.length > 0
      ? choices.some(({ value }) => value === set[name])
      : !(min < max) || (min <= set[name] && set[name] <= max);
  const beyond = parameters.filter((one) => one.name in set && !within(one));
  const words = beyond.slice(0, mostNames).map(({ name, min, max, unit, choices }) => {
    const is = entry(set[name], unit).replace('-', '−');
    const may =
      choices.length > 0
        ? `its choices are ${listed(choices.map(({ label }) => label))}`
        : `its slider goes ${range(min, max, unit)}`;
    return `The link sets "${name}" to ${is}; ${may}.`;
  });
  return words.join(' ');
}

/** The name among these that was probably meant; null where none is near. */
export function nearest(name: string, names: readonly string[]): string | null {
  const asked = name.toLowerCase();
  const distances = names.map((one) => ({ one, away: distance(asked, one.toLowerCase()) }));
  const best = distances.sort((a, b) => a.away - b.away)[0];
  // A third of the letters may be wrong.
  if (best && best.away <= Math.max(1, Math.floor(asked.length / 3))) return best.one;
  const within = names.filter((one) => asked.length > 2 && one.toLowerCase().includes(asked));
  return within.sort((a, b) => a.length - b.length)[0] ?? null;
}

/** Letters to insert, leave out or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let k = 1; k <= b.length; ++k) {
      next.push(Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + Number(a[i - 1] !== b[k - 1])));
    }
    row = next;
  }
  return row[b.length];
}

const ended = (text: string): string => text.replace(/[^.!?]$/, '$&.');

function listed(words: string[]): string {
  const last = words[words.length - 1];
  if (words.length < 2 || last === '…') return words.join(', ');
  return `${words.slice(0, -1).join(', ')} and ${last}`;
}
