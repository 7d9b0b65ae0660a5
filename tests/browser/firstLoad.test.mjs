// The first load over a slow line, with nothing kept from before: what is asked for, in which order, how often and how large.
// Times are told, not judged: they are the machine's.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dist, patience, start } from './support.mjs';

/** 1.6 Mbit/s and 150 ms. */
const line = { latency: 150, rate: 200_000 };
/** Of the first script with its style sheet, compressed [bytes]. */
const most = 200_000;

/** Of the engine: what scenes of rods and shells need, and the rest. */
const firstPart = /^assets\/tendril-(?!rest-)[\w-]+\.wasm$/;
const secondPart = /^assets\/tendril-rest-[\w-]+\.wasm$/;

const assets = readdirSync(join(dist, 'assets'));
let site;
before(async () => {
  site = await start({}, line);
  // Compresses the largest files, so that the server's work is no part of the load.
  for (const name of assets.filter((one) => /^(index|tendril|worker)-/.test(one)))
    await (await fetch(`${site.url}assets/${name}`)).arrayBuffer();
});
after(() => site.close());

const size = (path) => gzipSync(readFileSync(join(dist, path))).length;
const kB = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
const seconds = (ms) => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never');

test('the first script and its style are at most 200 kB, compressed', (t) => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const asked = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]);
  const scripts = asked.filter((path) => path.endsWith('.js'));
  const styles = asked.filter((path) => path.endsWith('.css'));
  const sum = (paths) => paths.reduce((total, path) => total + size(path), 0);
  const worker = assets.find((name) => /^worker-.*\.js$/.test(name));
  const wasm = assets.find((name) => firstPart.test(`assets/${name}`));
  const rest = assets.find((name) => secondPart.test(`assets/${name}`));
  t.diagnostic(
    `scripts ${kB(sum(scripts))}, styles ${kB(sum(styles))}, worker ${kB(size(`assets/${worker}`))}, engine ${kB(size(`assets/${wasm}`))} and ${kB(size(`assets/${rest}`))}`,
  );
  assert.ok(scripts.length > 0 && styles.length > 0);
  assert.ok(sum(asked) <= most, `${sum(asked)} bytes: ${asked.join(', ')}`);
});

/** Waits until a file was sent, as long as the browser's own waits do. */
async function untilSent(kind) {
  const begin = performance.now();
  while (!site.sent.some(({ path }) => kind.test(path))) {
    if (performance.now() - begin > patience) throw new Error(`${kind} was not asked for`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

test('before the first drawn step only what it takes is asked for, each file once', async (t) => {
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /preload/.test(message.text())) errors.push(message.text());
  });
  await page.addInitScript(() => {
    const look = () => {
      const picture = document.querySelector('#poster');
      if (picture && !picture.hidden) performance.mark('first-picture');
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  site.sent.length = 0;
  await page.goto(site.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-step').length > 0);
  const { marks, early } = await page.evaluate((base) => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
    const step = at('first-step');
    const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= step);
    return {
      marks: { paint: at('first-contentful-paint'), picture: at('first-picture'), step },
      early: files.map(({ name }) => name.slice(base.length)),
    };
  }, site.url);
  // What a browser asks for by itself, and may ask for again when the address changes.
  const paths = early.filter((path) => path !== 'favicon.svg').map((path) => path.replace(/\?.*/, ''));
  const kinds = [
    /^start\.css$/,
    /^start\.js$/,
    /^poster\.js$/,
    /^pictures\/poster-light\.png$/,
    /^scenes\/tentacle\.json$/,
    /^assets\/index-[\w-]+\.js$/,
    /^assets\/index-[\w-]+\.css$/,
    /^assets\/worker-[\w-]+\.js$/,
    firstPart,
  ];
  const sent = site.sent.filter(({ path }) => path === 'index.html' || paths.includes(path));
  const bytes = sent.reduce((total, file) => total + file.bytes, 0);
  t.diagnostic(
    `first paint ${seconds(marks.paint)}, first picture ${seconds(marks.picture)}, first drawn step ${seconds(marks.step)}, ` +
      `until then ${sent.length} files of ${kB(bytes)}`,
  );
  assert.deepEqual(
    paths.filter((path) => !kinds.some((kind) => kind.test(path))),
    [],
  );
  // The rest comes afterwards.
  for (const kind of [
    secondPart,
    /plots-.*\.js$/,
    /catalog-.*\.js$/,
    /editor-.*\.js$/,
    /pages-.*\.js$/,
    /scenes\/cantilever\.json/,
  ])
    await untilSent(kind);
  await page.waitForFunction(() => document.querySelector('.plot canvas'));
  for (const kind of [...kinds, secondPart, /plots-.*\.js$/, /catalog-.*\.js$/])
    assert.equal(
      site.sent.filter(({ path }) => kind.test(path)).length,
      1,
      `${kind} in ${site.sent.map(({ path }) => path).join(' ')}`,
    );
  assert.deepEqual(errors, []);
  await context.close();
});

test('the document asks for the engine, the worker and the text of the scene, before the script of the page has come', async () => {
  const context = await site.browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  site.sent.length = 0;
  let release = () => {};
  const held = new Promise((done) => {
    release = done;
  });
  await page.route(/assets\/index-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.url}?scene=cantilever`, { waitUntil: 'commit' });
  const kinds = [firstPart, /^assets\/worker-[\w-]+\.js$/, /^scenes\/cantilever\.json$/];
  for (const kind of kinds) await untilSent(kind);
  release();
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  const paths = site.sent.map(({ path }) => path);
  for (const kind of kinds)
    assert.equal(paths.filter((path) => kind.test(path)).length, 1, `${kind}: ${paths.join(' ')}`);
  assert.equal(
    await page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /tentacle/.test(name))),
    false,
  );
  await context.close();
});

test('a scene of linkages brings the second part of the engine along, once', async () => {
  const context = await site.browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  site.sent.length = 0;
  await page.goto(`${site.url}?scene=four-bar`, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-step').length > 0);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.scene), 'four-bar');
  for (const part of [firstPart, secondPart])
    assert.equal(site.sent.filter(({ path }) => part.test(path)).length, 1, `${part}`);
  await context.close();
});
