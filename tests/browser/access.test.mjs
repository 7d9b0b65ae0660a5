// The page for everyone: no serious accessibility faults, phones, dark and light, less motion, no 3D graphics.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { decodePng, variety } from './png.mjs';
import { cantilever, dropScene, open, probe, start, stillShot, untilRun, untilTitle } from './support.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Serious and critical faults, as readable lines. */
async function faults(page) {
  const found = await page.evaluate(
    async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target.join(' ')).join(', ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`no serious accessibility faults, ${colorScheme}`, async () => {
    const { page, context } = await open(site, '', { colorScheme });
    await dropScene(page, cantilever());
    await untilTitle(page, 'Test arm');
    // What lies under the poster takes no focus.
    await page.waitForFunction(() => !document.querySelector('#welcome'));
    await page.evaluate(axe);
    assert.deepEqual(await faults(page), []);
    await page.click('#open-gallery');
    await page.waitForSelector('.card img');
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('Escape');
    await page.click('#view-options');
    assert.deepEqual(await faults(page), []);
    await context.close();
  });
}

test('a phone of 390 x 844 shows the view, the run and one tab at a time, without sideways scrolling', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const { page, context, errors } = await open(site, '', phone);
  await untilRun(page, 'playing');
  const boxes = {};
  for (const part of ['.bar', '.stage', '.transport', '.side']) boxes[part] = await page.locator(part).boundingBox();
  for (const [part, box] of Object.entries(boxes)) {
    assert.ok(box.x >= 0 && box.x + box.width <= 390.5, `${part} is wider than the screen`);
    assert.ok(box.y >= 0 && box.y + box.height <= 844.5, `${part} leaves the screen`);
  }
  assert.ok(boxes['.stage'].height > 250, `the view is ${boxes['.stage'].height} px high`);
  assert.ok(boxes['.stage'].y < boxes['.transport'].y && boxes['.transport'].y < boxes['.side'].y);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  for (const tab of ['plots', 'values', 'about', 'parameters']) {
    await page.tap(`#tab-${tab}`);
    const seen = await page.$$eval('.panel', (panels) =>
      panels.filter((p) => p.offsetParent !== null).map((p) => p.id),
    );
    assert.deepEqual(seen, [`panel-${tab}`]);
  }
  await page.tap('#view-options');
  const options = await page.locator('.options').boundingBox();
  assert.ok(options.x >= 0 && options.x + options.width <= 390, 'the view options leave the screen');
  await page.tap('#view-options');
  const small = await page.$$eval('.bar button, .transport button, .tabs button', (buttons) =>
    buttons
      .filter((b) => b.offsetParent && !b.classList.contains('mark') && b.getBoundingClientRect().height < 32)
      .map((b) => b.id),
  );
  assert.deepEqual(small, [], 'buttons too small for fingers');
  assert.ok(variety(await page.screenshot()).vivid > 100);
  await page.evaluate(axe);
  assert.deepEqual(await faults(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('on a phone signs of what acts lie beside what they act on, and the help has two columns for words', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' };
  const { page, context } = await open(site, '?scene=tentacle', phone);
  await untilRun(page, 'paused');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'tentacle');
  const signs = await page.locator('.acting').boundingBox();
  await page.$eval('.acting', (list) => {
    list.style.opacity = '0';
  });
  await stillShot(page);
  const { width, height, pixel } = decodePng(await page.screenshot({ clip: signs }));
  let red = 0;
  for (let x = 0; x < width; ++x) for (let y = 0; y < height; ++y) if (pixel(x, y)[0] - pixel(x, y)[1] > 60) red += 1;
  assert.equal(red, 0, 'the signs lie over the arm');
  await page.tap('#open-help');
  assert.match(await page.textContent('#help'), /Tendril simulates soft robots and slender structures/);
  const columns = await page.$$eval('#help dd', (list) => list.map((one) => one.offsetWidth));
  assert.ok(Math.min(...columns) > 170, `words have ${Math.min(...columns)} px`);
  await context.close();
});

test('people who asked for less motion start a run themselves', async () => {
  const { page, context } = await open(site, '', { reducedMotion: 'reduce' });
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 60 }));
  await untilTitle(page, 'Test arm');
  await page.waitForTimeout(1000);
  assert.equal(await page.getAttribute('html', 'data-run'), 'paused');
  await page.click('#play');
  await untilRun(page, 'playing');
  await context.close();
});

test('without 3D graphics the page says so and the rest works', async () => {
  const { page, context, errors } = await open(site, 'index.html');
  await context.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest);
    };
  });
  await page.reload();
  await page.waitForSelector('.no-graphics');
  assert.match(await page.textContent('.no-graphics'), /WebGL2/);
  await dropScene(page, cantilever());
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  await page.waitForFunction(
    () => Number(document.querySelector('#values td[data-column="tip.z"]')?.dataset.value) < -1e-4,
  );
  assert.ok((await probe(page, 'tip.z')) < -1e-4);
  assert.deepEqual(errors, []);
  await context.close();
});
