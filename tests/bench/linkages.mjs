// Linkages in the module: simulated seconds per CPU second of gallery scenes, and of an arm of six soft links with ten
// coordinates each at steps of 5 ms. Usage: node tests/bench/linkages.mjs
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { loadEngine } = await import(`${root}build/wasm/package/node.mjs`);
const engine = await loadEngine();
const runs = 3;

/** CPU seconds of the best of `runs`. */
function measure(text) {
  let best = null;
  for (let run = 0; run < runs; ++run) {
    const sim = engine.simulation(text);
    const start = process.cpuUsage();
    const { steps, iterations, time } = sim.advance(sim.duration);
    const used = process.cpuUsage(start);
    sim.dispose();
    const seconds = (used.user + used.system) / 1e6;
    if (!best || seconds < best.seconds) best = { steps, iterations, time, seconds };
  }
  return best;
}

const soft = { soft: { length: 0.2, section: { circle: { radius: 0.02 } }, strains: { twist: 1, bendY: 3, bendZ: 3 }, points: 5 } };
const arm = JSON.stringify({
  format: 'tendril/1',
  materials: { rubber: { youngs: 1e6, poisson: 0.5, density: 1000, damping: 1e4 } },
  linkages: { arm: { links: Object.fromEntries([0, 1, 2, 3, 4, 5].map((i) => [`l${i}`, { body: soft }])) } },
  environment: { gravity: [0, -9.81, 0] },
  solver: { dt: 5e-3, duration: 5 },
});

const gallery = ['soft-manipulator', 'obstacle-arm', 'gripper', 'hybrid-chain', 'quadruped'];
const cases = [
  ['six soft links, 60 coordinates, dt 5 ms', arm],
  ...gallery.map((name) => [`\`${name}\``, readFileSync(`${root}scenes/${name}.json`, 'utf8')]),
];
console.log('| case | steps | iterations | us a step | real time |\n| --- | --- | --- | --- | --- |');
for (const [name, text] of cases) {
  const { steps, iterations, time, seconds } = measure(text);
  console.log(`| ${name} | ${steps} | ${iterations} | ${((1e6 * seconds) / steps).toFixed(1)} | ${(time / seconds).toFixed(1)} x |`);
}
