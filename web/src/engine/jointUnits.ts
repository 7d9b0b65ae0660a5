// Units of joint coordinates and efforts: their joint's kind in the scene tells which of them turn and which slide.

/** The part of an expanded scene that is read here. */
export interface LinkageScene {
  linkages?: Record<string, { links?: Record<string, { joint?: Record<string, unknown> }> }>;
}

/** For each kind of joint its coordinates in order: turning ("t") or sliding ("s"). */
const coordinates: Record<string, string> = {
  revolute: 't',
  prismatic: 's',
  helical: 't',
  universal: 'tt',
  cylindrical: 'ts',
  planar: 'tss',
  spherical: 'ttt',
  free: 'tttsss',
};

/** `link`: as in the probe, "arm/hub"; `column`: of the probe, "bend" or "bend.q1". */
export function jointUnit(
  scene: LinkageScene,
  link: unknown,
  column: string,
  units: { turning: string; sliding: string },
): string {
  const [linkage, name] = typeof link === 'string' ? link.split(/[/:@]/) : [];
  const joint = scene.linkages?.[linkage ?? '']?.links?.[name ?? '']?.joint ?? {};
  const kind = Object.keys(joint).find((key) => Object.hasOwn(coordinates, key));
  const index = Number(/\.q(\d+)$/.exec(column)?.[1] ?? 0);
  return kind !== undefined && coordinates[kind][index] === 's' ? units.sliding : units.turning;
}
