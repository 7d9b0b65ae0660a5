// checkAll() says of scenes what `tendril check --json` says, whatever becomes of them; scenes are named by paths, URLs and texts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cantilever, checkAll, loadEngine, program, readScene } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'checks-'));
after(() => rmSync(folder, { recursive: true }));
const engine = await loadEngine();

/** The cantilever of these tests with other top-level keys, written to a file; its path. */
function saved(name, keys) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(cantilever({ segments: 6, duration: 0.1 })), ...keys }));
  return path;
}

const paths = {
  mixed: saved('mixed', {
    checks: [
      { title: 'falls', at: 'end', expect: 'tip.z < 0', points: 2 },
      { title: 'longer', at: 'end', expect: 'tip.x > 0.25', with: { length: 0.3 } },
      { title: 'rises', at: 0.05, expect: 'tip.z > 0' },
      { title: 'longer still falls', at: 'end', expect: 'tip.z < 0', with: { length: 0.3 }, points: 0.5 },
    ],
  }),
  none: saved('none', { checks: [] }),
  bad: saved('bad', {
    solver: { dt: -1 },
    rods2: 1,
    checks: [{ title: 'falls', at: 'end', expect: 'tip.z < 0', points: 2 }, { expect: 'tip.z < 1' }],
  }),
  commented: saved('commented', { solver: { dt: -1 }, checks: [{ title: 'a // b', expect: 'tip.z < 0' }] }),
  badRun: saved('bad-run', { checks: [{ title: 'too short', at: 'end', expect: 'tip.z < 1', with: { length: 0 } }] }),
  gaveUp: saved('gave-up', {
    loads: [{ force: [0, 0, '=sqrt(0.055 - t)'], at: 'arm:last' }],
    checks: [
      { title: 'early', at: 0.02, expect: 'tip.z < 1' },
      { title: 'late', at: 'end', expect: 'tip.z < 0' },
    ],
  }),
  gaveUpLate: saved('gave-up-late', {
    loads: [{ force: [0, 0, '=sqrt(0.055 - t)'], at: 'arm:last' }],
    checks: [{ title: 'early', at: 0.02, expect: 'tip.z < 1' }],
  }),
};

writeFileSync(paths.commented, `// first\n${await readScene(paths.commented)} /* last */`);

/** Without the times of this machine and the last digits, in which native and WASM differ. */
const plain = (report) =>
  JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (key === 'wallSeconds') return undefined;
      return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
    }),
  );

function native(scenes, ...options) {
  const { stdout, stderr } = spawnSync(program, ['check', '--json', ...options, ...scenes], { encoding: 'utf8' });
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}

test('it reports what the command line reports of scenes that pass, fail, do not load and give up', async () => {
  const scenes = Object.values(paths);
  const report = await checkAll(engine, scenes);
  assert.deepEqual(plain(report), plain(native(scenes)));
  assert.deepEqual(
    report.scenes.map(({ status }) => status),
    ['done', 'done', 'bad scene', 'bad scene', 'bad scene', 'gave up', 'gave up'],
  );
});

test('parameters and titles are chosen as by --set and --only', async () => {
  const report = await checkAll(engine, [paths.mixed], { overrides: { length: 0.3 }, only: ['falls', 'longer'] });
  const expected = native([paths.mixed], '--set', 'length=0.3', '--only', 'falls', '--only', 'longer');
  assert.deepEqual(plain(report), plain(expected));
  assert.equal(report.passed + report.failed, 2);
});

test('a limit ends a scene, whose open checks fail, and the next one runs', async () => {
  const long = saved('long', {
    solver: { dt: 1e-3, duration: 1e6 },
    checks: [{ title: 'late', at: 'end', expect: 'tip.z < 0' }],
  });
  const report = await checkAll(engine, [long, paths.none], { limit: 0.3 });
  assert.deepEqual(
    report.scenes.map(({ status }) => status),
    ['out of time', 'done'],
  );
  assert.match(report.scenes[0].checks[0].reason, /^took longer than 0\.3 s at t = [\d.]+ s$/);
  assert.equal(report.failed, 1);
});

test('a scene is read from a path, a file: URL, as object or text, and from a server', async () => {
  const text = await readScene(paths.mixed);
  assert.equal(JSON.parse(text).title, 'Cantilever');
  assert.equal(await readScene(pathToFileURL(paths.mixed)), text);
  assert.equal(await readScene(pathToFileURL(paths.mixed).href), text);
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/a.json' ? 200 : 404).end(text),
  );
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const address = `http://127.0.0.1:${server.address().port}`;
    assert.equal(await readScene(`${address}/a.json`), text);
    assert.equal(await readScene(new URL(`${address}/a.json`)), text);
    await assert.rejects(readScene(`${address}/b.json`), /b\.json: the server answered 404/);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  await assert.rejects(readScene(join(folder, 'missing.json')), { code: 'ENOENT' });
  await assert.rejects(readScene(7), TypeError);
});

test('a scene is named in the report as it was given', async () => {
  const report = await checkAll(engine, [pathToFileURL(paths.none), { name: 'handed in', text: cantilever() }], {
    only: ['falls'],
  });
  assert.deepEqual(
    report.scenes.map(({ scene }) => scene),
    [pathToFileURL(paths.none).href, 'handed in'],
  );
  assert.equal(report.passed, 1);
});
