// How much thicker than it is a slender structure is drawn so that it can be seen.
import type { DrawingData } from '../engine/protocol';
import { thickestOf } from './extent';

/** Least radius for the eye, as a part of the structure's size. */
const leastPart = 0.0045;
/** Where it may touch something: drawn thicker it reaches into that. */
const leastTouching = 0.002;
const steps = [1, 1.5, 2, 3, 5];

/** `size`: the diagonal of what is drawn [m]. Shells are surfaces and never drawn thicker, nor are vines, whose
 * diameter decides where they fit; what may touch something only as much as it takes to be seen at all. */
export function suitableThickness(drawing: DrawingData, size: number, touching: boolean): number {
  let largest = 0;
  for (const part of drawing.parts) {
    if (part.kind !== 'shell' && part.kind !== 'vine') largest = Math.max(largest, thickestOf(drawing, part));
  }
  if (largest === 0) return 1;
  const needed = ((touching ? leastTouching : leastPart) * size) / largest;
  if (needed <= 5) return steps.find((step) => step >= needed) ?? 5;
  const ten = 10 ** Math.floor(Math.log10(needed / (1 + 1e-9)));
  return ten * ([1, 2, 5].find((step) => step * ten >= needed) ?? 10);
}

/** Is something so much larger, or smaller, than what its thickness was chosen for that another one suits it? */
export function outgrown(size: number, chosenFor: number): boolean {
  return size > 0 && Number.isFinite(size) && (size > 4 * chosenFor || size < chosenFor / 4);
}
