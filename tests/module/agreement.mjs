// Runs a scene natively and in WASM and compares the numbers: probes, and the last node of every body, to 1e-9 of the largest
// value of the same probe; with friction to a hundred times the tolerance that such scenes can be solved to.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEngine, program } from './support.mjs';

const engine = await loadEngine();
const steps = 200;
const solved = { smooth: 1e-12, rough: 1e-10 };
const allowedShare = { smooth: 1e-9, rough: 1e-8 };
const kindOf = (scene) => (scene.contact?.friction ? 'rough' : 'smooth');

/** The scene with a tight tolerance and a probe at the last node of every rod and shell and the tip of every linkage and vine. */
function tightened(text) {
  const scene = JSON.parse(engine.expand(text));
  // Friction is found by sweeps, which round-off ends earlier.
  scene.solver = { ...scene.solver, tolerance: solved[kindOf(scene)] };
  scene.probes = { ...scene.probes };
  for (const body of Object.keys({ ...scene.rods, ...scene.shells }))
    scene.probes[`end_of_${body}`] = { position: `${body}:last` };
  for (const body of Object.keys({ ...scene.linkages, ...scene.vines }))
    scene.probes[`end_of_${body}`] = { position: `${body}:tip` };
  return JSON.stringify(scene);
}

/** Rows of the native program, t first, up to `until` seconds; `whole`: half a step on, where it may give up. */
function nativeRows(text, until, whole) {
  const folder = mkdtempSync(join(tmpdir(), 'native-'));
  try {
    writeFileSync(join(folder, 'scene.json'), text);
    const args = ['run', join(folder, 'scene.json'), '--out', join(folder, 'out'), '--until', String(until)];
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.ok(status === 0 || (whole && status === 3), stderr);
    const [header, ...rows] = readFileSync(join(folder, 'out', 'probes.csv'), 'utf8')
      .trim()
      .split('\n');
    return { header: header.split(','), rows: rows.map((row) => row.split(',').map(Number)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same rows from the module; `whole`: up to the first step that is cut, which round-off may cut or not. */
function moduleRows(text, whole) {
  const sim = engine.simulation(text);
  try {
    const { columns: infos, dt, static: isStatic } = sim.info();
    const columns = infos.map(({ name }) => name);
    const rows = [[sim.time, ...sim.probeValues()]];
    for (let step = 0; step < steps && !sim.finished; ++step) {
      const before = sim.time;
      sim.step();
      if (whole && !isStatic && !sim.finished && sim.time - before < (1 - 1e-9) * dt) break;
      rows.push([sim.time, ...sim.probeValues()]);
    }
    const taken = whole ? rows.length - 1 : steps;
    return { columns, rows, until: isStatic ? sim.duration : Math.min(sim.duration, (taken + 0.5) * dt) };
  } finally {
    sim.dispose();
  }
}

/** Largest value of each column's probe ("tip" of "tip.x"), over all rows. */
function scales(columns, rows) {
  const largest = {};
  columns.forEach((name, column) => {
    const probe = name.split('.')[0];
    for (const row of rows) largest[probe] = Math.max(largest[probe] ?? 0, Math.abs(row[column + 1]));
  });
  return columns.map((name) => largest[name.split('.')[0]]);
}

/** Compares both programs over the first steps; `whole`: up to the first step that is cut. False: that is the first. */
export function compare(text, whole = false) {
  const scene = tightened(text);
  const share = allowedShare[kindOf(JSON.parse(scene))];
  const fromModule = moduleRows(scene, whole);
  const fromNative = nativeRows(scene, fromModule.until, whole);
  assert.deepEqual(fromNative.header, ['t', ...fromModule.columns]);
  const count = fromModule.rows.length;
  if (whole && count < 2) return false;
  assert.ok(count >= 2 && fromNative.rows.length >= count, `${fromNative.rows.length} native rows for ${count}`);
  const scale = [1, ...scales(fromModule.columns, fromModule.rows)];
  for (let row = 0; row < count; ++row) {
    fromModule.rows[row].forEach((value, column) => {
      const native = fromNative.rows[row][column];
      const allowed = share * scale[column] + 1e-13;
      assert.ok(
        Math.abs(value - native) <= allowed,
        `${fromNative.header[column]} at t = ${fromNative.rows[row][0]}: ${value} in WASM, ${native} natively, scale ${scale[column]}`,
      );
    });
  }
  return true;
}
