// The built page in a browser, as a visitor meets it: it loads and moves, sliders and keys act, numbers are the native
// program's, and no request leaves the site.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { difference, variety } from './png.mjs';
import {
  cantilever,
  dropScene,
  eventually,
  nativeSummary,
  open,
  patience,
  probe,
  ranAgain,
  shot,
  start,
  stillShot,
  time,
  untilNative,
  untilRun,
  untilTime,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

test('the first screen moves, without errors and without foreign requests', async () => {
  const { page, context, errors, requests } = await open(site);
  await untilRun(page, 'playing');
  const first = await time(page);
  await page.waitForFunction((t) => Number(document.querySelector('#time').dataset.value) > t, first);
  const one = await shot(page);
  await eventually(async () => {
    const two = await shot(page);
    const { colors, vivid } = variety(two);
    assert.ok(colors > 40, `only ${colors} colors: the view is blank`);
    assert.ok(vivid > 150, `only ${vivid} colored pixels: no rod in sight`);
    assert.ok(difference(one, two) > 100, 'the picture does not change');
  });
  await page.waitForLoadState('networkidle');
  for (const address of requests) assert.ok(address.startsWith(site.url) || address.startsWith('blob:'), address);
  assert.deepEqual(errors, []);
  await context.close();
});

test('after loading, the page works without a network', async () => {
  const { page, context, errors, requests } = await open(site);
  await page.waitForFunction(
    () => performance.getEntriesByName('all-there').length > 0 && document.querySelector('.plot'),
  );
  const asked = requests.length;
  await context.setOffline(true);
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('.editor-host')?.shadowRoot?.querySelector('.cm-content'));
  await page.keyboard.press('Escape');
  await page.click('#open-gallery');
  await page.waitForSelector('.card');
  await page.locator('.card').last().click();
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.click('#share');
  await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  // The browser itself may look for the icon again when the address changes. Cards do without their pictures.
  const later = requests.slice(asked).filter((address) => !/^blob:|favicon\.svg$|pictures\/[\w-]+\.png$/.test(address));
  assert.deepEqual(later, []);
  assert.deepEqual(
    errors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
    [],
  );
  await context.close();
});

test('a slider changes the plotted tip to the number of the native program: statics', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, cantilever());
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const plain = await nativeSummary(cantilever());
  const untouched = await untilNative(page, 'tip.z', plain.probes['tip.z']);

  await page.focus('#parameter-E');
  for (let i = 0; i < 60; ++i) await page.keyboard.press('ArrowRight');
  await eventually(async () =>
    assert.ok(Math.abs((await probe(page, 'tip.z')) - untouched) > 1e-4, 'the tip did not move'),
  );
  // The field may still follow the last keys on a busy machine, and load steps are shown one after the other: the whole
  // load comes in the end.
  let summary, E;
  await eventually(async () => {
    const now = await page.evaluate(() => Number(document.querySelector('#parameter-E-value').dataset.value));
    assert.ok(now > 1.2e6, `the slider gave ${now}`);
    if (now !== E) [E, summary] = [now, await nativeSummary(cantilever(), { E: now })];
    for (const column of ['tip.x', 'tip.z', 'total']) {
      const there = summary.probes[column],
        slack = 1e-7 * Math.max(Math.abs(there), 0.2);
      assert.ok(Math.abs((await probe(page, column)) - there) <= slack, `${column} is not ${there}`);
    }
  });
  assert.deepEqual(errors, []);
  await context.close();
});

test('a typed value restarts a run whose end is the native one: dynamics', async () => {
  const scene = cantilever({ mode: 'dynamic', duration: 1 });
  const { page, context } = await open(site);
  await dropScene(page, scene);
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const again = await ranAgain(page);
  await page.fill('#parameter-length-value', '250 mm');
  await page.keyboard.press('Enter');
  await again.evaluate(({ over }) => over);
  const { probes, steps } = await nativeSummary(scene, { length: 0.25 });
  for (const column of ['tip.x', 'tip.z']) await untilNative(page, column, probes[column], 1e-6);
  assert.match(await page.textContent('#work'), new RegExp(`^${steps} steps`));
  await context.close();
});

