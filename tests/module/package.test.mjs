// The package as its users get it: packed, installed into an empty project without network, imported, stepped.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { cantilever, packageFolder, root, scenesFolder } from './support.mjs';

const wasm = readFileSync(join(packageFolder, 'tendril.wasm'));
const rest = readFileSync(join(packageFolder, 'tendril-rest.wasm'));
const glue = readFileSync(join(packageFolder, 'tendril.mjs'), 'utf8');

// Of one module that had everything, rods alone were 334 kB; shells brought 90, contact 60, linkages 205, vines 60, energy that is
// kept and parts 55, runs with derivatives and residuals 20, what steps do not follow, what is told of it and what mends it the rest.
test('what scenes of rods and shells need is at most 685 kB compressed, the rest 695 kB', () => {
  for (const [part, most] of [
    [wasm, 685e3],
    [rest, 695e3],
  ]) {
    const size = gzipSync(part, { level: 9 }).length;
    assert.ok(size <= most, `${size} bytes`);
  }
});

test('the code needs no eval, so that a strict content policy allows it', () => {
  assert.doesNotMatch(glue, /\beval\(|new Function\(|Function\(["'`]/);
});

const npm = (folder, ...args) =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const { version, homepage, repository, bugs } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

/** An empty project with the packed module installed, without network. */
const folder = mkdtempSync(join(tmpdir(), 'package-'));
after(() => rmSync(folder, { recursive: true }));
const [{ filename, files }] = JSON.parse(npm(folder, 'pack', packageFolder, '--json', '--ignore-scripts'));
writeFileSync(
  join(folder, 'package.json'),
  '{"name": "elsewhere", "version": "1.0.0", "private": true, "type": "module"}',
);
npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
writeFileSync(join(folder, 'scene.json'), cantilever());
const node = (...args) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

test('the packed module holds what it needs and nothing else, and is called by the version', () => {
  assert.equal(filename, `tendril-engine-${version}.tgz`);
  assert.deepEqual(files.map(({ path }) => path).sort(), [
    'LICENSE',
    'NOTICES',
    'README.md',
    'arguments.mjs',
    'check.mjs',
    'engine.d.mts',
    'engine.mjs',
    'failures.mjs',
    'machine.mjs',
    'node.mjs',
    'owned.mjs',
    'package.json',
    'parts.mjs',
    'sensitivities.mjs',
    'tendril-rest.wasm',
    'tendril.mjs',
    'tendril.wasm',
  ]);
});

test('the package says where it comes from, at one address', () => {
  const address = homepage.replace(/#readme$/, '');
  assert.match(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'), new RegExp(`HOMEPAGE_URL "${address}"`));
  assert.deepEqual(
    [repository.url, repository.directory, bugs.url],
    [`git+${address}.git`, 'wasm', `${address}/issues`],
  );
});

test('installed into an empty project it runs a scene', () => {
  writeFileSync(
    join(folder, 'main.mjs'),
    `
    import { readFileSync } from 'node:fs';
    import { loadEngine } from '@tendril/engine';
    const engine = await loadEngine();
    const sim = engine.simulation(readFileSync('scene.json', 'utf8'));
    sim.advance(0.1);
    console.log(JSON.stringify({ version: engine.version, time: sim.time, tip: sim.probes()['tip.z'] }));`,
  );
  const result = JSON.parse(node('main.mjs'));
  assert.equal(result.version, version);
  assert.ok(Math.abs(result.time - 0.1) < 1e-9);
  assert.ok(result.tip < 0);
});

test('the examples run there', () => {
  cpSync(join(root, 'examples/javascript'), folder, {
    recursive: true,
    filter: (path) => !/package|node_modules/.test(path.slice(root.length)),
  });
  const lines = node('tip.mjs', join(scenesFolder, 'pluck.json'))
    .split('\n')
    .filter((line) => line.startsWith('t = '));
  assert.equal(lines.length, 10);
  assert.equal(
    node('grade.mjs', join(scenesFolder, 'cantilever.json')),
    `${join(scenesFolder, 'cantilever.json')}: done, 5 of 5 points\n`,
  );
  for (const name of ['tip.mjs', 'grade.mjs']) {
    const { status, stderr } = spawnSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' });
    assert.deepEqual([status, stderr.split(' ').slice(0, 3).join(' ')], [2, `Usage: node ${name}`]);
  }
});

test('its types are those that TypeScript sees', { timeout: 120_000 }, () => {
  const compile = (text) => {
    writeFileSync(join(folder, 'typed.mts'), text);
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(root, 'web/node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
        '--types',
        '',
        'typed.mts',
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    return { status, stdout };
  };
  const good = compile(`
    import { checkAll, loadEngine, readScene, type CheckReport } from '@tendril/engine';
    const engine = await loadEngine({ wasm: new URL('file:///tendril.wasm') });
    const text: string = await readScene('scene.json');
    const report: CheckReport = await checkAll(engine, [{ name: 'a', text }, 'scene.json'], { limit: 1, only: ['falls'] });
    const points: number = report.scenes[0]!.checks[0]!.points;
    console.log(points);`);
  assert.deepEqual(good, { status: 0, stdout: '' });
  const bad = compile(`
    import { readScene } from '@tendril/engine';
    await readScene(7);`);
  assert.match(bad.stdout, /'number' is not assignable/);
});

test('the engine starts from WebAssembly that is compiled already', async () => {
  const { loadEngine } = await import(`${packageFolder}/engine.mjs`);
  const compiled = { wasm: await WebAssembly.compile(wasm), rest: await WebAssembly.compile(rest) };
  for (const engine of [await loadEngine(compiled), await loadEngine(compiled)]) {
    const sim = engine.simulation(cantilever());
    assert.equal(sim.step().steps, 1);
    sim.dispose();
  }
});

test('the WebAssembly is found by path, URL, bytes and response', async () => {
  const entry = await import(`${packageFolder}/node.mjs`);
  const forms = (name, bytes) => {
    const path = join(packageFolder, name);
    return [path, pathToFileURL(path), pathToFileURL(path).href, bytes, new Response(bytes)];
  };
  const firsts = forms('tendril.wasm', wasm);
  const rests = forms('tendril-rest.wasm', rest);
  for (const at of firsts.keys()) {
    const engine = await entry.loadEngine({ wasm: firsts[at], rest: rests[at] });
    const sim = engine.simulation(readFileSync(join(scenesFolder, 'four-bar.json'), 'utf8'));
    assert.equal(sim.step().steps, 1);
    sim.dispose();
  }
  for (const option of ['wasm', 'rest']) {
    await assert.rejects(entry.loadEngine({ [option]: join(packageFolder, 'missing.wasm') }), { code: 'ENOENT' });
    await assert.rejects(
      entry.loadEngine({ [option]: 7 }),
      new RegExp(`${option} must be a URL, bytes, a Response or a WebAssembly.Module`),
    );
    await assert.rejects(entry.loadEngine({ [option]: new Response('', { status: 404 }) }), /answered 404/);
  }
});

test('the entry for browsers fetches both parts, and says so when it cannot', async () => {
  const { loadEngine } = await import(`${packageFolder}/engine.mjs`);
  const files = new Map([
    ['/tendril.wasm', wasm],
    ['/tendril-rest.wasm', rest],
  ]);
  const server = createServer((request, response) => {
    const file = files.get(request.url);
    if (!file) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'application/wasm' }).end(file);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${server.address().port}`;
  const both = { wasm: new URL(`${address}/tendril.wasm`), rest: `${address}/tendril-rest.wasm` };
  try {
    const engine = await loadEngine(both);
    const sim = engine.simulation(cantilever());
    assert.equal(sim.step().steps, 1);
    sim.dispose();
    for (const option of ['wasm', 'rest'])
      await assert.rejects(
        loadEngine({ ...both, [option]: `${address}/missing.wasm` }),
        /missing.wasm: the server answered 404/,
      );
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
