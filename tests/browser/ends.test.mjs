// Play always does something: runs that have ended start again, loop if asked, and static scenes show their load steps, are
// taken back and forth by load, and pulled.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  cantilever,
  dropScene,
  nativeSummary,
  open,
  probe,
  ranAgain,
  start,
  time,
  untilNative,
  untilRun,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const hint = (page) => page.textContent('.hint');
const statics = (loadSteps = 20) => cantilever().replace('"mode":"static"', `"mode":"static","loadSteps":${loadSteps}`);

test('at the end of a run Play, Space and Step start it again, and the hint says so', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 0.3, dt: 0.01 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  assert.equal(await hint(page), 'Space runs it again');
  assert.match(await page.getAttribute('#play', 'aria-label'), /again from the start/);
  // Every news of the run from here on.
  await page.evaluate(() => {
    window.times = [];
    const note = () =>
      window.times.push([document.documentElement.dataset.run, Number(document.querySelector('#time').dataset.value)]);
    new MutationObserver(note).observe(document.querySelector('#time'), { attributes: true });
  });
  for (const press of [() => page.click('#play'), () => page.keyboard.press(' ')]) {
    await page.evaluate(() => window.times.splice(0));
    await page.locator('.stage canvas').first().focus();
    await press();
    await page.waitForFunction(() => window.times.some(([, t]) => t < 0.3));
    await untilRun(page, 'finished');
  }
  await page.click('#step');
  await page.waitForFunction(() => Math.abs(Number(document.querySelector('#time').dataset.value) - 0.01) < 1e-9);
  await untilRun(page, 'paused');
  assert.match(await page.textContent('.messages'), /this is its first step/);
  assert.equal(await hint(page), 'drag a rod to pull it');
  assert.deepEqual(errors, []);
  await context.close();
});

test('a run loops if asked, and that is remembered', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 0.3, dt: 0.01 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const rounds = () =>
    page.evaluate(
      () =>
        new Promise((done) => {
          let before = 0;
          let count = 0;
          new MutationObserver(() => {
            const now = Number(document.querySelector('#time').dataset.value);
            if (now < before) count += 1;
            before = now;
            if (count === 2) done(true);
          }).observe(document.querySelector('#time'), { attributes: true });
        }),
    );
  await page.click('#loop');
  assert.equal(await page.getAttribute('#loop', 'aria-pressed'), 'true');
  await rounds();
  await page.reload();
  await page.waitForSelector('#loop[aria-pressed="true"]');
  await page.keyboard.press('l');
  await page.waitForSelector('#loop[aria-pressed="false"]');
  assert.deepEqual(errors, []);
  await context.close();
});

test('a static scene shows its load steps before it is over; the bar takes it to any load, in percent', async () => {
  const { page, context, errors } = await open(site);
  await page.evaluate(() => {
    window.loads = new Set();
    new MutationObserver(() => window.loads.add(document.querySelector('#time').textContent)).observe(
      document.querySelector('#time'),
      {
        childList: true,
        subtree: true,
        attributes: true,
        characterData: true,
      },
    );
  });
  await dropScene(page, statics());
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const loads = await page.evaluate(() => [...window.loads].filter((words) => words.startsWith('load')));
  assert.ok(loads.includes('load 0 %') && loads.includes('load 100 %') && loads.length >= 7, `seen: ${loads}`);
  assert.equal(await hint(page), 'drag a rod to pull it · drag the bar below to change the load');
  const full = await untilNative(page, 'tip.z', (await nativeSummary(statics())).probes['tip.z']);
  const bar = await page.locator('#load').boundingBox();
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
  await page.waitForFunction(() => document.querySelector('#time').textContent === 'load 50 %');
  await page.waitForFunction(
    (z) => Number(document.querySelector('#values td[data-column="tip.z"]').dataset.value) > 0.9 * z,
    full,
  );
  assert.ok((await probe(page, 'tip.z')) < 0.4 * full, 'half of the load bends it');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('#time').textContent === 'load 45 %');
  assert.equal(await page.getAttribute('#load', 'aria-valuetext'), '45 %');
  await page.click('#play');
  await untilRun(page, 'finished');
  assert.equal(await page.textContent('#time'), 'load 100 %');
  const again = await ranAgain(page);
  await page.click('#play');
  await again.evaluate(({ over }) => over);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a static scene can be pulled at once, and goes back when it is let go', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, statics());
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const rest = await untilNative(page, 'tip.z', (await nativeSummary(statics())).probes['tip.z']);
  await page.keyboard.press('p');
  for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowUp');
  await page.waitForFunction(
    (z) => Math.abs(Number(document.querySelector('#values td[data-column="tip.z"]').dataset.value) - z) > 1e-3,
    rest,
  );
  assert.equal(await page.getAttribute('html', 'data-run'), 'finished');
  assert.equal(await page.locator('.message').count(), 0, await page.textContent('.messages'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    (z) => Math.abs(Number(document.querySelector('#values td[data-column="tip.z"]').dataset.value) - z) < 1e-9,
    rest,
  );
  assert.equal(await time(page), 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a note on a run goes with it: another scene, or its start again', async () => {
  // Notes go by themselves after some seconds; here they do not.
  const patient = () => {
    const after = window.setTimeout;
    window.setTimeout = (then, ms, ...rest) => after(then, ms >= 4000 ? 1e9 : ms, ...rest);
  };
  const { page, context, errors } = await open({ ...site, script: patient });
  // Steps much too long for what it does, which the engine says at the end.
  const coarse = cantilever({ mode: 'dynamic', duration: 1, dt: 0.05, title: 'Coarse arm' })
    .replace('"damping": 50', '"damping": 0')
    .replace('-9.81', '-800');
  const said = '.message.note:has-text("the integrator took")';
  for (const leave of [
    () => page.keyboard.press('r'),
    () => dropScene(page, cantilever({ mode: 'dynamic', duration: 600, title: 'Next arm' })),
  ]) {
    await dropScene(page, coarse.replace('Coarse arm', `Coarse arm ${Math.random()}`));
    await page.waitForSelector(said);
    await leave();
    await page.waitForFunction(
      (one) => !document.querySelector(`.message.note`)?.textContent.includes(one),
      'the integrator took',
    );
  }
  assert.deepEqual(errors, []);
  await context.close();
});
