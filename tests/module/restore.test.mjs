// Saving in the middle of a run and going on from there, in a new simulation, changes nothing: every scene of the gallery.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadEngine, scenesFolder } from './support.mjs';

const engine = await loadEngine();
const gallery = readdirSync(scenesFolder).filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'));

function steps(sim, count) {
  for (let step = 0; step < count && !sim.finished; ++step) sim.step();
}

for (const file of gallery) {
  test(`${file.replace(/\.json$/, '')}: a restored run continues bit for bit`, () => {
    const text = readFileSync(join(scenesFolder, file), 'utf8');
    const whole = engine.simulation(text);
    const resumed = engine.simulation(text);
    try {
      steps(whole, whole.info().static ? 1 : 20);
      const middle = whole.save();
      steps(whole, 20);
      resumed.restore(middle);
      steps(resumed, 20);
      assert.equal(resumed.time, whole.time);
      assert.deepEqual(resumed.probes(), whole.probes());
      assert.deepEqual(resumed.snapshot().positions.slice(), whole.snapshot().positions.slice());
      assert.deepEqual(resumed.save(), whole.save());
    } finally {
      whole.dispose();
      resumed.dispose();
    }
  });
}
