// How much thicker than it is a slender structure is drawn so that it can be seen.

/** Least radius for the eye, as a part of the structure's size. */
const leastPart = 0.0045;
const steps = [1, 1.5, 2, 3, 5, 10, 20, 50, 100];

/** `halfAxes` [m], two per point; `size`: the diagonal of what is drawn [m]. */
export function suitableThickness(halfAxes: Float32Array, size: number): number {
  let largest = 0;
  for (const half of halfAxes) largest = Math.max(largest, half);
  if (largest === 0) return 1;
  const needed = (leastPart * size) / largest;
  return needed <= 1 ? 1 : (steps.find((step) => step >= needed) ?? 100);
}
