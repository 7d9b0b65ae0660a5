// Which tensions a person can ask for: those of tendons whose tension names a parameter with a range, in newton. The
// colours of tendons span them from the start, so that a slider's move shows.
import type { Parameter } from '@tendril/engine';

interface ExpandedScene {
  linkages?: Record<string, { cables?: Record<string, { tension?: unknown }> }>;
}

/** The formula begins with a maximum over 0 and something. */
const atLeastZero = /^=\s*max\(\s*(?:0\s*,|[^,()]*,\s*0\s*\))/;

/** Least and largest [N], 0 among them: a hint, tensions may leave it. `expanded`: with `repeat` resolved, as JSON. */
export function tensionSpan(expanded: string, parameters: Parameter[]): [number, number] {
  const { linkages } = JSON.parse(expanded) as ExpandedScene;
  const span: [number, number] = [0, 0];
  for (const { cables } of Object.values(linkages ?? {})) {
    for (const { tension } of Object.values(cables ?? {})) {
      if (typeof tension !== 'string') continue;
      const names: string[] = tension.match(/[A-Za-z_]\w*/g) ?? [];
      const sign = /^=?\s*-/.test(tension) ? -1 : 1;
      const onlyPulls = atLeastZero.test(tension);
      for (const { name, unit, hasRange, min, max } of parameters) {
        if (!hasRange || unit !== 'N' || !names.includes(name)) continue;
        if (!onlyPulls) span[0] = Math.min(span[0], sign * min, sign * max);
        span[1] = Math.max(span[1], sign * min, sign * max);
      }
    }
  }
  return span;
}
