// Scenes coming and going: share links, addresses, broken and heavy scenes, give-ups, the gallery.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { difference } from './png.mjs';
import {
  cantilever,
  dropScene,
  eventually,
  nativeSummary,
  open,
  probe,
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
  site = await start({
    'elsewhere/arm.json': cantilever({ title: 'From an address' }),
    'elsewhere/no.json': '{"format": "tendril/1", "rods": {"arm": ',
  });
});
after(() => site.close());

test('a refused value enters neither the link nor the undo list', async () => {
  const one = await open(site);
  await dropScene(one.page, cantilever());
  await untilTitle(one.page, 'Test arm');
  const field = one.page.locator('.parameter[data-name="E"] input.number');
  const before = await field.getAttribute('data-value');
  await field.fill('-3');
  await field.press('Enter');
  await one.page.waitForFunction(() =>
    document.querySelector('.parameter[data-name="E"] .refusal').textContent.includes('greater than 0'),
  );
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await one.page.click('#share');
  await one.page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  const link = await one.page.inputValue('#share-link');
  const two = await open(site, link.slice(link.indexOf('#')));
  await untilTitle(two.page, 'Test arm');
  assert.equal(await two.page.locator('.parameter[data-name="E"] input.number').getAttribute('data-value'), before);
  await one.context.close();
  await two.context.close();
});

test('a share link opens the same scene with the same values in another browser context', async () => {
  const one = await open(site);
  await dropScene(one.page, cantilever({ title: 'Shared arm' }));
  await untilTitle(one.page, 'Shared arm');
  await one.page.fill('#parameter-E-value', '3.5 MPa');
  await one.page.keyboard.press('Enter');
  const { probes } = await nativeSummary(cantilever(), { E: 3.5e6 });
  const tip = await eventually(async () => {
    const shown = await probe(one.page, 'tip.z');
    assert.ok(Math.abs(shown - probes['tip.z']) < 1e-8, `${shown} here, ${probes['tip.z']} natively`);
    return shown;
  });
  await one.page.click('#share');
  await one.page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  const link = await one.page.inputValue('#share-link');
  await one.context.close();
  assert.ok(link.startsWith(`${site.url}#v1.`), link);

  const two = await open(site, link.slice(site.url.length));
  await untilTitle(two.page, 'Shared arm');
  assert.equal(await two.page.getAttribute('#parameter-E-value', 'data-value'), '3500000');
  await eventually(async () => assert.equal(await probe(two.page, 'tip.z'), tip));
  assert.deepEqual(two.errors, []);
  await two.context.close();
});

test('a damaged link says so and the page goes on', async () => {
  const { page, context, errors } = await open(site, '#v1.AAAAthis-is-not-a-scene');
  await page.waitForSelector('.message.trouble');
  assert.match(await page.textContent('.message.trouble'), /damaged|no scene/);
  await untilRun(page, 'playing');
  await page.waitForTimeout(500);
  assert.ok(await page.isVisible('.message.trouble'), 'the message stays');
  assert.deepEqual(errors, []);
  await context.close();
});

test('?scene= reads a scene from an address, and tells what is wrong with one', async () => {
  const good = await open(site, '?scene=elsewhere/arm.json');
  await untilTitle(good.page, 'From an address');
  assert.deepEqual(good.errors, []);
  await good.context.close();
  const bad = await open(site, '?scene=elsewhere/no.json');
  await untilRun(bad.page, 'playing');
  assert.match(await bad.page.textContent('#problems li.error'), /line 1:/);
  await bad.context.close();
  const none = await open(site, '?scene=elsewhere/none.json');
  await untilRun(none.page, 'playing');
  assert.match(await none.page.textContent('.message.trouble'), /404/);
  await none.context.close();
});

test('a broken scene shows its problem at its line, and the one before runs on', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 600, title: 'Good arm' }));
  await untilTitle(page, 'Good arm');
  const broken = cantilever({ title: 'Broken arm' }).replace('"segments"', '"segmnets"');
  const line = broken.slice(0, broken.indexOf('segmnets')).split('\n').length;
  await dropScene(page, broken);
  await page.waitForSelector('#problems li.error');
  const words = await page.textContent('#problems li.error');
  assert.match(words, new RegExp(`line ${line}:`));
  assert.match(words, /segmnets/);
  assert.match(words, /segments/, 'the nearest known key is named');
  await page.waitForFunction(() =>
    document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-lintRange-error'),
  );
  await page.waitForFunction(() => {
    const content = document.querySelector('.editor-host').shadowRoot;
    return content.querySelector('.cm-activeLine')?.textContent.includes('segmnets');
  });
  assert.equal(await page.textContent('#scene-title'), 'Good arm');
  const before = await time(page);
  await page.waitForFunction((t) => Number(document.querySelector('#time').dataset.value) > t + 0.05, before);

  await page.click('.editor-host');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(cantilever({ title: 'Mended arm' }));
  await page.waitForFunction(() => document.querySelectorAll('#problems li').length === 0);
  await page.click('#run-text');
  await untilTitle(page, 'Mended arm');
  assert.deepEqual(errors, []);
  await context.close();
});

