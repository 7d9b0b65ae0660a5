// Which tensions a person can ask for: those of tendons whose tension is a parameter with a range. The colours of
// tendons span them from the start, so that a slider's move shows.
import type { Parameter } from '@tendril/engine';

interface ExpandedScene {
  linkages?: Record<string, { cables?: Record<string, { tension?: unknown }> }>;
}

/** Least and largest [N], 0 among them. `expanded`: the scene with `repeat` resolved, as JSON. */
export function tensionSpan(expanded: string, parameters: Parameter[]): [number, number] {
  const { linkages } = JSON.parse(expanded) as ExpandedScene;
  const span: [number, number] = [0, 0];
  for (const { cables } of Object.values(linkages ?? {})) {
    for (const { tension } of Object.values(cables ?? {})) {
      const name = typeof tension === 'string' ? /^=\s*([A-Za-z_]\w*)\s*$/.exec(tension)?.[1] : undefined;
      const parameter = parameters.find((p) => p.name === name);
      if (!parameter?.hasRange) continue;
      span[0] = Math.min(span[0], parameter.min);
      span[1] = Math.max(span[1], parameter.max);
    }
  }
  return span;
}
