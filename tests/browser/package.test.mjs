// The packed module in a fresh app that Vite builds: found by its bundler, fetched by its page, with a strict content policy.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open, start } from './support.mjs';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const app = mkdtempSync(join(tmpdir(), 'app-'));
after(() => rmSync(app, { recursive: true }));

const scene = `{
  "format": "tendril/1",
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
  "rods": {"arm": {"section": {"circle": {"radius": 2e-3}},
                   "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": 0.01, "duration": 0.1},
  "probes": {"tip": {"position": "arm:last"}},
  "checks": [{"title": "falls", "at": "end", "expect": "tip.z < 0"}]
}`;

const main = `
import { checkAll, loadEngine, readScene } from '@tendril/engine';
try {
  const engine = await loadEngine();
  const sim = engine.simulation(await readScene('scene.json'));
  sim.advance(0.1);
  const { passed, failed } = await checkAll(engine, ['scene.json']);
  document.body.dataset.result = JSON.stringify({ tip: sim.probes()['tip.z'], passed, failed });
} catch (error) {
  document.body.dataset.result = JSON.stringify({ error: String(error) });
}`;

test('a fresh app made with Vite loads the engine and steps and checks a scene', async () => {
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(run('npm', 'pack', place('build/wasm/package'), '--json', '--ignore-scripts'));
  writeFileSync(join(app, 'package.json'), '{"name": "app", "version": "1.0.0", "private": true, "type": "module"}');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', join(app, filename));
  mkdirSync(join(app, 'public'));
  writeFileSync(join(app, 'public/scene.json'), scene);
  writeFileSync(join(app, 'main.js'), main);
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>App</title><body><script type="module" src="./main.js"></script></body></html>',
  );
  run(process.execPath, place('web/node_modules/vite/bin/vite.js'), 'build', '--base', './', '--logLevel', 'error');

  const site = await start({}, null, join(app, 'dist'));
  try {
    const { page, errors, requests } = await open(site);
    await page.waitForFunction(() => document.body.dataset.result);
    const result = JSON.parse(await page.evaluate(() => document.body.dataset.result));
    assert.equal(result.error, undefined);
    assert.ok(result.tip < 0, `the tip falls, to ${result.tip}`);
    assert.deepEqual([result.passed, result.failed], [1, 0]);
    assert.deepEqual(errors, []);
    assert.equal(requests.filter((address) => address.endsWith('.wasm')).length, 2);
  } finally {
    await site.close();
  }
});
