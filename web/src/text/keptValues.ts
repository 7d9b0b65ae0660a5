// Values that were set stay when a text that was edited runs: all but those that the text itself gives anew.
import { find } from './withValues';

interface Shown {
  text: string;
  set: Record<string, number>;
}

/** The values of `shown` that go over into the text `next`. */
export function keptValues({ text, set }: Shown, next: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(set).filter(([name]) => {
      const written = valueIn(next, name);
      return written !== null && written === valueIn(text, name);
    }),
  );
}

/** What a text gives a parameter, as it is written there; null where it has no such parameter, or is no scene. */
function valueIn(text: string, name: string): string | null {
  try {
    const whole = find(text, ['parameters', name]);
    const place = whole && text[whole.from] === '{' ? find(text, ['parameters', name, 'value']) : whole;
    return place && text.slice(place.from, place.to);
  } catch {
    return null;
  }
}
