// What is to be seen is seen: the camera goes along until a person moves it, small displacements are drawn large and say so, and
// what acts is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodePng, difference, variety } from './png.mjs';
import {
  cantilever,
  dropScene,
  eventually,
  open,
  shot,
  start,
  stillShot,
  underMouse,
  untilRun,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** A short rod with a label that flies away at 0.4 m/s. */
const flier = (title) => `{
  "format": "tendril/1",
  "title": "${title}",
  "description": "A rod for tests.",
  "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
  "rods": {"dart": {"section": {"circle": {"radius": 5e-3}}, "segments": 4, "look": {"label": "the dart"},
    "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0.02]}}}},
  "initial": [{"of": "dart", "velocity": [0.4, 0, 0]}],
  "solver": {"dt": 0.02, "duration": 60},
  "probes": {"tip": {"position": "dart:last"}}
}`;

const at = (page, seconds) =>
  page.waitForFunction((s) => Number(document.querySelector('#time').dataset.value) > s, seconds);

/** Where the label stands, as a part of the view's width. */
const place = (page) =>
  page.evaluate(() => {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const label = document.querySelector('.labels span').getBoundingClientRect();
    return (label.x + label.width / 2 - stage.x) / stage.width;
  });

test('the camera goes along with what leaves the picture, until a person moves it', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, flier('Dart one'));
  await untilTitle(page, 'Dart one');
  await at(page, 3);
  await page.waitForFunction(() => {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const label = document.querySelector('.labels span').getBoundingClientRect();
    return label.x > stage.x && label.right < stage.right;
  });
  const there = await place(page);
  assert.ok(there > 0 && there < 1, `the dart is shown at ${there}`);
  await page
    .locator('.stage canvas')
    .first()
    .hover({ position: { x: 60, y: 200 } });
  await page.mouse.down();
  await page.mouse.move(90, 260, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    return document.querySelector('.labels span').getBoundingClientRect().x > stage.right;
  });
  assert.deepEqual(errors, []);
  await context.close();
});

