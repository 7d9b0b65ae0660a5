// For everyone: a page at 400 % zoom, forced colors, names that are read aloud, Escape, and the picture to take along.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { decodePng, difference } from './png.mjs';
import { cantilever, dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const playing = () => cantilever({ mode: 'dynamic', duration: 60 });

/** Opens a scene that runs for a minute. */
async function opened(options) {
  const page = await open(site, '', options);
  await dropScene(page.page, playing());
  await untilTitle(page.page, 'Test arm');
  await untilRun(page.page, 'playing');
  return page;
}

test('at 400 % zoom, 320 x 256, the run is in reach, and all tabs open and close', async () => {
  const { page, context } = await opened({ viewport: { width: 320, height: 256 } });
  // As the page settles: a busy machine may still be laying it out, or sliding a panel.
  const inside = (selector) =>
    page
      .waitForFunction((which) => {
        const { x, y, right, bottom, width, height } = document.querySelector(which).getBoundingClientRect();
        return x >= 0 && y >= 0 && right <= 320.5 && bottom <= 256.5 && width > 0 && height > 0;
      }, selector)
      .then(
        () => true,
        () => false,
      );
  for (const part of [
    '#play',
    '#step',
    '#reset',
    '#loop',
    '#time',
    '.timeline',
    '#speed',
    '#tab-parameters',
    '#tab-about',
  ])
    assert.ok(await inside(part), `${part} is out of reach`);
  const { height } = await page.locator('.stage').boundingBox();
  assert.ok(height >= 80, `the view is ${height} px high`);
  await page.click('#play');
  await untilRun(page, 'paused');
  for (const tab of ['parameters', 'plots', 'values', 'about']) {
    await page.click(`#tab-${tab}`);
    // It slides open.
    await page.waitForFunction((id) => document.querySelector(`#panel-${id}`).offsetHeight > 100, tab);
    assert.ok(await inside(`#tab-${tab}`), `the tab ${tab} is out of reach`);
  }
  await page.click('#tab-about');
  await page.click('#play');
  await untilRun(page, 'playing');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await context.close();
});

for (const [width, height] of [
  [667, 375],
  [740, 360],
  [640, 360],
  [320, 256],
]) {
  test(`at ${width} x ${height} keys reach everything, and what they reach is seen`, async () => {
    const { page, context } = await open(site, '?scene=gripper', {
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    await untilTitle(page, 'Reconfigurable gripper');
    await untilRun(page, 'paused');
    /** Goes through all that has the focus once; what is out of sight there, and what was seen. */
    const walk = async () => {
      const seen = [];
      const lost = [];
      await page.evaluate(() => document.activeElement.blur());
      for (;;) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(() => {
          const one = document.activeElement;
          if (one === document.body) return null;
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const at = document.elementFromPoint(
            (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
            (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
          );
          const name = one.id || one.getAttribute('aria-label') || one.textContent;
          return { name, seen: left > -1 && right < innerWidth + 1 && one.contains(at) };
        });
        if (!found || seen.includes(found.name)) return { seen, lost };
        seen.push(found.name);
        if (!found.seen) lost.push(found.name);
      }
    };
    const first = await walk();
    assert.deepEqual(first.lost, []);
    for (const part of ['play', 'speed', 'view-options', 'tab-parameters']) assert.ok(first.seen.includes(part), part);
    if (width < 400) {
      await page.focus('#tab-parameters');
      await page.keyboard.press('Enter');
    }
    const second = await walk();
    assert.deepEqual(second.lost, []);
    const all = await page.$$eval('#panel-parameters input', (inputs) =>
      inputs.filter((one) => !one.closest('details:not([open])')).map((one) => one.id),
    );
    assert.ok(all.length > 3);
    for (const id of all) assert.ok(second.seen.includes(id), `${id} is out of reach`);
    for (const tab of ['plots', 'values', 'about']) {
      await page.click(`#tab-${tab}`);
      await page.waitForFunction((id) => document.querySelector(`#panel-${id}`).offsetHeight > 100, tab);
    }
    await context.close();
  });
}

test('320 px cut no tab, and no part of the run', async () => {
  const { page, context } = await opened({ viewport: { width: 320, height: 640 } });
  const cut = await page.$$eval('.tabs button, #time, #speed', (parts) =>
    parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0).map((part) => part.id),
  );
  assert.deepEqual(cut, []);
  const boxes = await page.$$eval(
    '.transport > *, .transport .pace > *, .transport .buttons > *, .bar button',
    (parts) =>
      parts
        .map((part) => [part.id || part.className, part.getBoundingClientRect().right])
        .filter(([, right]) => right > 320.5),
  );
  assert.deepEqual(boxes, []);
  await context.close();
});

test('forced colors keep tracks, thumbs, curves and focus', async () => {
  const { page, context } = await opened({ forcedColors: 'active' });
  await page.waitForFunction(() => Number(document.querySelector('#time').dataset.value) > 0.5);
  await page.click('#play');
  await untilRun(page, 'paused');
  /** Parts of the middle row that are not as the picture's corner. */
  const marked = (bytes) => {
    const { width, height, pixel } = decodePng(bytes);
    const ground = pixel(0, 0);
    let count = 0;
    for (let x = 0; x < width; ++x) if (pixel(x, height >> 1).some((c, i) => Math.abs(c - ground[i]) > 60)) count += 1;
    return count / width;
  };
  const slider = page.locator('.parameter input[type="range"]').first();
  assert.ok(marked(await slider.screenshot()) > 0.9, 'the track of a slider is gone');
  const { x, y, width, height } = await page.locator('.timeline-track').boundingBox();
  const around = { x: x - 6, y, width: width + 12, height };
  assert.ok(marked(await page.screenshot({ clip: around })) * around.width >= 2, 'the timeline is gone');
  const plot = decodePng(await page.locator('.plot-canvas canvas').first().screenshot());
  const ground = plot.pixel(0, 0);
  let drawn = 0;
  for (let y = 0; y < plot.height; ++y)
    for (let x = 0; x < plot.width; ++x) if (plot.pixel(x, y).some((c, i) => Math.abs(c - ground[i]) > 60)) drawn += 1;
  assert.ok(drawn > 100, 'the curves are gone');
  const step = page.locator('.buttons');
  const before = await step.screenshot();
  await page.focus('#play');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'step');
  assert.ok(difference(before, await step.screenshot()) > 20, 'the focus is not seen');
  await context.close();
});

test('forced colors tell an empty bar from a full one', async () => {
  const { page, context } = await open(site, '', { forcedColors: 'active', reducedMotion: 'reduce' });
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 0.2 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'paused');
  /** How much of an element's picture, between these parts of its width, is not as its corner is. */
  const ink = async (selector, from, to) => {
    const { x, y, width, height } = await page.locator(selector).boundingBox();
    const picture = await page.screenshot({
      clip: { x: x + from * width, y: y - 4, width: (to - from) * width, height: height + 8 },
    });
    const { width: across, height: down, pixel } = decodePng(picture);
    const ground = pixel(0, 0);
    let count = 0;
    for (let i = 0; i < across; ++i)
      for (let k = 0; k < down; ++k) if (pixel(i, k).some((c, j) => Math.abs(c - ground[j]) > 60)) count += 1;
    return count / across;
  };
  const set = async (words) => {
    await page.fill('#parameter-length-value', words);
    await page.keyboard.press('Enter');
    await page.waitForFunction((w) => document.querySelector('#parameter-length-value').dataset.value === w, words);
  };
  await set('0.1');
  const emptySlider = await ink('#parameter-length', 0.2, 0.8);
  await set('0.3');
  const fullSlider = await ink('#parameter-length', 0.2, 0.8);
  assert.ok(
    fullSlider > 2 * emptySlider,
    `a slider has ${emptySlider} px of ink at its least, ${fullSlider} at its most`,
  );
  const emptyLine = await ink('.timeline-track', 0.2, 0.8);
  await page.click('#play');
  await untilRun(page, 'finished');
  const fullLine = await ink('.timeline-track', 0.2, 0.8);
  assert.ok(fullLine > 2 * emptyLine, `the timeline has ${emptyLine} px of ink at the start, ${fullLine} at the end`);
  await context.close();
});

test('names are read aloud without signs and symbols', async () => {
  const { page, context } = await opened();
  for (const [role, name] of [
    ['slider', "Young's modulus"],
    ['textbox', "Young's modulus, in Pa"],
  ]) {
    const named = page.getByRole(role, { name, exact: true });
    await named.first().waitFor();
    assert.equal(await named.count(), 1, `${role} "${name}"`);
  }
  assert.equal(await page.getAttribute('#parameter-length', 'aria-description'), 'starts the run again');
  assert.ok((await page.getByText('↺').count()) > 0, 'the sign is not seen');
  assert.doesNotMatch(await page.locator('body').ariaSnapshot(), /[↺▸▾]/);
  assert.equal(await page.locator('.acting').ariaSnapshot(), '- list "What acts":\n  - listitem: "Gravity: 9.81 m/s²"');
  await context.close();
});

test('the menu to take along is a straight list, and tablets show the whole name of a scene', async () => {
  const { page, context } = await open(site, '?scene=gripper', { viewport: { width: 800, height: 1100 } });
  await untilTitle(page, 'Reconfigurable gripper');
  const cut = await page.$eval('#scene-title', (title) => title.scrollWidth - title.clientWidth);
  assert.ok(cut <= 0, `${cut} px of the name are cut off`);
  assert.equal(
    await page.getAttribute('.brand', 'title'),
    'Tendril: soft robots and slender structures, simulated in your browser',
  );
  await page.click('#take-along');
  const rows = await page.$$eval('.bar .menu button', (buttons) =>
    buttons.map((button) => {
      const { left, right, height } = button.getBoundingClientRect();
      const [label, hint] = [...button.children].map((one) => one.getBoundingClientRect());
      return { from: label.left - left, to: right - hint.right, height };
    }),
  );
  assert.equal(rows.length, 3);
  for (const row of rows) assert.deepEqual(row, rows[0]);
  assert.ok(rows[0].to >= 0);
  await context.close();
});

test('Escape ends a search first, and closes a menu alone', async () => {
  const { page, context } = await opened();
  await page.click('#open-gallery');
  await page.fill('#gallery-search', 'vine');
  await page.keyboard.press('Escape');
  assert.equal(await page.inputValue('#gallery-search'), '');
  assert.ok(await page.locator('.card[data-scene="cantilever"]').isVisible());
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('#gallery').open);
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  const drawer = () => page.locator('#scene-text').isVisible();
  const panel = () =>
    page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelectorAll('.cm-search').length);
  await page.keyboard.press('Control+f');
  assert.equal(await panel(), 1);
  await page.keyboard.press('Escape');
  assert.deepEqual([await panel(), await drawer()], [0, true]);
  await page.click('#view-options');
  await page.keyboard.press('Escape');
  assert.deepEqual([await page.locator('.options').isVisible(), await drawer()], [false, true]);
  await page.locator('.editor-host .cm-content').click();
  // The first one frees Tab.
  await page.keyboard.press('Escape');
  assert.equal(await drawer(), true);
  await page.keyboard.press('Escape');
  assert.equal(await drawer(), false);
  await context.close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the picture to take along has ground, scale and legend, ${colorScheme}`, async () => {
    const { page, context } = await opened({ colorScheme });
    await page.click('#play');
    await untilRun(page, 'paused');
    await page.click('#view-options');
    await page.selectOption('#color-by', 'curvature');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.legend').hidden);
    await page.click('#take-along');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('.menu button:has-text("Picture")')]);
    const { width, height, pixel } = decodePng(await readFile(await file.path()));
    const stage = await page.locator('.stage').boundingBox();
    const scale = width / stage.width;
    assert.ok(scale >= 0.99 && Math.abs(height / scale - stage.height) < 2, `${width} x ${height}`);
    const light = pixel(2, 2).reduce((sum, c) => sum + c, 0) / 3;
    assert.ok(colorScheme === 'light' ? light > 230 : light > 20 && light < 70, `its ground is ${pixel(2, 2)}`);
    /** Pixels of an element's place that are unlike its upper left one. */
    const marked = async (selector) => {
      const box = await page.locator(selector).first().boundingBox();
      const [x0, y0] = [Math.round((box.x - stage.x) * scale), Math.round((box.y - stage.y) * scale)];
      const ground = pixel(x0 + 1, y0 + 1);
      let count = 0;
      for (let y = y0; y < y0 + box.height * scale; ++y)
        for (let x = x0; x < x0 + box.width * scale; ++x)
          if (pixel(x, y).some((c, i) => Math.abs(c - ground[i]) > 40)) count += 1;
      return count / scale ** 2;
    };
    for (const [part, least] of [
      ['.scale-text', 30],
      ['.scale-line', 100],
      ['.legend-title', 80],
      ['.legend-bar', 500],
      ['.acting', 60],
    ])
      assert.ok((await marked(part)) > least, `${part} is not in the picture`);
    await context.close();
  });
}
