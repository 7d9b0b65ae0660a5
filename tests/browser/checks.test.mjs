// Checks in the page, against the native program; what is taken along; and geometry texts that become scenes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cantilever, dropScene, open, program, start, untilItRan, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const checks = [
  { title: 'the tip sags', expect: 'tip.z < -1e-3' },
  { title: 'the tip sags little', expect: 'tip.z > -0.02', points: 2 },
  { title: 'a stiff arm hardly sags', with: { E: 1e8 }, expect: 'tip.z > -0.01', points: 0.5 },
  { title: 'a short arm is short', with: { length: 0.1 }, expect: 'tip.x < 0.1 + 1e-6' },
];
const withChecks = (options) => cantilever(options).replace(/\}$/, `, "checks": ${JSON.stringify(checks)}}`);
const sum = (page) => page.textContent('#checks-sum');
const untilSum = (page, words) =>
  page.waitForFunction((w) => document.querySelector('#checks-sum').textContent.includes(w), words);
const states = (page) => page.$$eval('#checks li', (items) => items.map((item) => item.className));

/** Points by `tendril check`, whatever its exit code. */
async function nativePoints(text) {
  const folder = await mkdtemp(join(tmpdir(), 'tendril-'));
  await writeFile(join(folder, 'scene.json'), text);
  const words = await new Promise((done) =>
    execFile(program, ['check', join(folder, 'scene.json')], (_, out) => done(out)),
  );
  await rm(folder, { recursive: true });
  return /^(\S+ of \S+) points$/m.exec(words)[1];
}

test('the run on screen decides its checks; "Run all checks" gives the points of the native program', async () => {
  const { page, context, errors } = await open(site);
  const text = withChecks({ title: 'Graded arm' });
  await dropScene(page, text);
  await untilTitle(page, 'Graded arm');
  await untilRun(page, 'finished');
  await untilSum(page, '1 of 4 passed, 1 failed, 2 not run yet');
  assert.deepEqual(await states(page), ['passed', 'failed', 'open', 'open']);
  await page.click('#checks-head');
  assert.match(await page.textContent('#checks li.failed'), /tip\.z = −/);
  assert.match(await page.textContent('#checks li.passed'), /= /);
  assert.match(await page.textContent('#checks'), /with Young's modulus: 100 MPa/);
  await page.click('#run-checks');
  await untilSum(page, `3 of 4 passed: ${await nativePoints(text)} points`);
  assert.deepEqual(await states(page), ['passed', 'failed', 'passed', 'passed']);

  await page.fill('#parameter-E-value', '20 MPa');
  await page.keyboard.press('Enter');
  await untilSum(page, '2 not run yet');
  await page.click('#run-checks');
  await page.waitForFunction(() => !/not run yet/.test(document.querySelector('#checks-sum').textContent));
  await page.click('#take-along');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('.menu button:has-text("Scene")')]);
  const taken = await readFile(await file.path(), 'utf8');
  assert.equal(taken, text.replace('"value": 1e6', '"value": 20000000'), 'the file holds the value that was set');
  assert.ok(
    (await sum(page)).includes(await nativePoints(taken)),
    `${await sum(page)} here, ${await nativePoints(taken)} natively`,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('long checks can be stopped while the scene runs on', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, withChecks({ mode: 'dynamic', duration: 3000, dt: 0.001, title: 'Long arm' }));
  await untilTitle(page, 'Long arm');
  await page.click('#checks-head');
  await page.click('#run-checks');
  await page.waitForFunction(() => document.querySelector('#run-checks').textContent === 'Stop');
  const before = Number(await page.getAttribute('#time', 'data-value'));
  await page.waitForFunction((t) => Number(document.querySelector('#time').dataset.value) > t, before);
  await page.click('#run-checks');
  await page.waitForFunction(() => document.querySelector('#run-checks').textContent === 'Run all checks');
  assert.match(await sum(page), /^4, not run yet: [\d.]+ points$/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a dropped geometry text becomes a scene, and a broken one shows its problems at their lines', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, '# a bar\n*Nodes\n0, 0, 0\n0.1, 0, 0\n0.2, 0, 0\n*Edges\n1, 2\n2, 3\n');
  await untilTitle(page, 'Imported geometry');
  await untilItRan(page);
  await dropScene(page, '# a bar\n*Nodes\n0, 0, 0\n0.1, zero, 0\n*Edges\n1, 2\n');
  await page.waitForSelector('#problems li.error');
  assert.match(await page.textContent('#problems li.error'), /line 4:.*zero/);
  assert.match(await page.textContent('.message.trouble'), /geometry/);
  assert.equal(await page.textContent('#scene-title'), 'Imported geometry');
  assert.deepEqual(errors, []);
  await context.close();
});

test('checks of a run that was pulled by hand say so, until it starts anew', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, withChecks({ title: 'Pulled arm' }));
  await untilTitle(page, 'Pulled arm');
  await untilRun(page, 'finished');
  const note = () => page.textContent('.checks-foot');
  assert.doesNotMatch(await note(), /pulled/);
  await page.keyboard.press('p');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('.checks-foot').textContent.includes('This run was pulled'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.waitForFunction(() => !document.querySelector('.checks-foot').textContent.includes('This run was pulled'));
  assert.deepEqual(errors, []);
  await context.close();
});
