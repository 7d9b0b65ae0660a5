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

test('a title that no scene has is refused, unless some scene does not tell its titles', async () => {
  const refused = { message: 'only: no check is called "nope"' };
  await assert.rejects(checkAll(engine, [paths.mixed, paths.none], { only: ['falls', 'nope'] }), refused);
  await assert.rejects(checkAll(engine, [paths.commented], { only: ['nope'] }), refused);
  const report = await checkAll(engine, [paths.mixed, { text: '{"checks": [' }], { only: ['nope'] });
  assert.equal(report.failed, 1);
});

test('what is no engine, list of scenes or known option is named', async () => {
  const refuses = (message, ...args) => assert.rejects(checkAll(...args), { name: 'TypeError', message });
  const wrong = {
    only: ['falls', null, { 0: 'falls' }, [7]],
    limit: [-1, 0, null, NaN, 'a', '60'],
    overrides: [null, 'E=1', ['E']],
  };
  for (const [option, values] of Object.entries(wrong))
    for (const value of values)
      await refuses(new RegExp(`^(a title of )?${option} must be `), engine, [paths.mixed], { [option]: value });
  await refuses(/unknown option "nope": checkAll takes overrides, only and limit/, engine, [paths.mixed], { nope: 1 });
  await refuses(/the options of checkAll must be an object, not null/, engine, [paths.mixed], null);
  await refuses(/the scenes must be a list .*, not ".*mixed\.json"/, engine, paths.mixed);
  await refuses(/the scenes must be a list .*, not an object/, engine, { text: cantilever() });
  await refuses(/the scenes must be a list .*, not a promise: await it/, engine, Promise.resolve([paths.mixed]));
  await refuses(/the place of a scene must be .*, not a promise: await it/, engine, [readScene(paths.mixed)]);
  await refuses(/the text of a scene must be a string, not a promise: await it/, engine, [
    { text: readScene(paths.mixed) },
  ]);
  await refuses(/the engine must be what loadEngine gives, not a promise: await it/, loadEngine(), [paths.mixed]);
  await refuses(/the engine must be what loadEngine gives, not null/, null, [paths.mixed]);
});

test('a file of another encoding is refused where that begins, and fails its scene', async () => {
  const path = join(folder, 'latin.json');
  const other = '\n"b": "\u{1f40d}ä'; // its last letter is cut: one byte of two
  const cases = [
    [Buffer.from('abc\xff', 'latin1'), 1, 4],
    [Buffer.concat([Buffer.from(`{"title": "a",${other}"`), Buffer.from('\xe4"}', 'latin1')]), 2, 10],
    [Buffer.from(`{"title": "a",${other}`).subarray(0, -1), 2, 8],
    [Buffer.concat([Buffer.from('{\r\n\r\n '), Buffer.from('\xff', 'latin1')]), 3, 2],
  ];
  for (const [bytes, line, column] of cases) {
    writeFileSync(path, bytes);
    const message = `${path}:${line}:${column}: the text is not valid UTF-8 from here on: save the file as UTF-8`;
    await assert.rejects(readScene(path), { message, code: 2 });
    assert.deepEqual(plain(await checkAll(engine, [path, paths.none])), plain(native([path, paths.none])));
  }
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
  const served = { '/a.json': text, '/c.json': Buffer.from([0x7b, 0xff]) };
  const server = createServer(({ url }, response) => response.writeHead(url in served ? 200 : 404).end(served[url]));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const address = `http://127.0.0.1:${server.address().port}`;
    assert.equal(await readScene(`${address}/a.json`), text);
    assert.equal(await readScene(new URL(`${address}/a.json`)), text);
    await assert.rejects(readScene(`${address}/b.json`), /b\.json: the server answered 404/);
    await assert.rejects(readScene(`${address}/c.json`), /c\.json:1:2: the text is not valid UTF-8/);
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
