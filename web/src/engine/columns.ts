// What is known of each probe column and state beside its numbers, read from the expanded scene: the unit and the word for
// what is measured, which follow from the probe's kind, and what the scene says itself (label, unit of a formula, hidden).
import { jointUnit, type LinkageScene } from './jointUnits';
import type { ColumnLook } from './protocol';

/** Unit and what is measured; "1" is the unit of a pure number. */
const ofKind: Record<string, [string, string]> = {
  position: ['m', 'position'],
  velocity: ['m/s', 'velocity'],
  speed: ['m/s', 'speed'],
  tangent: ['1', 'direction'],
  reaction: ['N', 'force'],
  reactionMoment: ['N m', 'moment'],
  moment: ['N m', 'moment'],
  curvature: ['1/m', 'curvature'],
  twist: ['rad/m', 'twist'],
  stretch: ['1', 'stretch'],
  tension: ['N', 'tension'],
  length: ['m', 'length'],
  growthForce: ['N', 'force'],
  distance: ['m', 'distance'],
  energy: ['J', 'energy'],
  angle: ['rad', 'angle'],
  cable: ['m', 'length'],
  cableRate: ['m/s', 'rate of length'],
};
const ofContact: Record<string, [string, string]> = {
  force: ['N', 'contact force'],
  pairs: ['1', 'contacts'],
  penetration: ['m', 'penetration'],
};
const ofJoint: Record<string, string> = { rad: 'angle', m: 'displacement', 'N m': 'torque', N: 'force' };

type Items = Record<string, Record<string, unknown>>;

interface ExpandedScene extends LinkageScene {
  probes?: Items;
  states?: Items;
}

/** `expanded`: the scene with `repeat` resolved, as JSON. A column of nothing that the scene names has no unit. */
export function columnLooks(expanded: string, columns: string[]): ColumnLook[] {
  const scene = JSON.parse(expanded) as ExpandedScene;
  return columns.map((column) => {
    const dot = column.indexOf('.');
    const name = dot < 0 ? column : column.slice(0, dot);
    const item = own(scene.probes, name) ?? own(scene.states, name) ?? {};
    const [unit, measures] = kindOf(item, column, scene);
    const text = (key: string): string => (typeof item[key] === 'string' ? (item[key] as string) : '');
    const whole = item.of === undefined;
    return {
      unit: unit || text('unit'),
      measures,
      energy: whole ? text('energy') : '',
      label: text('label'),
      hidden: item.hidden === true,
    };
  });
}

function own(items: Items | undefined, name: string): Record<string, unknown> | undefined {
  const found = items && Object.hasOwn(items, name) ? items[name] : undefined;
  return found && typeof found === 'object' ? found : undefined;
}

function kindOf(probe: Record<string, unknown>, column: string, scene: ExpandedScene): [string, string] {
  if ('contact' in probe) return ofContact[String(probe.contact)] ?? ['', ''];
  if ('pose' in probe) return /\.[xyz]$/.test(column) ? ['m', 'position'] : ['1', 'rotation'];
  if ('strain' in probe) return [/\.(twist|bend[YZ])$/.test(column) ? 'rad/m' : '1', 'strain'];
  if ('jointAngle' in probe || 'jointEffort' in probe) {
    const units = 'jointAngle' in probe ? { turning: 'rad', sliding: 'm' } : { turning: 'N m', sliding: 'N' };
    const unit = jointUnit(scene, probe.jointAngle ?? probe.jointEffort, column, units);
    return [unit, ofJoint[unit] ?? ''];
  }
  for (const kind of Object.keys(probe)) if (Object.hasOwn(ofKind, kind)) return ofKind[kind];
  return ['', ''];
}
