// Linkages in the module: simulated seconds per CPU second of gallery scenes, and of an arm of six soft links with ten
// coordinates each at steps of 5 ms. Usage: node tests/bench/linkages.mjs
import { engineOfModule, measure, sceneText } from './measure.mjs';

const engine = await engineOfModule();
const soft = {
  soft: { length: 0.2, section: { circle: { radius: 0.02 } }, strains: { twist: 1, bendY: 3, bendZ: 3 }, points: 5 },
};
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
  ...gallery.map((name) => [`\`${name}\``, sceneText(name)]),
];
console.log('| case | steps | iterations | us a step | real time |\n| --- | --- | --- | --- | --- |');
for (const [name, text] of cases) {
  const { steps, iterations, time, seconds } = measure(engine, text);
  console.log(
    `| ${name} | ${steps} | ${iterations} | ${((1e6 * seconds) / steps).toFixed(1)} | ${(time / seconds).toFixed(1)} x |`,
  );
}
