// What the module's benchmarks share: the engine, scenes of the gallery with other numbers in them, and CPU time, the
// best of three runs, and c, the unit of all tables. It measures nothing by itself.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const packed = `${root}build/wasm/package/node.mjs`;
const runs = 3;

/** The engine of the module as it was built. */
export async function engineOfModule() {
  const { loadEngine } = await import(packed);
  return loadEngine();
}

export const fileOf = (name) => `${root}scenes/${name}.json`;
export const sceneText = (name) => readFileSync(fileOf(name), 'utf8');

/** A scene of the gallery with these values of parameters, or other keys of theirs, and these solver keys. */
export function sceneWith(engine, name, parameters, solver = {}) {
  const scene = JSON.parse(engine.expand(sceneText(name)));
  for (const [key, asked] of Object.entries(parameters)) {
    const old = scene.parameters[key];
    const more = typeof asked === 'object' ? asked : { value: asked };
    scene.parameters[key] = typeof old === 'object' ? { ...old, ...more } : more.value;
  }
  scene.solver = { ...scene.solver, ...solver };
  return JSON.stringify(scene);
}

/** Of several runs, each of which returns its `seconds`, the fastest. */
export function fastest(run) {
  let best = null;
  for (let i = 0; i < runs; ++i) {
    const result = run();
    if (!best || result.seconds < best.seconds) best = result;
  }
  return best;
}

/** What `work` returns, and the CPU seconds that this process needs for it. */
export function timed(work) {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, result };
}

/** The scene run from start to end: { nodes, steps, iterations, time, seconds }, loading it not counted. */
export function measure(engine, text) {
  return fastest(() => {
    const sim = engine.simulation(text);
    const nodes = sim.drawing().parts.reduce((sum, part) => sum + part.pointCount, 0);
    const { seconds, result } = timed(() => sim.advance(sim.duration));
    sim.dispose();
    return { nodes, steps: result.steps, iterations: result.iterations, time: result.time, seconds };
  });
}

/**
 * Seconds of one c: the fixed banded factor and solve of a rod of 200 nodes (dynamics_bench.cpp), natively. Machines
 * differ; what a step costs in c differs little.
 */
export function calibration() {
  const benchmarks = `${root}build/native/tests/tendril_bench`;
  const options = ['--benchmark_filter=^calibration$', '--benchmark_repetitions=5', '--benchmark_format=json'];
  const { stdout, status } = spawnSync(benchmarks, options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${benchmarks}: exit code ${status}; make bench builds it`);
  return (
    Math.min(
      ...JSON.parse(stdout)
        .benchmarks.filter((b) => b.run_type === 'iteration')
        .map((b) => b.cpu_time),
    ) / 1e9
  );
}

/** Three digits, as a table shows them. */
export const digits = (value) => (value < 1000 ? String(Number(value.toPrecision(3))) : value.toFixed(0));
