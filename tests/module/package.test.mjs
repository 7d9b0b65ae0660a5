// The package as a stranger gets it: packed, installed into an empty project without network, imported, stepped.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cantilever, packageFolder, root } from './support.mjs';

const wasm = readFileSync(join(packageFolder, 'tendril.wasm'));
const glue = readFileSync(join(packageFolder, 'tendril.mjs'), 'utf8');

// Rods alone were 334 kB; shells brought 90, contact 60, linkages 205, vines 60, energy that is kept and parts 55,
// the balance of linkages and stops per body 17, clamps that catch and loops that are led 12, what
// steps do not follow and ways of loops 15, watches by parts, flight and spins 9, equilibria under loads that follow 17,
// momentum in flight 4, profiles of bodies and what mends told 6, contact between points of links 25, restarts by parts, held
// twists, windows of drives and points that miss something 15, bodies that are apart until they meet 12, frames
// that fly along and what comes toward moving obstacles 12, the search for near obstacles 9. All of it is to shrink to 560.
test('the WebAssembly is at most 1045 kB compressed', () => {
  const size = gzipSync(wasm, { level: 9 }).length;
  assert.ok(size <= 1045e3, `${size} bytes`);
});

test('the code needs no eval, so that a strict content policy allows it', () => {
  assert.doesNotMatch(glue, /\beval\(|new Function\(|Function\(["'`]/);
});

test('packed and installed into an empty project it runs a scene', () => {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [{ filename, files }] = JSON.parse(npm('pack', packageFolder, '--json', '--ignore-scripts'));
    assert.deepEqual(files.map(({ path }) => path).sort(), ['LICENSE', 'NOTICES', 'README.md', 'engine.d.mts', 'engine.mjs', 'node.mjs',
      'package.json', 'tendril.mjs', 'tendril.wasm']);
    writeFileSync(join(folder, 'package.json'), '{"name": "stranger", "version": "1.0.0", "private": true}');
    npm('install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
    writeFileSync(join(folder, 'scene.json'), cantilever());
    writeFileSync(join(folder, 'main.mjs'), `
      import { readFileSync } from 'node:fs';
      import { loadEngine } from '@tendril/engine';
      const engine = await loadEngine();
      const sim = engine.simulation(readFileSync('scene.json', 'utf8'));
      sim.advance(0.1);
      console.log(JSON.stringify({ version: engine.version, time: sim.time, tip: sim.probes()['tip.z'] }));`);
    const result = JSON.parse(execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' }));
    assert.equal(result.version, JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version);
    assert.ok(Math.abs(result.time - 0.1) < 1e-9);
    assert.ok(result.tip < 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the versions of the package, the engine and the build agree', () => {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  assert.match(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'), new RegExp(`project\\(tendril VERSION ${version.replaceAll('.', '\\.')} `));
});

test('the engine starts from a WebAssembly that is compiled already, and fails with one that is not its own', async () => {
  const { loadEngine } = await import(`${packageFolder}/engine.mjs`);
  const wasmModule = await WebAssembly.compile(wasm);
  for (const engine of [await loadEngine({ wasmModule }), await loadEngine({ wasmModule })]) {
    const sim = engine.simulation(cantilever());
    assert.equal(sim.step().steps, 1);
    sim.dispose();
  }
  const foreign = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 121, 0, 0));
  await assert.rejects(loadEngine({ wasmModule: foreign }));
});

test('the entry for browsers fetches the WebAssembly, and says so when it cannot', async () => {
  const { loadEngine } = await import(`${packageFolder}/engine.mjs`);
  const server = createServer((request, response) => {
    if (request.url !== '/tendril.wasm') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'application/wasm' }).end(wasm);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    const engine = await loadEngine({ wasmUrl: `${address}/tendril.wasm` });
    const sim = engine.simulation(cantilever());
    assert.equal(sim.step().steps, 1);
    sim.dispose();
    await assert.rejects(loadEngine({ wasmUrl: `${address}/missing.wasm` }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
