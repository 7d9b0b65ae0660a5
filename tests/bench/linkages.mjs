// Linkages in the module: what a step costs in c, and simulated seconds per CPU second, of gallery scenes, and of an arm of six soft links with ten
// coordinates each at steps of 5 ms. Usage: node tests/bench/linkages.mjs
import { calibration, digits, engineOfModule, measure, sceneText } from './measure.mjs';

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
const c = calibration();
console.log('| linkages in WASM | steps | iterations/step | c/step | real time |\n| --- | --- | --- | --- | --- |');
for (const [name, text] of cases) {
  const { steps, iterations, time, seconds } = measure(engine, text);
  console.log(
    `| ${name} | ${steps} | ${(iterations / steps).toFixed(2)} | ${digits(seconds / steps / c)} | ${digits(time / seconds)} x |`,
  );
}
