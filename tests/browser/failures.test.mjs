// What does not arrive leaves words and a way on, never emptiness: parts of the page, its engine, the page itself, a browser
// without compression, a page that is opened as a file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cantilever, dist, dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** The page again, without the files that match; the function lets them through from then on. */
async function without(files, options = {}) {
  const opened = await open(site, 'favicon.svg', options);
  await opened.context.route(files, (route) => route.abort());
  await opened.page.goto(site.url);
  return { ...opened, mend: () => opened.context.unroute(files) };
}

test('an editor that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/editor-/);
  await untilRun(page, 'playing');
  await page.keyboard.press('e');
  await page.waitForSelector('.editor-host .missing');
  assert.match(await page.textContent('.editor-host'), /The editor could not be loaded/);
  await page.click('.missing button:has-text("Try again")');
  await page.waitForSelector('.editor-host .missing');
  await mend();
  await page.click('.missing button:has-text("Try again")');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  await context.close();
});

test('a guide that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/pages-/);
  await untilRun(page, 'playing');
  await page.keyboard.press('h');
  await page.waitForSelector('#guide .missing');
  await mend();
  await page.click('#guide .missing button:has-text("Try again")');
  await page.waitForFunction(() => document.querySelector('#guide-text').dataset.page === 'index');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await context.close();
});

test('plots that do not arrive leave words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/plots-.*\.js/);
  await page.waitForSelector('#panel-plots .missing');
  assert.match(await page.textContent('#panel-plots'), /The plots could not be loaded/);
  await mend();
  await page.click('#panel-plots .missing button:has-text("Try again")');
  await page.waitForSelector('.plot canvas');
  await context.close();
});

test('a gallery that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/catalogue-/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.waitForSelector('#gallery .missing');
  await mend();
  await page.click('#gallery .missing button:has-text("Try again")');
  await page.waitForSelector('.card[data-scene="cantilever"]');
  await context.close();
});

test('a scene whose text does not arrive leaves the one on screen, words, and a retry that works', async () => {
  const { page, context, mend } = await without(/scenes\/cantilever\.json/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.click('.card[data-scene="cantilever"]');
  await page.waitForSelector('.message.trouble[data-key="text"]');
  assert.equal(await page.getAttribute('html', 'data-scene'), 'tentacle');
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  assert.equal(await page.locator('.message[data-key="text"]').count(), 0);
  await context.close();
});

test('a first scene whose text does not arrive is not an empty page for ever', async () => {
  const { page, context, mend } = await without(/scenes\/tentacle\.json/);
  await page.waitForSelector('.message.trouble[data-key="text"]');
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await untilRun(page, 'playing');
  await context.close();
});

test('a gallery without its pictures opens scenes all the same', async () => {
  const { page, context } = await without(/pictures\/.*\.png$/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.waitForFunction(() => !document.querySelector('.card[data-scene="cantilever"] img'));
  await page.click('.card[data-scene="cantilever"]');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  await context.close();
});

for (const [what, files] of [
  ['worker', /assets\/worker-/],
  ['engine', /\.wasm$/],
]) {
  test(`a page without its ${what} says so, and starts it when it is there`, async () => {
    const { page, context, mend } = await without(files);
    await page.waitForSelector('.message.trouble[data-key="broken"]');
    await mend();
    await page.click('.message[data-key="broken"] button:has-text("Start it again")');
    await untilRun(page, 'playing');
    assert.equal(await page.locator('.message.trouble').count(), 0);
    await context.close();
  });
}

for (const [what, files] of [
  ['script', /assets\/index-.*\.js/],
  ['style sheet', /assets\/index-.*\.css/],
]) {
  test(`a page without its ${what} is not white`, async () => {
    const { page, context, mend } = await without(files);
    if (what === 'script') {
      await page.waitForSelector('#start:not([hidden])');
      assert.match(await page.textContent('#start'), /could not be loaded/);
      await mend();
      await page.click('#start button');
    }
    await untilRun(page, 'playing');
    assert.equal(await page.locator('#start').count(), 0);
    await context.close();
  });
}

test('a page that is opened as a file says what to do', async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(dist, 'index.html')).href);
  await page.waitForSelector('#start:not([hidden])');
  assert.match(await page.textContent('#start'), /does not run from a file.*make run/s);
  assert.ok((await page.locator('#start strong').boundingBox()).height > 10);
  await context.close();
});

test('without CompressionStream Share gives a longer link that opens', async () => {
  const { page, context, errors } = await open(site, 'favicon.svg');
  await context.addInitScript(() => {
    window.CompressionStream = undefined;
  });
  await page.goto(site.url);
  await dropScene(page, cantilever({ title: 'Shared arm' }));
  await untilTitle(page, 'Shared arm');
  await page.click('#share');
  await page.waitForFunction(() => document.querySelector('#share-link').value.includes('#v1.'));
  assert.match(await page.textContent('.share'), /cannot compress/);
  const link = await page.inputValue('#share-link');
  const two = await open(site, link.slice(site.url.length));
  await untilTitle(two.page, 'Shared arm');
  assert.deepEqual([...errors, ...two.errors], []);
  await two.context.close();
  await context.close();
});

test('a picture whose maker does not arrive is said, and is made when it is there', async () => {
  const { page, context, mend } = await without(/assets\/paintOver-/);
  await untilRun(page, 'playing');
  const take = async () => {
    await page.click('#take-along');
    await page.click('.menu button:has-text("Picture")');
  };
  await take();
  await page.waitForSelector('.message:has-text("The picture could not be made")');
  await mend();
  await Promise.all([page.waitForEvent('download'), take()]);
  await context.close();
});

test('a scene at an address that does not answer is said in words, and the page has another', async () => {
  const { page, context } = await without('https://scenes.example/**');
  await page.goto(`${site.url}?scene=https://scenes.example/arm.json`);
  await page.waitForSelector('.message:has-text("did not answer")');
  await untilRun(page, 'playing');
  assert.notEqual(await page.textContent('#scene-title'), 'Tendril');
  await context.close();
});
