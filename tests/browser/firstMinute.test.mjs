// The first minute with a scene: one sentence and what to try above the sliders, checks that nobody has run, and where to go
// on when the run is over.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cantilever, dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const untilValue = (page, name, wanted) =>
  page.waitForFunction(
    ([n, v]) =>
      Number(
        (document.querySelector(`#parameter-${n}-value`) ?? document.querySelector(`#parameter-${n}`)).dataset.value,
      ) === v,
    [name, wanted],
  );

for (const [screen, options] of [
  ['a wide screen', {}],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
  test(`the first sentence and what to try stand above the sliders, on ${screen}`, async () => {
    const { page, context, errors } = await open(site, '?scene=gripper', options);
    await page.waitForFunction(() => document.documentElement.dataset.scene === 'gripper');
    assert.match(await page.textContent('.lede-sentence'), /^Three fingers under a palm.*\. More$/);
    const boxes = await Promise.all(
      ['.lede-sentence', '.tries', '.parameter'].map((one) => page.locator(one).first().boundingBox()),
    );
    assert.ok(boxes[0].y < boxes[1].y && boxes[1].y < boxes[2].y, JSON.stringify(boxes));
    const { width, height } = page.viewportSize();
    assert.ok(
      boxes[2].y < height - 40 && boxes[1].x + boxes[1].width <= width,
      `out of sight: ${JSON.stringify(boxes)}`,
    );
    if (screen === 'a wide screen')
      await page.getByRole('button', { name: 'Take the ball away Ball: away', exact: true }).waitFor();
    await page.click('.tries button:has-text("Take the ball away")');
    await page.waitForSelector('.tries button[aria-pressed="true"]:has-text("Take the ball away")');
    assert.equal(await page.inputValue('#parameter-ball'), '0');
    await page.click('.tries button:has-text("Take the ball away")');
    await page.waitForFunction(() => document.querySelector('#parameter-ball').value === '1');
    await page.click('.lede button:has-text("More")');
    await page.waitForFunction(() => document.activeElement?.classList.contains('about'));
    assert.ok(await page.locator('.about p').first().isVisible());
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('what to try is one step of the history, whatever it sets', async () => {
  const { page, context } = await open(site, '?scene=tentacle');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'tentacle');
  await page.click('.tries button >> nth=0');
  await untilValue(page, 'waves', 2.5);
  await untilValue(page, 'strength', 18);
  await page.waitForFunction(() => /set=.*waves:2\.5/.test(location.search));
  await page.click('[aria-label="Undo the last change"]');
  await untilValue(page, 'waves', 0.8);
  await untilValue(page, 'strength', 9);
  assert.equal(await page.getAttribute('.tries button >> nth=0', 'aria-pressed'), 'false');
  await context.close();
});

test('the end of a run suggests three scenes, and opens them', async () => {
  const { page, context, errors } = await open(site, '?scene=pluck');
  await untilRun(page, 'playing');
  assert.equal(await page.isVisible('.next-scenes'), false);
  await page.selectOption('#speed', 'Infinity');
  await untilRun(page, 'finished');
  await page.waitForSelector('.next-scenes:not([hidden]) [data-scene]');
  const next = await page.$$eval('.next-scenes [data-scene]', (list) => list.map((one) => one.dataset.scene));
  assert.deepEqual(next, ['cantilever-a1', 'cantilever-a2', 'hanging-helix']);
  await page.keyboard.press(' ');
  await page.waitForSelector('.next-scenes', { state: 'hidden' });
  await untilRun(page, 'finished');
  await page.click('.next-scenes [data-scene="hanging-helix"]');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'hanging-helix');
  // A static scene has only begun when it has come to rest for the first time.
  await untilRun(page, 'finished');
  assert.equal(await page.isVisible('.next-scenes'), false);
  await page.click('.tries button >> nth=0');
  await page.waitForSelector('.next-scenes:not([hidden]) [data-scene]');
  await page.click('.next-scenes [aria-label="Close"]');
  assert.equal(await page.isVisible('.next-scenes'), false);
  assert.deepEqual(errors, []);
  await context.close();
});

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [667, 375],
]) {
  test(`what comes next covers nothing, at ${width} x ${height}`, async () => {
    const { page, context } = await open(site, '?scene=pluck', { viewport: { width, height } });
    await untilRun(page, 'playing');
    await page.selectOption('#speed', 'Infinity');
    await untilRun(page, 'finished');
    await page.waitForSelector('.next-scenes:not([hidden]) [data-scene]');
    const { covered, hidden } = await page.evaluate(() => {
      const next = document.querySelector('.next-scenes');
      const box = next.getBoundingClientRect();
      const meets = (one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
      };
      const onTop = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      };
      return {
        covered: ['.bar', '.stage', '.side', '.transport'].filter((part) => meets(document.querySelector(part))),
        hidden: [...next.querySelectorAll('button')].filter((one) => !onTop(one)).map((one) => one.textContent),
      };
    });
    assert.deepEqual({ covered, hidden }, { covered: [], hidden: [] });
    await context.close();
  });
}

test("after one's own text nothing is suggested, and nothing is made up to try", async () => {
  const { page, context } = await open(site);
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 0.1 }));
  await untilTitle(page, 'Test arm');
  await untilRun(page, 'finished');
  assert.equal(await page.isVisible('.next-scenes'), false);
  assert.equal(await page.textContent('.lede-sentence'), 'An arm for tests. ');
  assert.equal(await page.locator('.tries').count(), 0);
  await context.close();
});

test('checks that nobody has run have not failed', async () => {
  const { page, context } = await open(site);
  const checks =
    '"checks": [{"title": "hangs", "expect": "tip.z < 0", "points": 2}, {"title": "hangs low", "expect": "tip.z < -1"}]';
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 600 }).replace(/\}$/, `, ${checks}}`));
  await untilTitle(page, 'Test arm');
  assert.equal(await page.textContent('#checks-sum'), '2, not run yet: 3 points');
  await context.close();
});
