// The values of an address, and words for what is none. Asked for where an address has more than the name of a scene.
import { outOfReach } from '../text/units';

/** What an address has: a scene, values, a page of the guide. */
const known = ['scene', 'set', 'guide'];
/** What other sites put behind the addresses they link to. */
const foreign = /^(?:utm_\w+|fbclid|gclid|msclkid|ref)$/;

/** What "set" gives values to, once or several times (null: it is not there), and what of the rest is not taken, in words. `more`: parts
 * that stand where none are read. */
export function readWords(
  query: URLSearchParams,
  more: string[],
): { set: Record<string, number> | null; unread: string[] } {
  const set: Record<string, number> = {};
  const unread: string[] = [];
  const parts = query.getAll('set').flatMap((written) => written.split(','));
  for (const part of parts.filter((one) => one !== '')) {
    const [, name, written] = /^([A-Za-z_][A-Za-z0-9_]*):(.*)$/.exec(part) ?? [];
    // In addresses a plus is a space.
    const digits = /^-?[0-9.]+(?:e[- ]?[0-9]+)?$/i.test(written ?? '') ? written.replace(' ', '') : '';
    const value = digits === '' ? Number.NaN : Number(digits);
    if (!name) unread.push(`"${part}" is no name with a value, as in "E:2e6".`);
    else if (Number.isNaN(value)) unread.push(`"${written}" is no number for "${name}".`);
    else if (outOfReach(digits, value))
      unread.push(`"${name}" cannot be "${written}": it is ${outOfReach(digits, value)} to be represented.`);
    else if (Object.hasOwn(set, name) && set[name] !== value)
      unread.push(`"${name}" is set twice: ${set[name]} is taken, "${written}" is not.`);
    else set[name] = value;
  }
  for (const other of query.getAll('scene').slice(1)) unread.push(`A second scene is named: "${other}" is not opened.`);
  const strange = [...query].filter(([key]) => !known.includes(key) && !foreign.test(key));
  for (const part of [...strange.map(([key, value]) => (value ? `${key}=${value}` : key)), ...more])
    unread.push(`"${part}" was not understood: an address has "scene=", "guide=", and values as in "set=E:2e6".`);
  return { set: query.has('set') ? set : null, unread };
}