test('undo and redo bring back values and scenes', async () => {
  const { page, context } = await open(site);
  await dropScene(page, cantilever({ title: 'First arm' }));
  await untilTitle(page, 'First arm');
  // Load steps are shown at a pace that can be followed: the number is that of the whole load.
  const whole = async (set) => untilNative(page, 'tip.z', (await nativeSummary(cantilever(), set)).probes['tip.z']);
  const untilTip = (value) =>
    page.waitForFunction(
      (wanted) => Number(document.querySelector('#values td[data-column="tip.z"]')?.dataset.value) === wanted,
      value,
    );
  const before = await whole({});
  await page.fill('#parameter-E-value', '2 MPa');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#parameter-E-value').dataset.value === '2000000');
  const stiff = await whole({ E: 2e6 });
  assert.notEqual(stiff, before);
  await dropScene(page, cantilever({ title: 'Second arm' }));
  await untilTitle(page, 'Second arm');
  const undo = page.getByLabel('Undo the last change');
  await undo.click();
  await untilTitle(page, 'First arm');
  await untilTip(stiff);
  await undo.click();
  await page.waitForFunction(() => document.querySelector('#parameter-E-value').dataset.value === '1000000');
  await untilTip(before);
  await page.getByLabel('Do it again').click();
  await page.waitForFunction(() => document.querySelector('#parameter-E-value').dataset.value === '2000000');
  await context.close();
});

test('a solver that does not answer leaves the view and the buttons free', async () => {
  // What the worker says is kept back while `silent`: to the page that is a step that takes for ever.
  const quiet = () => {
    const Real = Worker;
    const kept = [];
    window.Worker = class extends Real {
      constructor(...rest) {
        super(...rest);
        this.addEventListener('message', (event) => {
          if (!window.silent) return;
          event.stopImmediatePropagation();
          kept.push([this, event.data]);
        });
      }
    };
    window.answer = () => {
      window.silent = false;
      for (const [worker, data] of kept.splice(0)) worker.dispatchEvent(new MessageEvent('message', { data }));
    };
  };
  const { page, context, errors } = await open({ ...site, script: quiet });
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 600, title: 'Heavy arm' }));
  await untilTitle(page, 'Heavy arm');
  await untilRun(page, 'playing');
  await page.evaluate(() => {
    window.silent = true;
  });
  const stands = await time(page);
  const one = await stillShot(page);
  const box = await page.locator('.stage canvas').first().boundingBox();
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 190, box.y + 70, { steps: 20 });
  await page.mouse.up();
  await eventually(async () => assert.ok(difference(one, await shot(page)) > 300, 'the view does not turn'));
  assert.equal(await time(page), stands);
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  await page.keyboard.press('Escape');
  await page.click('#play');
  await page.evaluate(() => window.answer());
  await untilRun(page, 'paused');
  const paused = await time(page);
  await page.click('#play');
  await untilTime(page, paused + 0.1);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a solver that gives up says when, why and what to try', async () => {
  const { page, context } = await open(site);
  const scene = cantilever({ mode: 'dynamic', duration: 5, title: 'Doomed arm' }).replace(
    '"gravity": [0, 0, -9.81]',
    '"gravity": [0, 0, "=-9.81 + log(0.5 - t)"]',
  );
  await dropScene(page, scene);
  await page.waitForSelector('.message.trouble[data-key="gave-up"]');
  const words = await page.textContent('.message.trouble[data-key="gave-up"]');
  assert.match(words, /gave up at 0\.[45]\d s/);
  assert.match(words, /Formula ".*" at \/environment\/gravity\/2 \(line \d+\) gave infinity/);
  await page.waitForSelector('.mark.gaveUp');
  assert.match(await page.getAttribute('.mark.gaveUp', 'aria-label'), /gave up/);

  // Its first steps are cut for the reason for which an obstacle that jumps through it ends the run.
  await dropScene(
    page,
    `{"format": "tendril/1", "title": "Spinning rod", "materials": {"rubber": {"youngs": 1e8, "poisson": 0.4, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 4, "path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}}},
    "initial": [{"of": "rod", "velocity": [0, 0, "=200*x"]}],
    "obstacles": {"ball": {"sphere": {"center": [0, 0, 1], "radius": 0.02}, "displacement": [0, 0, "=-2*(t > 0.045)"]}},
    "solver": {"integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1}}`,
  );
  await untilTitle(page, 'Spinning rod');
  await page.waitForFunction(() =>
    /no convergence.* may help\./.test(document.querySelector('[data-key="gave-up"]')?.textContent),
  );
  assert.deepEqual(
    await page.$$eval('.message.note', (notes) =>
      notes.map((note) => note.textContent).filter((text) => text.includes('was cut')),
    ),
    [],
  );
  await context.close();
});

test('every gallery scene opens, has a picture, and runs', async () => {
  const { page, context, errors } = await open(site, '', { viewport: { width: 800, height: 500 } }); // small: software draws it
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  const ids = await page.$$eval('.card', (cards) => cards.map((card) => card.dataset.scene));
  assert.ok(ids.length >= 10, `${ids.length} scenes in the gallery`);
  for (const id of ids) {
    const card = page.locator(`.card[data-scene="${id}"]`);
    await card.scrollIntoViewIfNeeded();
    await card.locator('img').waitFor();
    assert.ok((await card.locator('.card-sentence').textContent()).length > 10, `${id} has no sentence`);
  }
  await page.fill('#gallery-search', 'static');
  const shown = await page.$$eval('.card:not([hidden])', (cards) => cards.length);
  assert.ok(shown > 0 && shown < ids.length, `search shows ${shown} of ${ids.length}`);
  await page.fill('#gallery-search', '');
  for (const id of ids) {
    if (!(await page.$('#gallery[open]'))) await page.click('#open-gallery');
    await page.click(`.card[data-scene="${id}"]`);
    await page.waitForFunction((name) => document.documentElement.dataset.scene === name, id);
    await page.waitForFunction(() => Number(document.querySelector('#time').dataset.value) > 0);
    assert.ok(new URL(page.url()).searchParams.get('scene') === id, page.url());
  }
  assert.equal(await page.$('.message.trouble'), null);
  assert.deepEqual(errors, []);
  await context.close();
});