test('keys: space, right arrow, R, F, E, G, ?', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 60 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'playing');
  await page.keyboard.press(' ');
  await untilRun(page, 'paused');
  const stopped = await time(page);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((t) => Number(document.querySelector('#time').dataset.value) > t, stopped);
  assert.ok(Math.abs((await time(page)) - stopped - 0.01) < 1e-9, 'one step is one dt');
  await page.keyboard.press('r');
  await page.waitForFunction(() => Number(document.querySelector('#time').dataset.value) === 0);
  await page.keyboard.press('f');
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.keyboard.press('g');
  await page.waitForSelector('#gallery[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('#scene-text .editor-host').shadowRoot?.activeElement);
  await page.keyboard.press('Escape');
  assert.equal(await page.isHidden('#scene-text'), false);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#scene-text').hidden);
  await page.keyboard.press(' ');
  await untilRun(page, 'playing');
  assert.deepEqual(errors, []);
  await context.close();
});

test('everything in sight is reached by Tab, with a visible focus', async () => {
  const { page, context } = await open(site);
  await untilRun(page, 'playing');
  const reached = new Set();
  let unseen = 0;
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const node = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(node);
      return {
        id: node.id || node.tagName,
        seen: outlineStyle !== 'none' && outlineWidth !== '0px',
        body: node === document.body,
      };
    });
    if (!found.body && !found.seen) unseen += 1;
    reached.add(found.id);
  }
  for (const id of [
    'open-gallery',
    'open-text',
    'share',
    'take-along',
    'open-help',
    'CANVAS',
    'view-options',
    'play',
    'step',
    'reset',
    'speed',
  ]) {
    assert.ok(reached.has(id), `${id} is not reached by Tab: ${[...reached].join(' ')}`);
  }
  assert.equal(unseen, 0);
  await context.close();
});

test('pulling a rod moves it', async () => {
  const { page, context } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 600 }));
  await untilTitle(page, 'Test arm');
  await untilTime(page, 2);
  await page.keyboard.press(' ');
  await untilRun(page, 'paused');
  await stillShot(page);
  const hanging = await probe(page, 'tip.x');
  const box = await page.locator('.stage canvas').first().boundingBox();
  const onRod = await page.evaluate(() => {
    const canvas = document.querySelector('.stage canvas');
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (let x = width * 0.8; x > width * 0.2; x -= 6) {
      for (let y = height * 0.2; y < height * 0.9; y += 6) {
        const place = { clientX: left + x, clientY: top + y, pointerType: 'mouse', buttons: 0 };
        canvas.dispatchEvent(new PointerEvent('pointermove', place));
        if (canvas.classList.contains('over-body')) return [left + x, top + y];
      }
    }
    return null;
  });
  assert.ok(onRod, 'no place of the view is over the rod');
  await page.mouse.move(...onRod);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.15, { steps: 8 });
  await page.waitForFunction(
    (x) => Math.abs(Number(document.querySelector('#values td[data-column="tip.x"]').dataset.value) - x) > 5e-3,
    hanging,
  );
  await page.mouse.up();
  await context.close();
});

test('a picture of the scene and a sentence are there before any script of the page', async () => {
  const context = await site.browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const release = {};
  for (const [what, files] of [
    ['script', /assets\/index-.*\.js$/],
    ['engine', /\.wasm$/],
  ]) {
    const held = new Promise((done) => {
      release[what] = done;
    });
    await page.route(files, async (route) => {
      await held;
      await route.continue();
    });
  }
  await page.goto(`${site.url}?scene=cantilever`, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => document.querySelector('#poster')?.naturalWidth > 100 && !document.querySelector('#poster').hidden,
  );
  assert.match(await page.locator('#poster').getAttribute('src'), /cantilever-(light|dark)\.png$/);
  assert.match(await page.locator('#welcome').innerText(), /simulated here in your browser/);
  assert.equal(await page.locator('main').count(), 0);
  release.script();
  // No axes and no scale of an empty stage.
  await page.waitForSelector('.stage > #welcome');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.axes')).visibility === 'hidden');
  assert.ok(await page.locator('#poster').isVisible());
  assert.equal(await page.locator('.side h2:visible').count(), 0);
  // It stays until the scene's first picture is painted, however late that is.
  await page.evaluate(() => {
    window.withheld = [];
    window.ask = window.requestAnimationFrame;
    window.requestAnimationFrame = (then) => window.withheld.push(then);
  });
  release.engine();
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever', null, { polling: 50 });
  assert.ok(await page.locator('#poster').isVisible());
  await page.evaluate(() => {
    window.requestAnimationFrame = window.ask;
    for (const then of window.withheld) window.ask(then);
  });
  await page.waitForFunction(() => !document.querySelector('#welcome'));
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.axes')).visibility === 'visible');
  await context.close();
});
