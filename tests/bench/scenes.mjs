// What a step of named scenes costs in c, natively and in WASM, as one Markdown table, beside the published program where
// that was measured. CPU seconds, best of three; loading the scene and the program's start are included. Usage: node tests/bench/scenes.mjs [SCENE ...]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { calibration, digits, engineOfModule, fastest, fileOf, packed, root, sceneText, timed } from './measure.mjs';

const program = `${root}build/native/tendril`;
const asked = process.argv.slice(2);

/** Pushes from -10.5 to 10.5 N by 0.5 N. */
const pushes = Array.from({ length: 43 }, (_, i) => ({ F: 0.5 * i - 10.5 }));
/**
 * `published`: c per step of the DisMech paper's program, from one run of both programs in turn on a quiet machine. Its
 * runs of the entanglement were measured up to `until`.
 */
const rows = [
  { name: 'cantilever-a1', what: 'dt 0.5 s', sets: [{ dt: 0.5 }], published: 165 },
  { name: 'cantilever-a2', what: 'dt 0.05 s', sets: [{ dt: 0.05 }], published: 165 },
  { name: 'helix-b1', what: 'dt 6 ms', sets: [{ dt: 6e-3 }], published: 177 },
  { name: 'helix-b2', what: 'dt 3 ms', sets: [{ dt: 3e-3 }], published: 169 },
  { name: 'friction-c', what: '43 pushes', sets: pushes, published: 38.4 },
  { name: 'spider-drop', what: 'dt 2.5 ms', sets: [{ dt: 2.5e-3 }], published: 349 },
  { name: 'spider-drop', what: 'dt 1 ms', sets: [{ dt: 1e-3 }], published: 481 },
  {
    name: 'entanglement',
    what: 'no friction, dt 2.5 ms',
    sets: [{ mu: 0, dt: 2.5e-3 }],
    until: 11.085,
    published: 596,
  },
  { name: 'entanglement', what: 'friction, dt 1 ms', sets: [{ mu: 0.5, dt: 1e-3 }], until: 6.562, published: 464 },
  ...[
    'contortion',
    'rope',
    'spider',
    'tentacle',
    'feedback',
    'cloth',
    'parachute',
    'manta-ray',
    'overhand-knot',
    'plectoneme',
    'rod-pile',
  ].map((name) => ({ name, what: '', sets: [{}] })),
];

for (const file of [program, packed]) {
  if (existsSync(file)) continue;
  console.error(`${file} is missing: make native wasm`);
  process.exit(1);
}
for (const name of asked) if (!rows.some((row) => row.name === name)) rows.push({ name, what: '', sets: [{}] });
const wanted = (name) => (asked.length === 0 || asked.includes(name)) && existsSync(fileOf(name));
for (const name of asked) {
  if (existsSync(fileOf(name))) continue;
  console.error(`${fileOf(name)} is missing`);
  process.exit(1);
}

/** The native program's summaries, added up, and its CPU seconds for all `sets`, its starts included; the best of `runs`. */
function native({ name, sets, until }) {
  const commands = sets.map((set) => {
    const options = Object.entries(set).map(([key, value]) => `--set ${key}=${value}`);
    if (until) options.push(`--until ${until}`);
    return `"$0" run "$1" ${options.join(' ')} --json 2> /dev/null || exit; echo ,`;
  });
  return fastest(() => {
    const { stdout, stderr, status } = spawnSync(
      'bash',
      ['-c', `TIMEFORMAT="%U %S"; time { ${commands.join('\n')}\n}`, program, fileOf(name)],
      { encoding: 'utf8', maxBuffer: 1e9 },
    );
    if (status !== 0) throw new Error(`${name}: exit code ${status}`);
    const [user, system] = stderr.trim().split(/\s+/).map(Number);
    const summaries = JSON.parse(`[${stdout.trim().slice(0, -1)}]`);
    const sum = {
      seconds: user + system,
      dofs: summaries[0].dofs,
      steps: 0,
      newtonIterations: 0,
      retries: 0,
      time: 0,
      pairs: summaries.at(-1).probes?.pairs,
    };
    for (const s of summaries) for (const key of ['steps', 'newtonIterations', 'retries', 'time']) sum[key] += s[key];
    return sum;
  });
}

const engine = await engineOfModule();

function wasm({ name, sets, until }) {
  const text = sceneText(name);
  const { seconds, result } = fastest(() =>
    timed(() => {
      let steps = 0;
      for (const set of sets) {
        const sim = engine.simulation(text, set);
        steps += sim.advance(until ?? sim.duration).steps;
        sim.dispose();
      }
      return steps;
    }),
  );
  return { seconds, steps: result };
}

const c = calibration();
console.log(
  '| scene | unknowns | iterations/step | native, c/step | WASM, c/step | published, c/step | published / native | published / WASM | real time, native | real time, WASM |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const row of rows.filter(({ name }) => wanted(name))) {
  const here = native(row),
    there = wasm(row);
  const cost = here.seconds / here.steps / c,
    wasmCost = there.seconds / there.steps / c;
  const times = (own) => (row.published ? (row.published / own).toFixed(1) : '');
  const simulated = here.time / here.steps;
  console.log(
    `| \`${row.name}\`${row.what && `, ${row.what}`} | ${here.dofs} | ${(here.newtonIterations / here.steps).toFixed(2)} | ` +
      `${digits(cost)} | ${digits(wasmCost)} | ${row.published ?? ''} | ${times(cost)} | ${times(wasmCost)} | ` +
      `${digits(simulated / (cost * c))} x | ${digits(simulated / (wasmCost * c))} x |`,
  );
}
