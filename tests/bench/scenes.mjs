// How fast named scenes run, natively and in WASM: CPU seconds, best of three, and how many simulated seconds a CPU
// second gives, as a Markdown table. The first row is a
// fixed loop in this Node, which tells how fast the machine is: compare ratios to it between machines.
// Usage: node tests/bench/scenes.mjs [SCENE ...]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `${root}build/native/tendril`;
const module = `${root}build/wasm/package/node.mjs`;
const asked = process.argv.slice(2);
const scenes = asked.length > 0 ? asked
  : ['cantilever-a1', 'helix-b1', 'helix-b2', 'contortion', 'rope', 'spider', 'tentacle', 'feedback', 'cloth', 'parachute', 'manta-ray'];
const runs = 3;

for (const file of [program, module]) {
  if (existsSync(file)) continue;
  console.error(`${file} is missing: make native wasm`);
  process.exit(1);
}

/** CPU seconds of this process for `work`, the best of `runs`. */
function best(work) {
  let least = Infinity;
  for (let run = 0; run < runs; ++run) {
    const start = process.cpuUsage();
    work();
    const used = process.cpuUsage(start);
    least = Math.min(least, (used.user + used.system) / 1e6);
  }
  return least;
}

/** A hundred million multiplications and additions, each waiting for the one before. */
function calibration() {
  let x = 0.5;
  for (let i = 0; i < 1e8; ++i) x = x * 0.999999 + 1e-7;
  if (!(x > 0)) throw new Error('the loop is broken');
}

/** The native program's summary and its CPU seconds, the start of the process included; the best of `runs`. */
function native(file) {
  let least = Infinity, summary = null;
  for (let run = 0; run < runs; ++run) {
    const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$0" run "$1" --json 2> /dev/null', program, file];
    const { stdout, stderr, status } = spawnSync('bash', timed, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${file}: exit code ${status}`);
    const [user, system] = stderr.trim().split(/\s+/).map(Number);
    least = Math.min(least, user + system);
    summary = JSON.parse(stdout);
  }
  return { ...summary, seconds: least };
}

const { loadEngine } = await import(module);
const engine = await loadEngine();
const unit = best(calibration);
console.log('| scene | unknowns | steps | iterations | simulated [s] | native [s] | WASM [s] | WASM / native | native / calibration | real time, native | real time, WASM |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
console.log(`| calibration: a loop in Node | | | | | | ${unit.toFixed(3)} | | | | |`);
for (const name of scenes) {
  const file = `${root}scenes/${name}.json`;
  const text = readFileSync(file, 'utf8');
  const { dofs, steps, newtonIterations, time, seconds } = native(file);
  const wasm = best(() => {
    const sim = engine.simulation(text);
    sim.advance(sim.duration);
    sim.dispose();
  });
  console.log(`| \`${name}\` | ${dofs} | ${steps} | ${newtonIterations} | ${time} | ${seconds.toFixed(3)} | `
    + `${wasm.toFixed(3)} | ${(wasm / seconds).toFixed(2)} | ${(seconds / unit).toFixed(2)} | `
    + `${(time / seconds).toFixed(1)} x | ${(time / wasm).toFixed(1)} x |`);
}
