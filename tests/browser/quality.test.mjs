// The picture keeps its quality: idle time, a long load and a run do not leave it worse, and a person can choose.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cantilever, dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const sharp = { viewport: { width: 700, height: 480 }, deviceScaleFactor: 2 };
const scene = cantilever({ mode: 'dynamic', duration: 600 });

/** Pixels of the picture along one of the page's. */
const ratio = (page) => page.$eval('.stage canvas', (canvas) => canvas.width / canvas.clientWidth);
const untilRatio = (page, wanted) =>
  page.waitForFunction((w) => {
    const canvas = document.querySelector('.stage canvas');
    return Math.abs(canvas.width / canvas.clientWidth - w) < 0.02;
  }, wanted);

test('the pixel ratio stays after single pictures with idle time between them, and after loading', async () => {
  const { page, context, errors } = await open(site, '', { ...sharp, reducedMotion: 'reduce' });
  await dropScene(page, scene);
  await untilTitle(page, 'Test arm');
  await untilRatio(page, 2);
  await page.focus('.stage canvas');
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press(i % 2 ? '-' : '+');
    await page.waitForTimeout(800); // nobody wants a picture
  }
  await untilRatio(page, 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test('whatever a run has cost, the picture that stands has all its pixels', async () => {
  const { page, context, errors } = await open(site, '', sharp);
  await dropScene(page, scene);
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'playing');
  await page.waitForTimeout(4000); // long enough for a slow machine to lower it
  await page.keyboard.press(' ');
  await untilRun(page, 'paused');
  await untilRatio(page, 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a person chooses the quality, and it is remembered', async () => {
  const { page, context, errors } = await open(site, '', sharp);
  await untilRun(page, 'playing');
  await page.click('#view-options');
  await page.selectOption('#quality', 'fast');
  await untilRatio(page, 0.75);
  await page.reload();
  await untilRun(page, 'playing');
  assert.equal(await page.inputValue('#quality'), 'fast');
  await untilRatio(page, 0.75);
  await page.click('#view-options');
  await page.selectOption('#quality', 'best');
  await untilRatio(page, 2);
  await page.waitForTimeout(4000); // a slow machine would lower it
  assert.equal(await ratio(page), 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the clock waits for pictures that take long', async () => {
  const { page, context, errors } = await open(site, '', sharp);
  // The graphics take 1.2 s for each picture, while the page itself is free.
  await page.addInitScript(() => {
    const { fenceSync, getSyncParameter } = WebGL2RenderingContext.prototype;
    const begun = new WeakMap();
    window.picturesAt = [];
    WebGL2RenderingContext.prototype.fenceSync = function (...wanted) {
      const fence = fenceSync.apply(this, wanted);
      begun.set(fence, performance.now());
      window.picturesAt.push(Number.parseFloat(document.querySelector('#time').textContent));
      return fence;
    };
    WebGL2RenderingContext.prototype.getSyncParameter = function (fence, what) {
      return performance.now() - begun.get(fence) < 1200 ? this.UNSIGNALED : getSyncParameter.call(this, fence, what);
    };
  });
  await page.reload();
  await dropScene(page, scene);
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'playing');
  await page.evaluate(() => {
    window.picturesAt.length = 0;
  });
  await page.waitForFunction(() => window.picturesAt.length > 6);
  const times = await page.evaluate(() => window.picturesAt);
  const steps = times.slice(1).map((time, k) => time - times[k]);
  // A quarter of a second until it waits, and what the worker and the clock on screen are late.
  for (const step of steps.slice(1))
    assert.ok(step < 0.6, `the clock went on by ${step} s between two pictures: ${times}`);
  assert.ok(times.at(-1) > times[0], 'it goes on all the same');
  assert.deepEqual(errors, []);
  await context.close();
});
