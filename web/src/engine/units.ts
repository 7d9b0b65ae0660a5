// The unit of each probe column, and what energies are, read from the probe's kind in the expanded scene.
// A formula has no known unit; neither has a column whose probe cannot be found.
import { jointUnit, type LinkageScene } from './jointUnits';

const unitOfKind: Record<string, string> = {
  position: 'm',
  velocity: 'm/s',
  speed: 'm/s',
  tangent: '',
  reaction: 'N',
  reactionMoment: 'N m',
  moment: 'N m',
  curvature: '1/m',
  twist: 'rad/m',
  stretch: '',
  tension: 'N',
  length: 'm',
  growthForce: 'N',
  distance: 'm',
  energy: 'J',
  angle: 'rad',
  cable: 'm',
  cableRate: 'm/s',
};

type Probes = Record<string, Record<string, unknown>>;

interface ExpandedScene extends LinkageScene {
  probes?: Probes;
}

/** `expanded`: the scene with `repeat` resolved, as JSON. */
export function columnUnits(expanded: string, columns: string[]): string[] {
  const scene = JSON.parse(expanded) as ExpandedScene;
  return columns.map((column) => unitOf(column, scene));
}

/** Per column the kind of an energy of the whole scene; "" for other columns and for energies of one body. */
export function columnEnergies(expanded: string, columns: string[]): string[] {
  const probes = probesOf(expanded);
  return columns.map((column) => {
    const probe = Object.hasOwn(probes, column) ? probes[column] : undefined;
    return probe && typeof probe.energy === 'string' && probe.of === undefined ? probe.energy : '';
  });
}

function probesOf(expanded: string): Probes {
  return (JSON.parse(expanded) as ExpandedScene).probes ?? {};
}

function unitOf(column: string, scene: ExpandedScene): string {
  const probes = scene.probes ?? {};
  const dot = column.indexOf('.');
  const name = dot < 0 ? column : column.slice(0, dot);
  const probe = Object.hasOwn(probes, name) ? probes[name] : undefined;
  if (!probe || typeof probe !== 'object') return '';
  if ('contact' in probe) return probe.contact === 'force' ? 'N' : probe.contact === 'penetration' ? 'm' : '';
  if ('pose' in probe) return /\.[xyz]$/.test(column) ? 'm' : '';
  if ('strain' in probe) return /\.(twist|bend[YZ])$/.test(column) ? 'rad/m' : '';
  if ('jointAngle' in probe) return jointUnit(scene, probe.jointAngle, column, { turning: 'rad', sliding: 'm' });
  if ('jointEffort' in probe) return jointUnit(scene, probe.jointEffort, column, { turning: 'N m', sliding: 'N' });
  for (const kind of Object.keys(probe)) {
    if (Object.hasOwn(unitOfKind, kind)) return unitOfKind[kind];
  }
  return '';
}
