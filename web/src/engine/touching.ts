// Whether a scene's bodies may touch something: then they are hardly drawn thicker than they are.
import type { DrawingData } from './protocol';

/** `expanded`: the scene with `repeat` resolved, as JSON. */
export function mayTouch(expanded: string, { obstacles }: DrawingData): boolean {
  if (obstacles.length > 0) return true;
  const { contact } = JSON.parse(expanded) as { contact?: { self?: unknown } };
  return contact?.self === true;
}
