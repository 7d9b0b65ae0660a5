// Modes of vibration on the page: their list, one that swings, and why there are none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const beam = (title, gravity) =>
  JSON.stringify({
    format: 'tendril/1',
    title,
    rods: {
      beam: {
        section: { stiffness: { EA: 1e6, EI1: 2, EI2: 2, GJ: 1 }, massPerLength: 0.7, radius: 1e-3 },
        segments: 40,
        path: { line: { from: [0, 0, 0], to: [1.3, 0, 0] } },
      },
    },
    constraints: [{ clamp: 'beam:first' }, { planar: 'xz' }],
    environment: { gravity: [0, 0, gravity] },
    solver: { duration: 0.2 },
  });
const untilModes = (page, words) =>
  page.waitForFunction((w) => document.querySelector('#modes')?.parentElement.textContent.includes(w), words);

test('modes are listed with their frequencies, and the one that is pressed swings until the run goes on', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, beam('Beam at rest', 0));
  await untilTitle(page, 'Beam at rest');
  await untilRun(page, 'finished');
  await page.waitForSelector('#find-modes', { state: 'attached' });
  await page.evaluate(() => document.querySelector('#modes').closest('details').setAttribute('open', ''));
  await page.click('#find-modes');
  await untilModes(page, 'Press one');
  const words = await page.$$eval('#modes button', (list) => list.map((one) => one.textContent));
  assert.equal(words.length, 8);
  assert.match(words[0], /^0\.559/);
  await page.click('#modes li:nth-child(2) button');
  assert.equal(await page.getAttribute('#modes li:nth-child(2) button', 'aria-pressed'), 'true');
  await page.keyboard.press('r');
  await page.waitForFunction(() => document.querySelectorAll('#modes button').length === 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a scene that falls says that it must be at rest', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, beam('Beam that falls', -9.81));
  await untilTitle(page, 'Beam that falls');
  await untilRun(page, 'finished');
  await page.waitForSelector('#find-modes', { state: 'attached' });
  await page.evaluate(() => document.querySelector('#modes').closest('details').setAttribute('open', ''));
  await page.click('#find-modes');
  await untilModes(page, 'This state is no equilibrium');
  assert.equal(await page.$('#modes button'), null);
  assert.deepEqual(errors, []);
  await context.close();
});

test('feedback that modes do not see is told', async () => {
  const { page, context, errors } = await open(site);
  const hinge = JSON.stringify({
    format: 'tendril/1',
    title: 'Held by a motor',
    linkages: {
      arm: {
        links: {
          a: {
            joint: { revolute: { axis: 'y', stiffness: 2, torque: '=-3*turned' } },
            body: { rigid: { length: 0.1, section: { circle: { radius: 0.01 } }, density: 1000 } },
          },
        },
      },
    },
    solver: { dt: 0.01, duration: 0.2 },
    probes: { turned: { jointAngle: 'arm/a' } },
  });
  await dropScene(page, hinge);
  await untilTitle(page, 'Held by a motor');
  await untilRun(page, 'finished');
  await page.waitForSelector('#find-modes', { state: 'attached' });
  await page.evaluate(() => document.querySelector('#modes').closest('details').setAttribute('open', ''));
  await page.click('#find-modes');
  await untilModes(page, 'Without feedback');
  assert.deepEqual(errors, []);
  await context.close();
});
