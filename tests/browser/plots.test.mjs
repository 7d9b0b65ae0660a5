// Plots that can be read: values under the pointer, one cursor for all plots and the timeline, the run before a change in
// gray, one plot large; by mouse, keys and touch.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { cantilever, dropScene, eventually, open, start, untilRun, untilTitle } from './support.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

test('a gentle slope is a line, not a staircase', async () => {
  const { page, context } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 0.1, dt: 0.001 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  await page.waitForSelector('.plot-canvas canvas');
  /** Heights of the blue line, the arm's x, over its columns of pixels: it is near the top. */
  const heights = () =>
    page.$eval('.plot-canvas canvas', (canvas) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      const found = new Set();
      for (let x = 0; x < width; ++x) {
        let [sum, weight] = [0, 0];
        for (let y = 0; y < height / 4; ++y) {
          const at = 4 * (y * width + x);
          const blue = (Math.max(0, data[at + 2] - data[at + 1] - 20) * data[at + 3]) / 255;
          sum += blue * y;
          weight += blue;
        }
        if (weight > 20) found.add(Math.round((10 * sum) / weight));
      }
      const all = [...found].sort((a, b) => a - b);
      return { count: all.length, span: (all.at(-1) - all[0]) / 10 };
    });
  await eventually(async () => {
    const { count, span } = await heights();
    assert.ok(span > 2, `it falls by ${span} px`);
    assert.ok(count > 6 * span, `${count} heights over ${span} px`);
  });
  await context.close();
});

/** A weight on an arm that takes no time to compute: its plots are formulas of time, parameters and one place. */
const scene = `{
  "format": "tendril/1",
  "title": "Plotted",
  "parameters": {"size": {"value": 2e-3, "min": 1e-3, "max": 9e-3, "unit": "m", "label": "Size"},
                 "length": {"value": 0.2, "min": 0.1, "max": 0.3, "unit": "m"}},
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 50}},
  "rods": {"arm": {"material": "rubber", "section": {"circle": {"radius": 5e-3}}, "segments": 4,
                   "path": {"line": {"from": [0, 0, 0], "to": ["=length", 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "solver": {"dt": 0.01, "duration": 2},
  "probes": {
    "tip": {"position": "arm:last", "label": "Tip"},
    "wave": {"formula": "length*10*size*t", "unit": "m", "label": "Growing length"},
    "count": {"formula": "floor(t)", "unit": "1", "label": "Seconds gone"},
    "help": {"formula": "2*t", "hidden": true}
  },
  "states": {"clock": {"rate": 1, "unit": "s", "label": "Clock"}}
}`;

async function shown(options = {}) {
  const opened = await open(site, '', { reducedMotion: 'reduce', ...options });
  const { page } = opened;
  await untilRun(page, 'paused');
  await dropScene(page, scene);
  await untilTitle(page, 'Plotted');
  await page.selectOption('#speed', 'Infinity');
  await page.click('#play');
  await untilRun(page, 'finished');
  if (options.isMobile) await page.tap('#tab-plots');
  await untilValue(page, 'Clock', '2.00 s');
  return opened;
}

const plot = (page, title) => page.locator('.plots .plot', { has: page.locator('.plot-title', { hasText: title }) });
const untilValue = (page, title, text) =>
  page.waitForFunction(
    ([name, wanted]) =>
      [...document.querySelectorAll('.plots .plot')].some(
        (box) =>
          box.querySelector('.plot-title').textContent === name &&
          [...box.querySelectorAll('.plot-value')].at(-1).textContent === wanted,
      ),
    [title, text],
  );
/** The times that stand at the cursors of the open plots. */
const marked = (page) =>
  page.$$eval('.plots .plot-time', (tags) => tags.filter((tag) => !tag.hidden).map((tag) => tag.textContent));
/** Where in the plot's area a part of its width lies. */
async function at(page, title, part) {
  const area = plot(page, title).locator('.u-over');
  await area.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await area.boundingBox();
  return [x + part * width, y + height / 2];
}

/** How many pixels of the plot's canvas have about this color. */
const pixels = (page, title, variable) =>
  plot(page, title)
    .locator('canvas')
    .evaluate((canvas, name) => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const wanted = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const near = data[i + 3] > 200 && wanted.every((c, k) => Math.abs(data[i + k] - c) < 12);
        if (near) ++count;
      }
      return count;
    }, variable);