test('what values put far beside the place that the scene looks at is in the middle', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever&set=L:-1', { reducedMotion: 'reduce' });
  await untilRun(page, 'finished');
  await stillShot(page);
  const stage = await page.locator('.stage').boundingBox();
  const found = Object.values(await underMouse(page)).flat();
  assert.ok(found.length > 10, `the rod was found at ${found.length} places`);
  const across = found.map(([x]) => (x - stage.x) / stage.width);
  assert.ok(
    Math.min(...across) > 0.35 && Math.max(...across) < 0.65,
    `it is from ${Math.min(...across)} to ${Math.max(...across)}`,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('what goes to infinity leaves the camera where it was', async () => {
  const { page, context } = await open(site, '?scene=cantilever', { reducedMotion: 'reduce' });
  await untilRun(page, 'finished');
  const scale = await page.textContent('.scale-bar');
  await page.click('details.more summary');
  await page.fill('#parameter-L', '1e39');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#parameter-L').dataset.value === '1e+39');
  await page.waitForTimeout(500);
  assert.equal(await page.textContent('.scale-bar'), scale);
  await context.close();
});

/** Darker than what is on both sides of them: pixels of lines in the lower part of a picture. */
const lines = (bytes) => {
  const { width, height, pixel } = decodePng(bytes);
  let found = 0;
  const bright = (x, y) => pixel(x, y)[0] + pixel(x, y)[1] + pixel(x, y)[2];
  for (let y = Math.round(0.7 * height); y < 0.8 * height; y += 4)
    for (let x = 8; x < width - 8; ++x)
      if (bright(x, y) < Math.min(bright(x - 8, y), bright(x + 8, y)) - 20) found += 1;
  return found;
};

test('the ground is there again after a rod became much longer and short again', async () => {
  const { page, context, errors } = await open(site, '?scene=pluck');
  await untilRun(page, 'playing');
  const before = lines(await shot(page));
  assert.ok(before > 50, `only ${before} pixels of lines at first`);
  for (const far of ['2', '0.8']) {
    for (const value of [far, '0.25']) {
      await page.fill('#parameter-L-value', value);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(1500);
    }
    await eventually(async () => {
      const after = lines(await shot(page));
      assert.ok(after > 0.4 * before, `${after} pixels of lines, ${before} before`);
    });
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('a frame whose load moves it by half a millimeter is drawn so that it is seen, and says so', async () => {
  const { page, context } = await open(site, '?scene=l-frame');
  await untilRun(page, 'finished');
  const notes = () => page.textContent('.scale-notes');
  assert.match(await notes(), /deflection drawn 50×/);
  const factor = page.locator('#exaggeration');
  await page.click('#view-options');
  assert.match(await factor.textContent(), /as the scene asks, 50×/);
  await factor.selectOption('1');
  await page.waitForFunction(() => !document.querySelector('.scale-notes').textContent.includes('deflection'));
  await factor.selectOption('20');
  await page.waitForFunction(() => document.querySelector('.scale-notes').textContent.includes('deflection drawn 20×'));
  await context.close();
});

test('what a run that stands shows follows deflection and values at once', async () => {
  const { page, context } = await open(site, '?scene=l-frame');
  await untilRun(page, 'finished');
  const before = await stillShot(page);
  await page.click('#view-options');
  await page.locator('#exaggeration').selectOption('1');
  await eventually(async () => assert.ok(difference(before, await stillShot(page)) > 300, 'the picture is as before'));
  await context.close();

  const scene = {
    format: 'tendril/1',
    title: 'Rod',
    parameters: { r: { value: 0.01, min: 0.005, max: 0.06 } },
    materials: { rubber: { youngs: 1e6, density: 1000 } },
    rods: {
      arm: { path: { line: { from: [0, 0, 0], to: [1, 0, 0] } }, segments: 10, section: { circle: { radius: '=r' } } },
    },
    constraints: [{ clamp: 'arm:first' }],
    solver: { mode: 'static' },
    environment: { gravity: [0, 0, 0] },
  };
  const two = await open(site);
  await dropScene(two.page, JSON.stringify(scene));
  await untilTitle(two.page, 'Rod');
  await untilRun(two.page, 'finished');
  const thin = await stillShot(two.page);
  await two.page.fill('#parameter-r-value', '0.06');
  await two.page.keyboard.press('Enter');
  await eventually(async () =>
    assert.ok(difference(thin, await stillShot(two.page)) > 300, 'the rod is as thin as before'),
  );
  await two.context.close();
});

test('an exaggerated point is pulled to where the pointer shows it', async () => {
  const { page, context } = await open(site, '?scene=cantilever-a1');
  await untilRun(page, 'playing');
  await page.evaluate(() => {
    window.pulls = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message?.type === 'grab') window.pulls.push(message.target);
      return post.call(this, message, ...rest);
    };
  });
  await page.locator('.stage canvas').first().focus();
  // The first point that keys take is the tip; before the first picture there is none to take.
  const pulls = () => page.evaluate(() => window.pulls);
  while ((await pulls()).length === 0) {
    await page.keyboard.press('p');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  const [[x, , z]] = await pulls();
  assert.ok(Math.abs(x - 1) < 0.02, `the tip at ${x}`);
  assert.ok(Math.abs(z) < 0.015, `${z} m is the drawn height, not the true one`);
  await context.close();
});

test('what acts is told: gravity, slope and friction', async () => {
  const { page, context } = await open(site, '?scene=incline');
  await page.waitForFunction(() => document.querySelectorAll('.acting li').length === 3);
  assert.deepEqual(await page.$$eval('.acting li', (rows) => rows.map((row) => row.textContent)), [
    'gGravity: 9.81 m/s²',
    'Slope: 15°',
    'μFriction coefficient: 0.40',
  ]);
  await page.fill('#parameter-g-value', '5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.acting .gravity').textContent.includes('5.00'));
  for (const angle of ['25', '12']) {
    await page.fill('#parameter-angle-value', angle);
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (words) => document.querySelectorAll('.acting li')[1].textContent.includes(words),
      `Slope: ${angle}°`,
    );
  }
  await context.close();
});

test('another size of the view keeps its picture until the next one is drawn', async () => {
  const { page, context } = await open(site, '', { reducedMotion: 'reduce' });
  await dropScene(page, cantilever());
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  const { vivid } = variety(await stillShot(page));
  assert.ok(vivid > 300, `only ${vivid} colored pixels: no arm in sight`);
  // No picture is drawn from here on, as on a machine that has no time for it.
  const width = await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
    return document.querySelector('.stage').clientWidth;
  });
  await page.setViewportSize({ width: 1200, height: 760 });
  await page.waitForFunction((before) => document.querySelector('.stage').clientWidth !== before, width, {
    polling: 50,
  });
  const left = variety(await shot(page)).vivid;
  assert.ok(left > 0.5 * vivid, `${left} of ${vivid} colored pixels are left`);
  await context.close();
});
