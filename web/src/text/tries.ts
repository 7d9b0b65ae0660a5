// What a scene says to try (`view.try`): words, and the values that they stand for.
import type { SceneInfo } from '@tendril/engine';
import { quantity } from './units';

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
    const values = set.map(([name, value]) => {
      const { label = '', unit = '', choices = [] } = settable.get(name) ?? {};
      const choice = choices.find((one) => one.value === value)?.label ?? '';
      return `${label || name} ${/[a-z]/i.test(choice) ? choice : quantity(value, unit)}`;
    });
    return { words, values: values.join(', '), set: Object.fromEntries(set) };
  });
}
