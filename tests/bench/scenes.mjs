// How fast named scenes run, natively and in WASM, as two Markdown tables: how many simulated seconds a CPU second gives,
// and for contact how many steps, beside those of the published program. CPU seconds, best of three; loading the scene
// and the program's start are included. The calibration rows, fixed pieces of work, tell how fast the machine is: compare
// ratios to them between machines. Usage: node tests/bench/scenes.mjs [SCENE ...]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { engineOfModule, fastest, fileOf, packed, root, sceneText, timed } from './measure.mjs';

const program = `${root}build/native/tendril`;
const benchmarks = `${root}build/native/tests/tendril_bench`;
const asked = process.argv.slice(2);

const gallery = [
  'cantilever-a1',
  'helix-b1',
  'helix-b2',
  'contortion',
  'rope',
  'spider',
  'tentacle',
  'feedback',
  'cloth',
  'parachute',
  'manta-ray',
];

/** Pushes from -10.5 to 10.5 N by 0.5 N. */
const pushes = Array.from({ length: 43 }, (_, i) => ({ F: 0.5 * i - 10.5 }));
/**
 * `published`: steps per CPU second of the DisMech paper's program on a machine of this kind, the slowest and the fastest
 * of its linear solvers where both were measured. Its runs of the entanglement were measured up to `until`.
 */
const contact = [
  { name: 'friction-c', what: '43 pushes', sets: pushes, published: [865] },
  { name: 'spider-drop', what: 'dt 2.5 ms', sets: [{ dt: 2.5e-3 }], published: [59, 89] },
  { name: 'spider-drop', what: 'dt 1 ms', sets: [{}] },
  {
    name: 'entanglement',
    what: 'no friction, dt 2.5 ms',
    sets: [{ mu: 0, dt: 2.5e-3 }],
    until: 11.085,
    published: [42],
  },
  { name: 'entanglement', what: 'friction, dt 1 ms', sets: [{ mu: 0.5, dt: 1e-3 }], until: 6.562, published: [60] },
  { name: 'entanglement', what: 'friction, dt 1 ms, to its end', sets: [{ mu: 0.5, dt: 1e-3 }] },
  { name: 'overhand-knot', what: '', sets: [{}] },
  { name: 'plectoneme', what: '', sets: [{}] },
  { name: 'rod-pile', what: '', sets: [{}] },
];

for (const file of [program, packed]) {
  if (existsSync(file)) continue;
  console.error(`${file} is missing: make native wasm`);
  process.exit(1);
}
const wanted = (name) => (asked.length === 0 || asked.includes(name)) && existsSync(fileOf(name));
for (const name of asked) {
  if (existsSync(fileOf(name))) continue;
  console.error(`${fileOf(name)} is missing`);
  process.exit(1);
}

/** A hundred million multiplications and additions, each waiting for the one before. */
function calibration() {
  let x = 0.5;
  for (let i = 0; i < 1e8; ++i) x = x * 0.999999 + 1e-7;
  if (!(x > 0)) throw new Error('the loop is broken');
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

const inContact = new Set(contact.map(({ name }) => name));
const shown = asked.length > 0 ? asked.filter((name) => !inContact.has(name)) : gallery;
const unit = fastest(() => timed(calibration)).seconds;
console.log(
  '| scene | unknowns | steps | iterations | simulated [s] | native [s] | WASM [s] | WASM / native | native / calibration | real time, native | real time, WASM |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
console.log(`| calibration: a loop in Node | | | | | | ${unit.toFixed(3)} | | | | |`);
for (const name of shown) {
  const { dofs, steps, newtonIterations, time, seconds } = native({ name, sets: [{}] });
  const there = wasm({ name, sets: [{}] }).seconds;
  console.log(
    `| \`${name}\` | ${dofs} | ${steps} | ${newtonIterations} | ${time} | ${seconds.toFixed(3)} | ` +
      `${there.toFixed(3)} | ${(there / seconds).toFixed(2)} | ${(seconds / unit).toFixed(2)} | ` +
      `${(time / seconds).toFixed(1)} x | ${(time / there).toFixed(1)} x |`,
  );
}

/** Microseconds of the fixed banded solve of a rod of 200 nodes, factor and solve, as in dynamics_bench.cpp. */
function bandedSolve() {
  const options = ['--benchmark_filter=^calibration$', '--benchmark_repetitions=5', '--benchmark_format=json'];
  const { stdout, status } = spawnSync(benchmarks, options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${benchmarks}: exit code ${status}`);
  return (
    Math.min(
      ...JSON.parse(stdout)
        .benchmarks.filter((b) => b.run_type === 'iteration')
        .map((b) => b.cpu_time),
    ) / 1e3
  );
}

const cases = contact.filter(({ name }) => wanted(name));
if (cases.length > 0) {
  const round = (value) => (value < 100 ? value.toPrecision(2) : value.toFixed(0));
  console.log(
    '\n| contact | unknowns | steps | iterations/step | cut | pairs at the end | native steps/s | WASM steps/s | published | native / published | WASM / published | real time, native | real time, WASM |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  if (existsSync(benchmarks)) {
    console.log(`| calibration: banded solve of 200 nodes, ${bandedSolve().toFixed(1)} us | | | | | | | | | | | | |`);
  }
  for (const c of cases) {
    const here = native(c),
      there = wasm(c);
    const rate = here.steps / here.seconds,
      wasmRate = there.steps / there.seconds;
    const ratios = (r) =>
      (c.published ?? [])
        .map((p) => (r / p).toFixed(1))
        .reverse()
        .join(' to ');
    console.log(
      `| \`${c.name}\`${c.what && `, ${c.what}`} | ${here.dofs} | ${here.steps} | ${(here.newtonIterations / here.steps).toFixed(2)} | ${here.retries} | ` +
        `${here.pairs ?? ''} | ${rate.toFixed(0)} | ${wasmRate.toFixed(0)} | ${(c.published ?? []).join(' to ')} | ${ratios(rate)} | ${ratios(wasmRate)} | ` +
        `${round(here.time / here.seconds)} x | ${round(((there.steps / here.steps) * here.time) / there.seconds)} x |`,
    );
  }
}
