// What the keys that play a scene are called and what they do, in words, from the parameters that they hold.
import type { Parameter } from '@tendril/engine';
import { entry } from '../text/units';
import { type Bindings, type PlayKey, playKeys } from './heldKeys';

/** A key that plays. */
export interface PadKey {
  key: PlayKey;
  /** As it is printed on a keyboard, and as it is called. */
  cap: string;
  called: string;
  /** What it does: "Turn left". */
  action: string;
  /** What it sets: "Turn = 1". */
  values: string;
}

const caps: Record<PlayKey, [string, string]> = {
  space: ['Space', 'space bar'],
  left: ['←', 'left arrow key'],
  right: ['→', 'right arrow key'],
  up: ['↑', 'up arrow key'],
  down: ['↓', 'down arrow key'],
};

type Named = Pick<Parameter, 'name' | 'label' | 'unit'>;

export function padKey(key: PlayKey, bindings: Bindings, parameters: Named[]): PadKey {
  const held = Object.entries(bindings[key] ?? {}).map(([name, value]) => {
    const parameter = parameters.find((one) => one.name === name);
    return { label: parameter?.label || name, value: entry(value, parameter?.unit ?? '').replace('-', '−') };
  });
  const [cap, called] = caps[key];
  const subject = held.map(({ label }) => withoutRemark(label)).join(', ');
  const values = held.map(({ label, value }) => `${label} = ${value}`).join(', ');
  const way = wayOf(key, bindings);
  const told = way === '' || subject.toLowerCase().endsWith(way);
  return { key, cap, called, action: told ? subject : `${subject} ${way}`, values };
}

const opposite: Partial<Record<PlayKey, PlayKey>> = { left: 'right', right: 'left', up: 'down', down: 'up' };

/** Which way: "left"; "backwards" where a key of another axis drives the same forwards; "" for the space bar. */
function wayOf(key: PlayKey, bindings: Bindings): string {
  const [name] = Object.keys(bindings[key] ?? {});
  const other = opposite[key];
  if (key === 'space' || other === undefined) return '';
  if (bindings[other]?.[name] !== undefined) return key;
  const forwards = playKeys.some((one) => (bindings[one]?.[name] ?? 0) * (bindings[key]?.[name] ?? 0) < 0);
  return forwards ? 'backwards' : key;
}

/** "Turn (1 is left)" is "Turn" to one who holds a key. */
function withoutRemark(label: string): string {
  return label.replace(/\s*\([^()]*\)\s*$/, '') || label;
}
