// Linkages on the page: soft and rigid links, joints and tendons are drawn, colored and named; sliders turn joints and pull
// tendons while the run goes on; the pointer pulls links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodePng, difference, variety } from './png.mjs';
import {
  dropScene,
  eventually,
  nativeSummary,
  open,
  probe,
  start,
  stillShot,
  time,
  underMouse,
  untilNative,
  untilRun,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** A rigid hub that turns about z carries a soft limb with a tendon inside and one outside. Sliders drive both. */
function arm({ duration = 600, theta = 0, tension = 0, gray = false } = {}) {
  return `{
  "format": "tendril/1",
  "title": "Test linkage",
  "description": "A linkage for tests.",
  "parameters": {
    "theta": {"value": ${theta}, "min": -1.5, "max": 1.5, "unit": "rad", "label": "Angle of the hub"},
    "T1": {"value": ${tension}, "min": -8, "max": 8, "unit": "N", "label": "Tension"}
  },
  "materials": {"rubber": {"youngs": 5e5, "poisson": 0.5, "density": 1000, "damping": 5e3}},
  "linkages": {"arm": {
    "links": {
      "hub": {"joint": {"revolute": {"axis": "z", "angle": "=theta"}},
              "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.015}}, "density": 1000}}},
      "limb": {${gray ? '"look": {"color": "#8a8a8a"}, ' : ''}"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.015 - 0.007*u"}}, "strains": {"bendY": 1, "bendZ": 1}}}}
    },
    "cables": {
      "inner": {"through": "limb", "path": {"constant": [0.007, 0]}, "tension": "=T1"},
      "outer": {"through": "limb", "path": {"constant": [0, 0.03]}, "outside": true, "tension": "=0.2*T1"}
    }
  }},
  "solver": {"dt": 5e-3, "duration": ${duration}},
  "probes": {"tip": {"position": "arm:tip"}, "angle": {"jointAngle": "arm/hub"}, "motor": {"jointEffort": "arm/hub"}, "pulled": {"cable": "arm/inner"}},
  "view": {"follow": "arm"}
}`;
}

const tensionLegend = (page) => page.$eval('.tension-legend', (box) => (box.hidden ? '' : box.textContent));

/** The page with the scene, paused: people who want less motion start runs themselves. */
async function shown(text) {
  const opened = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(opened.page, 'paused');
  await dropScene(opened.page, text);
  await untilTitle(opened.page, 'Test linkage');
  await stillShot(opened.page);
  return opened;
}

/** Moves a slider to a value as a person would. */
async function slide(page, name, value) {
  await page.$eval(
    `#parameter-${name}`,
    (slider, [min, max, wanted]) => {
      slider.value = String(Math.round((Number(slider.max) * (wanted - min)) / (max - min)));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    },
    [...(name === 'theta' ? [-1.5, 1.5] : [-8, 8]), value],
  );
}

async function option(page, id) {
  await page.click('#view-options');
  await page.click(`#${id}`);
  await page.keyboard.press('Escape');
}

/** Pixels where red, or blue, is far above the other. */
function hues(bytes) {
  const { width, height, pixel } = decodePng(bytes);
  let warm = 0;
  let cold = 0;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const [r, g, b] = pixel(x, y);
      if (r > 200 && r - b > 120 && r - g > 60) warm += 1;
      if (b > 200 && b - r > 150) cold += 1;
    }
  }
  return { warm, cold };
}

test('links, joints and tendons are drawn, and can be left out', async () => {
  const { page, context, errors } = await shown(arm({ tension: 8 }));
  const all = await stillShot(page);
  assert.ok(variety(all).vivid > 400, 'no soft link in sight');
  assert.equal(await page.textContent('.hint'), 'drag a link to pull it');
  assert.match(await tensionLegend(page), /^Tension of tendons, − pushes \[N\]−8\.00.*8\.00$/);
  await option(page, 'tendons');
  const unlike = (one, least, words) =>
    eventually(async () => {
      const now = await stillShot(page);
      assert.ok(difference(one, now) > least, words);
      return now;
    });
  const bare = await unlike(all, 150, 'tendons leave no trace');
  await eventually(async () => assert.equal(await tensionLegend(page), ''));
  await option(page, 'joints');
  await unlike(bare, 30, 'the joint leaves no trace');
  await option(page, 'joints');
  await option(page, 'tendons');
  await unlike(bare, 150, 'what was left out does not come back');
  assert.deepEqual(errors, []);
  await context.close();
});

