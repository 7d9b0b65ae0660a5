// What a scene says to try (`view.try`): words, and the values that they stand for.
import type { Parameter, SceneInfo } from '@tendril/engine';
import { entry } from './units';

export interface Try {
  words: string;
  /** The values, in words. */
  values: string;
  set: Record<string, number>;
}

/** Formulas of other parameters cannot be set. */
export function tries({ parameters, view }: Pick<SceneInfo, 'parameters' | 'view'>): Try[] {
  if (typeof view.try !== 'object' || view.try === null) return [];
  const settable = new Map(parameters.filter(({ derived }) => !derived).map((one) => [one.name, one]));
  return Object.entries(view.try).map(([words, asked]) => {
    const set = Object.entries(asked as Record<string, number>).filter(([name]) => settable.has(name));
    const values = set.map(([name, value]) => valueWords(name, value, parameters));
    return { words, values: values.join(', '), set: Object.fromEntries(set) };
  });
}

/** "Tension: 3 N", "Ball: away": as the panel calls the parameter and its choices. */
export function valueWords(name: string, value: number, parameters: Parameter[]): string {
  const { label = '', unit = '', choices = [] } = parameters.find((one) => one.name === name) ?? {};
  const choice = choices.find((one) => one.value === value)?.label ?? '';
  return `${label || name}: ${/[a-z]/i.test(choice) ? choice : entry(value, unit)}`;
}
