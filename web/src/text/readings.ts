// What a table of probes shows.
import { quantity } from './units';

/** The values of probe columns; beside the other components of its probe, and nothing else, round-off shows as zero. */
export function readings(columns: { name: string; unit: string }[], values: number[]): string[] {
  const probeOf = ({ name, unit }: { name: string; unit: string }): string => `${name.split('.')[0]} ${unit}`;
  const largest = new Map<string, number>();
  columns.forEach((column, i) => {
    largest.set(probeOf(column), Math.max(largest.get(probeOf(column)) ?? 0, Math.abs(values[i]) || 0));
  });
  return columns.map((column, i) => {
    const noise = Math.abs(values[i]) < 1e-13 * (largest.get(probeOf(column)) ?? 0);
    return quantity(noise ? 0 : values[i], column.unit, 4);
  });
}
