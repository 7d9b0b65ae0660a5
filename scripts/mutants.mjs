// Would the gallery's checks see a number that is off by 2 %? For every scene the stiffness of what is elastic, all masses,
// friction with drag, and the actuation are raised by that much, one kind at a time; a check that fails has caught it. Of
// scenes that stand for a published figure every kind must be caught, but for those that `blind` names with a reason.
//   node scripts/mutants.mjs [SCENE ...]    (names such as capstan; default: all of the gallery; needs make native)
// TENDRIL names another program than build/native/tendril.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = process.env.TENDRIL ?? `${root}build/native/tendril`;
const factor = 1.02;
const limit = 600; // seconds for the checks of one mutant

/** Where the numbers of each kind stand, as paths whose names may be anything ('*') and whose lists do not count. */
const kinds = {
  stiffness: [
    'materials.*.youngs',
    'rods.*.section.stiffness',
    'springs.*.distance.stiffness',
    'linkages.*.links.*.joint.*.stiffness',
    'vines.*.stiffness',
    'vines.*.bendingStiffness',
  ],
  mass: [
    'materials.*.density',
    'rods.*.section.massPerLength',
    'linkages.*.links.*.body.rigid.density',
    'linkages.*.links.*.body.rigid.mass',
    'vines.*.mass',
    'vines.*.inertia',
    'vines.*.massPerLength',
    'loads.mass',
  ],
  friction: [
    'contact.friction',
    'obstacles.*.friction',
    'environment.drag',
    'environment.viscous',
    'environment.rft.normal',
    'environment.rft.tangential',
    'linkages.*.links.*.fluid.drag',
    'linkages.*.links.*.fluid.lift',
  ],
  actuation: [
    'actuation.angle',
    'actuation.curvature',
    'actuation.stretch',
    'actuation.twist',
    'constraints.displacement',
    'constraints.move',
    'constraints.rotation.angle',
    'linkages.*.cables.*.tension',
    'linkages.*.links.*.joint.*.angle',
    'linkages.*.links.*.joint.*.displacement',
    'linkages.*.links.*.joint.*.force',
    'linkages.*.links.*.joint.*.torque',
    'loads.follower',
    'loads.force',
    'loads.line',
    'loads.moment',
    'loads.pressure',
    'obstacles.*.velocity',
    'vines.*.curvature',
    'vines.*.growth',
  ],
};

/** Scenes that stand for a published figure or table, and where it is. */
const figures = {
  'bend-twist': 'Romero et al. 2021, bend-twist',
  'bend-45': 'a classical benchmark (Bathe and Bolourchi 1979)',
  'cantilever-a1': 'DisMech, table II',
  'cantilever-a2': 'DisMech, table II',
  'cantilever-figure': 'MAT-DiSMech, figure 12',
  'cantilever-models': 'MAT-DiSMech, figure 12',
  contortion: 'MAT-DiSMech, contortion',
  'demo-linkage': 'SoRoSim, figure 10',
  'demo-linkage-motion': 'SoRoSim, figure 11',
  earthworm: 'MAT-DiSMech, earthworm',
  'end-shear': 'Sze, Liu and Lo 2004',
  'follower-force': 'SoRoSim, figure 12',
  'follower-force-linkage': 'SoRoSim, figure 12',
  'friction-c': 'DisMech, figure 3',
  'hanging-helix': 'DisMech, figure 3',
  'heavy-elastica': 'Romero et al. 2021, cantilever',
  'helix-b1': 'DisMech, table II',
  'helix-b2': 'DisMech, table II',
  hemisphere: 'Sze, Liu and Lo 2004',
  'lateral-buckling': 'Romero et al. 2021, lateral buckling',
  'manta-ray': 'MAT-DiSMech, manta ray',
  'obstacle-arm': 'SoRoSim, figure 15',
  'pinched-cylinder': 'Sze, Liu and Lo 2004',
  pneunet: 'MAT-DiSMech, figure 4',
  'rod-drop': 'MAT-DiSMech, figure 9',
  'shell-cantilever': 'MAT-DiSMech, figure 12',
  'slit-annular-plate': 'Sze, Liu and Lo 2004',
  snake: 'MAT-DiSMech, snake',
  'soft-manipulator': 'the SoRoSim toolbox, soft manipulator',
  'sphere-grip': 'MAT-DiSMech, gripping finger',
  'spider-drop': 'DisMech, figure 2',
  'stick-slip': 'Romero et al. 2021, stick-slip',
  'tapered-release': 'SoRoSim, figure 13',
  'vine-circle': 'the simulator of vines, circle',
  'vine-clutter': 'the simulator of vines, figure 1',
  'vine-oscillation': 'the simulator of vines, oscillation',
  'vine-wall': 'the simulator of vines, figure 7',
};

const weightless = 'a static scene without weight';
const ends = 'the balance at the end is static';