test('tendons are colored by tension: pull and push differ', async () => {
  const counts = [];
  for (const tension of [8, 0, -8]) {
    const { page, context } = await shown(arm({ tension, gray: true }));
    counts.push(hues(await stillShot(page)));
    await context.close();
  }
  const [pull, slack, push] = counts;
  assert.ok(
    pull.warm > slack.warm + 60,
    `${pull.warm} warm pixels where a tendon pulls, ${slack.warm} where it is slack`,
  );
  assert.ok(
    push.cold > slack.cold + 60,
    `${push.cold} cold pixels where a tendon pushes, ${slack.cold} where it is slack`,
  );
});

test('sliders turn the joint and pull the tendon while the run goes on', async () => {
  const { page, context, errors } = await shown(arm());
  await page.click('#play');
  await page.waitForFunction(() => Number(document.querySelector('#time').dataset.value) > 0.2);
  assert.equal(await page.$('.parameter[data-name="theta"] .restarts'), null, 'the angle would restart the run');
  const before = await time(page);
  await slide(page, 'theta', 0.6);
  await slide(page, 'T1', 6);
  await page.waitForFunction(() => {
    const value = (name) => Number(document.querySelector(`#values td[data-column="${name}"]`)?.dataset.value);
    return Math.abs(value('angle') - 0.6) < 2e-3 && value('pulled') < 0.297;
  });
  assert.ok((await time(page)) > before, 'the run was started again');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.run), 'playing');
  assert.match(await page.textContent('#values'), /angle\s*0\.\d+ rad/);
  assert.match(await page.textContent('#values'), /motor\s*\S+ [mµnk]?N·m/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the page computes what the native program computes', async () => {
  const scene = arm({ duration: 0.5, theta: 0.4, tension: 5 });
  const { page, context } = await shown(scene);
  await page.click('#play');
  await untilRun(page, 'finished');
  const { probes } = await nativeSummary(scene);
  for (const column of ['tip.x', 'tip.y', 'tip.z', 'pulled']) await untilNative(page, column, probes[column], 1e-9);
  await context.close();
});

test('the mouse names links and tendons, and pulls links', async () => {
  const { page, context, errors } = await shown(arm());
  const found = await underMouse(page);
  assert.deepEqual(Object.keys(found).sort(), ['arm/hub', 'arm/inner: 0 N', 'arm/limb', 'arm/outer: 0 N']);
  const place = found['arm/limb'].reduce((most, at) => (at[0] > most[0] ? at : most));
  const before = await probe(page, 'tip.y');
  await page.mouse.move(...place);
  assert.equal(await page.isVisible('.name-tag'), true);
  await page.mouse.down();
  await page.mouse.move(place[0] - 40, place[1] - 150, { steps: 8 });
  await page.waitForFunction(
    (y) => Math.abs(Number(document.querySelector('#values td[data-column="tip.y"]')?.dataset.value) - y) > 0.01,
    before,
  );
  assert.equal(await page.isVisible('.name-tag'), false);
  await page.mouse.up();
  assert.deepEqual(errors, []);
  await context.close();
});

test('fields color soft links, with units', async () => {
  const { page, context } = await shown(arm({ tension: 8 }));
  await page.click('#play');
  await page.waitForFunction(() => Number(document.querySelector('#time').dataset.value) > 0.4);
  await page.click('#play');
  await page.click('#view-options');
  for (const [field, words] of [
    ['curvature', /^Curvature \[1\/m\]/],
    ['strain', /^Axial strain/],
    ['energy', /^Elastic energy per length \[[mµn]?J\/m\]/],
  ]) {
    await page.selectOption('#color-by', field);
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.legend').textContent),
      words.source,
    );
  }
  assert.notEqual(await tensionLegend(page), '', 'the legend of tensions has gone');
  await context.close();
});
