// What plots and the table of probes show.
import type { Column } from '@tendril/engine';
import { besideEachOther, quantity } from './units';

/** Of a formula that gave none, or infinity, which the engine tells apart in a warning. */
const noValue = 'no value';

/** The values of probe columns; beside the other components of its probe, and nothing else, round-off shows as zero. */
export function readings(columns: Pick<Column, 'probe' | 'unit'>[], values: number[]): string[] {
  const probeOf = ({ probe, unit }: Pick<Column, 'probe' | 'unit'>): string => `${probe} ${unit}`;
  const largest = new Map<string, number>();
  columns.forEach((column, i) => {
    largest.set(probeOf(column), Math.max(largest.get(probeOf(column)) ?? 0, Math.abs(values[i]) || 0));
  });
  return columns.map((column, i) => {
    const noise = Math.abs(values[i]) < 1e-13 * (largest.get(probeOf(column)) ?? 0);
    return Number.isNaN(values[i]) ? noValue : quantity(noise ? 0 : values[i], column.unit, 4);
  });
}

/** The values of one plot, and those of the run before beside them, in one unit. */
export function plotReadings(values: number[], past: number[], unit: string): string[] {
  const all = [...values, ...past];
  return besideEachOther(values, past, unit).map((text, i) => (Number.isNaN(all[i]) ? noValue : text));
}