/** What the figure does not depend on, with the reason. */
const blind = {
  'bend-45': { mass: weightless },
  contortion: {
    friction: 'the drag of the air only brings it to rest',
  },
  'end-shear': { mass: weightless },
  'follower-force': { mass: weightless },
  'follower-force-linkage': { mass: weightless },
  'friction-c': { stiffness: 'the rod slides as one; the law is that of a rigid body' },
  hemisphere: { mass: weightless },
  'obstacle-arm': { mass: `${ends}, without weight`, friction: `${ends}, and the arm has left the posts` },
  'pinched-cylinder': { mass: weightless },
  'slit-annular-plate': { mass: weightless },
  // The wave of curvature is prescribed: 2 % of the stiffness move the head by 6 micrometers in a second, of 14 mm.
  snake: { stiffness: 'the shape is prescribed' },
  'spider-drop': {
    // 2 % of the stiffness move the body by 0.2 mm, of the friction by 0.02 mm; the published settings differ by 0.8 mm, and steps and
    // widths of contact by 1 mm.
    stiffness: 'the pose depends on the settings by more',
    friction: 'it holds; only its way to rest feels how much',
  },
  'stick-slip': { mass: 'slow motion of a rod without weight' },
  'vine-clutter': {
    // 2 % of either move its end by less than 1 micrometer, and its tip on the way by 0.02 mm, where half the time step moves it by 0.07.
    stiffness: 'the boxes lead it',
    mass: 'the boxes lead it',
  },
};

/** A scene's text without comments and trailing commas. */
function plain(text) {
  const strings = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text
    .replace(strings, (m) => (m[0] === '"' ? m : ''))
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, (m) => (m === ',' ? '' : m));
}

function scaled(value) {
  if (typeof value === 'number') return value * factor;
  if (typeof value === 'string' && value.startsWith('=')) return `=${factor}*(${value.slice(1)})`;
  if (Array.isArray(value)) return value.map(scaled);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, scaled(v)]));
  return value; // the name of a series or of a text
}

/** Scales what stands at `path` below `node`; true where there was something. */
function scale(node, path) {
  if (Array.isArray(node)) return node.map((n) => scale(n, path)).some(Boolean);
  if (!node || typeof node !== 'object') return false;
  const [head, ...rest] = path;
  const names = head === '*' ? Object.keys(node) : head in node ? [head] : [];
  if (rest.length > 0) return names.map((name) => scale(node[name], rest)).some(Boolean);
  for (const name of names) node[name] = scaled(node[name]);
  return names.length > 0;
}

function check(file) {
  return new Promise((resolve) => {
    const done = (error, out, told) => {
      try {
        resolve(JSON.parse(out).scenes[0]);
      } catch {
        resolve({ status: error ? told || error.message : 'no answer', checks: [] });
      }
    };
    execFile(program, ['check', file, '--json', '--limit', String(limit)], { maxBuffer: 1 << 28 }, done);
  });
}

const gallery = readdirSync(`${root}scenes`)
  .filter((f) => f.endsWith('.json') && f !== 'tendril.schema.json')
  .map((f) => f.slice(0, -5));
const asked = process.argv.slice(2);
const unknown = [...asked, ...Object.keys(figures), ...Object.keys(blind)].filter((name) => !gallery.includes(name));
if (unknown.length > 0) {
  console.error(`mutants.mjs: no scene of the gallery: ${unknown.join(', ')}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tendril-mutants-'));
const mutants = [];
for (const name of asked.length > 0 ? asked : gallery)
  for (const [kind, paths] of Object.entries(kinds)) {
    const scene = JSON.parse(plain(readFileSync(`${root}scenes/${name}.json`, 'utf8')));
    if (!paths.map((path) => scale(scene, path.split('.'))).some(Boolean)) continue;
    const file = join(folder, `${name}-${kind}.json`);
    writeFileSync(file, JSON.stringify(scene));
    mutants.push({ name, kind, file });
  }

let wrong = 0;
let unseen = 0;
function judge({ name, kind, status, checks }) {
  const failed = checks.filter((c) => c.passed === false);
  const excuse = blind[name]?.[kind];
  let told = `caught by "${failed[0]?.title}"${failed.length > 1 ? ` and ${failed.length - 1} more` : ''}`;
  if (status !== 'done' && failed.length === 0) {
    wrong += 1;
    told = `NOT RUN: ${status}`;
  } else if (failed.length === 0) {
    unseen += 1;
    told = excuse ? `not seen: ${excuse}` : 'not seen';
    if (figures[name] && !excuse) {
      wrong += 1;
      told = `NOT SEEN, though the scene stands for ${figures[name]}`;
    }
  } else if (excuse) told += ' (though excused)';
  console.log(`${name}, ${kind}: ${told}`);
}

async function work() {
  for (let next = mutants.shift(); next; next = mutants.shift()) judge({ ...next, ...(await check(next.file)) });
}
const count = mutants.length;
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
rmSync(folder, { recursive: true });
console.log(`${count} changes by 2 %: ${count - unseen} caught, ${unseen} not seen, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
