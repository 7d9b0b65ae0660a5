// The values of an address, and words for what is none. Asked for where an address has some.

/** What "set" gives values to, once or several times, and what of it, or of further scenes, is not taken, in words. */
export function readWords(
  written: string[],
  others: string[],
): { set: Record<string, number> | null; unread: string[] } {
  const set: Record<string, number> = {};
  const unread: string[] = [];
  for (const part of written
    .join(',')
    .split(',')
    .filter((one) => one !== '')) {
    const [, name, written] = /^([A-Za-z_][A-Za-z0-9_]*):(.*)$/.exec(part) ?? [];
    // In addresses a plus is a space.
    const digits = /^-?[0-9.]+(?:e[- ]?[0-9]+)?$/i.test(written ?? '') ? written.replace(' ', '') : '';
    const value = digits === '' ? Number.NaN : Number(digits);
    if (name && Object.hasOwn(set, name) && set[name] !== value)
      unread.push(`"${name}" is set twice: ${set[name]} is taken, "${written}" is not.`);
    else if (name && Number.isFinite(value)) set[name] = value;
    else if (name) unread.push(`"${written}" is no number for "${name}".`);
    else unread.push(`"${part}" is no name with a value, as in "E:2e6".`);
  }
  for (const other of others) unread.push(`A second scene is named: "${other}" is not opened.`);
  return { set: written.length > 0 ? set : null, unread };
}