test('the mouse over a plot shows its values there, and its time in every plot and on the timeline', async () => {
  const { page, context, errors } = await shown();
  assert.deepEqual(await page.$$eval('.plots .plot-title', (titles) => titles.map((t) => t.textContent)), [
    'Tip',
    'Growing length',
    'Seconds gone',
    'Clock',
  ]);
  await page.mouse.move(...(await at(page, 'Clock', 0.25)));
  await untilValue(page, 'Clock', '500 ms');
  await untilValue(page, 'Growing length', '2.00 mm');
  await untilValue(page, 'Seconds gone', '0');
  const times = await marked(page);
  assert.ok(times.length === 4 && times.every((time) => time === '0.50 s'), `the plots mark ${times}`);
  const track = await page.locator('.timeline').boundingBox();
  const moment = await page.locator('.timeline-moment').boundingBox();
  assert.ok(Math.abs((moment.x + 1 - track.x) / track.width - 0.25) < 0.01, `the timeline has it at ${moment.x}`);
  await page.mouse.move(track.x + 0.75 * track.width, track.y + track.height / 2);
  await untilValue(page, 'Clock', '1.50 s');
  await page.mouse.move(track.x + 0.5 * track.width, track.y - 100);
  await untilValue(page, 'Clock', '2.00 s');
  assert.deepEqual(await marked(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('where a curve has no value the cursor has no dot, and the plot says so', async () => {
  const { page, context, errors } = await open(site, '', { reducedMotion: 'reduce' });
  const scene = JSON.parse(cantilever({ mode: 'dynamic', duration: 1, title: 'Gap' }));
  const probes = {
    gap: { formula: 'sqrt(abs(t - 0.5) - 0.2)', label: 'Gap' },
    far: { formula: 't == 0.5 ? 1/0 : 1', label: 'Far' },
  };
  await dropScene(page, JSON.stringify({ ...scene, probes }));
  await untilTitle(page, 'Gap');
  await page.click('#play');
  await untilRun(page, 'finished');
  const dots = (title) =>
    page.evaluate((t) => {
      const plot = [...document.querySelectorAll('.plot')].find(
        (one) => one.querySelector('.plot-title').textContent === t,
      );
      return [...plot.querySelectorAll('.u-cursor-pt')].filter((one) => one.offsetParent !== null).length;
    }, title);
  await page.mouse.move(...(await at(page, 'Gap', 0.1)));
  await eventually(async () => assert.equal(await dots('Gap'), 1));
  await page.mouse.move(...(await at(page, 'Gap', 0.5)));
  await untilValue(page, 'Gap', 'no value');
  await untilValue(page, 'Far', 'no value');
  assert.deepEqual([await dots('Gap'), await dots('Far')], [0, 0]);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a slider that is moved leaves the run before in gray, with its numbers in the large plot', async () => {
  const { page, context, errors } = await shown();
  assert.equal(await page.locator('.plots > .quiet').isVisible(), false);
  const none = await pixels(page, 'Growing length', '--past');
  // Only a run that one could look at, for half a second, is kept for comparison: a fast machine is done before.
  await page.waitForTimeout(600);
  await page.fill('.parameter:has-text("length") .number', '0.3');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.plots > .quiet').hidden);
  await untilRun(page, 'paused');
  await page.click('#play');
  await untilRun(page, 'finished');
  await untilValue(page, 'Growing length', '12.0 mm');
  const gray = await pixels(page, 'Growing length', '--past');
  assert.ok(gray > none + 100, `${gray} gray pixels, ${none} before`);
  await page.mouse.dblclick(...(await at(page, 'Growing length', 0.5)));
  await page.waitForSelector('.plot-large[open]');
  const { x, y, width, height } = await page.locator('.plot-large .u-over').boundingBox();
  await page.mouse.move(x + 0.5 * width, y + height / 2);
  await page.waitForFunction(() => document.querySelector('.plot-large .plot-past').textContent === 'before 4.00 mm');
  assert.equal(await page.textContent('.plot-large .plot-value'), '6.00 mm');
  await page.mouse.dblclick(x + 0.5 * width, y + height / 2);
  await page.waitForFunction(() => !document.querySelector('.plot-large').open);
  // The same run once more is no other run.
  await page.click('#reset');
  await page.click('#play');
  await untilRun(page, 'finished');
  await page.mouse.dblclick(...(await at(page, 'Growing length', 0.5)));
  await page.waitForSelector('.plot-large[open]');
  await page.mouse.move(x + 0.25 * width, y + height / 2);
  await page.waitForFunction(() => document.querySelector('.plot-large .plot-past').textContent === 'before 2.00 mm');
  assert.deepEqual(errors, []);
  await context.close();
});

test('keys go to a plot, read it, and show it large and small again', async () => {
  const { page, context, errors } = await shown();
  const canvas = plot(page, 'Clock').locator('.plot-canvas');
  await canvas.focus();
  await page.keyboard.press('Home');
  await untilValue(page, 'Clock', '0 s');
  await page.keyboard.press('ArrowRight');
  await untilValue(page, 'Clock', '40.0 ms');
  assert.equal(await canvas.getAttribute('aria-valuetext'), '0.04 s: Clock 40.0 ms');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.run), 'finished', 'the run made a step');
  await page.keyboard.press('Escape');
  await untilValue(page, 'Clock', '2.00 s');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.plot-large[open]');
  const small = await canvas.boundingBox();
  const large = await page.locator('.plot-large .plot-canvas canvas').boundingBox();
  assert.ok(large.width > 2 * small.width && large.height > 2 * small.height, `${large.width} x ${large.height}`);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.plot-large .plot-value').textContent === '1.96 s');
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run('.plot-large'));
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map((n) => n.html)]),
    [],
  );
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.plot-large').open);
  assert.ok(await canvas.evaluate((node) => node === document.activeElement), 'the focus is lost');
  const { violations: around } = await page.evaluate(() => window.axe.run('.plots'));
  assert.deepEqual(
    around.map(({ id, nodes }) => [id, nodes.map((n) => n.html)]),
    [],
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('a tap reads values, which stay until a tap elsewhere; a button shows the plot large', async () => {
  const { page, context, errors } = await shown({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const place = await at(page, 'Tip', 0.5);
  await page.touchscreen.tap(...place);
  await page.waitForFunction(() => [...document.querySelectorAll('.plot-time')].some((tag) => !tag.hidden));
  assert.ok(
    (await marked(page)).every((time) => time === '1.00 s'),
    String(await marked(page)),
  );
  // Not every browser takes the focus from a plot when a finger taps beside it.
  await page.evaluate(() =>
    document
      .querySelector('.stage')
      .dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true })),
  );
  await page.waitForFunction(() => [...document.querySelectorAll('.plot-time')].every((tag) => tag.hidden));
  await plot(page, 'Tip').locator('.plot-more').tap();
  await page.waitForSelector('.plot-large[open]');
  const box = await page.locator('.plot-large').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
  await page.tap('.plot-large button[aria-label="Close"]');
  await page.waitForFunction(() => !document.querySelector('.plot-large').open);
  assert.deepEqual(errors, []);
  await context.close();
});
