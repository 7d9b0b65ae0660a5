// The module's speed as users feel it: what a step and an iteration cost in c, for the
// vibrating cantilevers and the helices with the time steps of the DisMech paper's table II, a chain of 100 segments,
// 200 against 20,000 nodes, cloth, parachute and manta ray, sheets of 5,041 and 19,881 vertices. Usage: node tests/bench/module.mjs
import { calibration, digits, engineOfModule, measure, sceneWith } from './measure.mjs';

const engine = await engineOfModule();
const scene = (name, parameters, solver) => sceneWith(engine, name, parameters, solver);

function rod(segments, length, material, more) {
  return JSON.stringify({
    format: 'tendril/1',
    materials: { rubber: material },
    rods: {
      rod: {
        section: { circle: { radius: 5e-3 } },
        segments,
        path: { line: { from: [0, 0, 0], to: [length, 0, 0] } },
        ...more.rod,
      },
    },
    constraints: more.constraints,
    environment: { gravity: more.gravity ?? [0, 0, 0] },
    solver: more.solver,
    probes: { tip: { position: 'rod:last' } },
  });
}

const chain = rod(
  100,
  1,
  { youngs: 1e8, poisson: 0.4, density: 1000 },
  { constraints: [{ fix: 'rod:first' }], gravity: [0, 0, -9.81], solver: { dt: 2e-3, duration: 10 } },
);
/** The same edges and curls at any length. */
const curls = (n) =>
  rod(
    n,
    5e-3 * n,
    { youngs: 1e6, poisson: 0.5, density: 1000 },
    {
      rod: { natural: { curvature: ['=5*sin(10*pi*s)', 2] } },
      constraints: [{ clamp: 'rod:first' }],
      solver: { dt: 5e-3, duration: n > 1000 ? 0.05 : 0.5, tolerance: 1e-6 },
    },
  );

/** A square sheet of n x n vertices, held along one side, begins to fall. */
const sheet = (n, bending) =>
  JSON.stringify({
    format: 'tendril/1',
    materials: { rubber: { youngs: 1e7, poisson: 0.3, density: 1000 } },
    shells: {
      sheet: {
        thickness: 1e-3,
        bending,
        mesh: {
          rectangle: {
            corner: [0, 0, 0],
            along: [1, 0, 0],
            across: [0, 1, 0],
            edge: 1 / (n - 1),
            pattern: 'right-isosceles',
          },
        },
      },
    },
    constraints: [{ fix: { of: 'sheet', where: 'x < 1e-6' } }],
    environment: { gravity: [0, 0, -9.81] },
    solver: { dt: 5e-3, duration: n > 100 ? 0.01 : 0.03 },
    probes: { tip: { position: 'sheet@[1, 0, 0]' } },
  });

const cases = [
  ['cantilever-a1', 0.5],
  ['cantilever-a2', 0.05],
  ['helix-b1', 6e-3],
  ['helix-b2', 3e-3],
].flatMap(([name, dt]) =>
  [1e-8, 1e-6].map((tolerance) => [`${name}, tolerance ${tolerance}`, scene(name, { dt }, { tolerance })]),
);
cases.push(
  ['chain of 100 segments, 2 ms', chain],
  ['200 edges', curls(200)],
  ['20,000 edges', curls(20000)],
  ['cloth, 2 ms', scene('cloth', { Cd: 0 }, {})],
  ['cloth in air', scene('cloth', {}, {})],
  ['parachute', scene('parachute', {}, {})],
  ['parachute, tolerance 1e-8', scene('parachute', { tolerance: 1e-8 }, {})],
  ['manta ray', scene('manta-ray', {}, {})],
);
for (const bending of ['hinge', 'midedge']) {
  for (const n of [71, 141]) cases.push([`shell of ${n * n} vertices, ${bending}`, sheet(n, bending)]);
}

const c = calibration();
console.log('| rods and shells in WASM | iterations/step | c/step | c/iteration | c/node/iteration | real time |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [name, text] of cases) {
  const { nodes, steps, iterations, time, seconds } = measure(engine, text);
  const spent = seconds / c;
  console.log(
    `| ${name} | ${(iterations / steps).toFixed(2)} | ${digits(spent / steps)} | ${digits(spent / iterations)} | ` +
      `${digits(spent / (nodes * iterations))} | ${digits(time / seconds)} x |`,
  );
}
