// The unit of each probe column, read from the probe's kind in the expanded scene.
// A formula has no known unit; neither has a column whose probe cannot be found.

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
  distance: 'm',
  energy: 'J',
  angle: 'rad',
  cable: 'm',
};

interface ExpandedScene {
  probes?: Record<string, Record<string, unknown>>;
}

/** `expand` returns the scene with `repeat` resolved, as JSON; it may throw, which leaves the units empty. */
export function columnUnits(expand: () => string, columns: string[]): string[] {
  let probes: Record<string, Record<string, unknown>> = {};
  try {
    probes = (JSON.parse(expand()) as ExpandedScene).probes ?? {};
  } catch {
    return columns.map(() => '');
  }
  return columns.map((column) => unitOf(column, probes));
}

function unitOf(column: string, probes: Record<string, Record<string, unknown>>): string {
  const dot = column.indexOf('.');
  const name = dot < 0 ? column : column.slice(0, dot);
  const probe = Object.hasOwn(probes, name) ? probes[name] : undefined;
  if (!probe || typeof probe !== 'object') return '';
  if ('contact' in probe) return probe.contact === 'force' ? 'N' : probe.contact === 'penetration' ? 'm' : '';
  if ('pose' in probe) return /\.[xyz]$/.test(column) ? 'm' : '';
  for (const kind of Object.keys(probe)) {
    if (Object.hasOwn(unitOfKind, kind)) return unitOfKind[kind];
  }
  return '';
}
