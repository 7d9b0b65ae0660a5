// The machine laid open, in JavaScript: names, matrices, modes and the places of probes, as the program gives them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from './support.mjs';

const engine = await loadEngine();

const beam = JSON.stringify({
  format: 'tendril/1',
  parameters: { F: { value: 0, min: -1, max: 1 } },
  rods: {
    beam: {
      section: { stiffness: { EA: 1e6, EI1: 2, EI2: 2, GJ: 1 }, massPerLength: 0.7, radius: 1e-3 },
      segments: 40,
      path: { line: { from: [0, 0, 0], to: [1.3, 0, 0] } },
    },
  },
  constraints: [{ clamp: 'beam:first' }, { planar: 'xz' }],
  loads: [{ force: [0, 0, '=F'], at: 'beam:last' }],
  solver: { duration: 1 },
  probes: { tip: { position: 'beam:last' } },
});

const dense = ({ rows, columns, row, column, value }) => {
  const out = Array.from({ length: rows }, () => new Float64Array(columns));
  value.forEach((one, i) => {
    out[row[i]][column[i]] += one;
  });
  return out;
};

test('a machine gives matrices with the names of what they mean', () => {
  const sim = engine.simulation(beam);
  const machine = sim.machine();
  const names = machine.coordinates();
  const linear = machine.linearize({ inputs: ['F'], outputs: ['tip.z'] });
  assert.deepEqual(linear.coordinates, names);
  assert.deepEqual([linear.inputs, linear.outputs], [['F'], ['tip.z']]);
  const tip = names.indexOf('beam:40.z');
  const B = dense(linear.actuation);
  assert.ok(Math.abs(B[tip][0] - 1) < 1e-9, 'the force acts on the tip');
  const C = dense(linear.space.C);
  assert.ok(Math.abs(C[0][linear.space.states.indexOf('beam:40.z')] - 1) < 1e-9);
  assert.equal(linear.space.A.rows, linear.space.states.length);
  assert.equal(machine.linearize({ space: false }).space, undefined);
  machine.dispose();
  assert.throws(() => machine.values(), /disposed/);
  sim.dispose();
});

test('its modes are those of theory, and the run goes on as if it had not been asked', () => {
  const sim = engine.simulation(beam);
  const before = sim.save();
  const machine = sim.machine();
  const modes = machine.modes(2);
  const exact = (1.8751040687 / 1.3) ** 2 * Math.sqrt(2 / 0.7);
  assert.ok(Math.abs((2 * Math.PI * modes[0].frequency) / exact - 1) < 2e-3);
  const moved = machine.shaped(modes[0].shape, 0.1);
  assert.equal(moved.length, sim.snapshot().positions.length);
  assert.deepEqual(sim.save(), before);
  machine.solveFor({ 'tip.z': 0.1 });
  assert.ok(Math.abs(machine.values()[2] - 0.1) < 1e-9);
  machine.dispose();
  sim.dispose();
});

test('what cannot be is said with its reason', () => {
  const sim = engine.simulation(beam);
  const machine = sim.machine();
  assert.throws(() => machine.linearize({ inputs: ['nothing'] }), /"nothing" is no input/);
  assert.throws(() => machine.linearize({ space: true, sparse: 1 }), /unknown option "sparse"/);
  assert.throws(() => machine.jacobian('tip.x'), /the columns must be a list of names/);
  assert.throws(() => machine.displace([1, 2]), /coordinates/);
  assert.throws(
    () => machine.criticalLoads(),
    (error) => error.code === 3 && /static/.test(error.message),
  );
  machine.dispose();
  sim.dispose();
  const vine = engine.simulation(
    '{"format": "tendril/1", "vines": {"v": {"bodies": 10, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04, "bendingStiffness": 0.02, "growth": 0.1}}}',
  );
  assert.throws(
    () => vine.machine().linearize(),
    (error) => error.code === 3 && /grows/.test(error.message),
  );
  vine.dispose();
});

test('places and states: kinematics of a tip, and a state that is gone to and back', () => {
  const sim = engine.simulation(beam);
  const machine = sim.machine();
  const names = machine.coordinates();
  const { q, v } = machine.state();
  assert.equal(q.length, names.length);
  const tip = names.indexOf('beam:40.z');
  assert.ok(Math.abs(machine.kinematics('beam:last').position[0] - 1.3) < 1e-12);
  const there = q.slice();
  there[tip] = 0.01;
  const rates = v.slice();
  rates[tip] = 2;
  machine.setState(there, rates);
  const end = machine.kinematics('beam:last');
  assert.ok(Math.abs(end.position[2] - 0.01) < 1e-12);
  assert.ok(Math.abs(end.velocity[2] - 2) < 1e-12);
  assert.equal(end.rotation.length, 4);
  assert.equal(end.spin.length, 3);
  const J = dense(end.jacobian);
  assert.equal(J.length, 6);
  assert.ok(Math.abs(J[2][tip] - 1) < 1e-12);
  const edge = [1.3 / 40, 0.01];
  const turn = edge[0] / (edge[0] ** 2 + edge[1] ** 2);
  assert.ok(Math.abs(J[4][tip] + turn) < 1e-9, 'the last edge turns with its end');
  assert.ok(Math.abs(machine.linearize({ space: false }).forces[tip]) > 0, 'it is bent');
  machine.setState(q);
  assert.deepEqual([...machine.state().q], [...q]);
  assert.deepEqual(machine.omitted(), []);
  assert.throws(() => machine.kinematics('nothing'), /unknown/);
  assert.throws(() => machine.kinematics(3), /the place must be a string/);
  assert.throws(() => machine.setState([1, 2]), /coordinates/);
  machine.dispose();
  sim.dispose();
});
