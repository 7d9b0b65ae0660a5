// Obstacles on the page: drawn, labeled, moving with the run, framed with the bodies but for planes, never pulled,
// dragged while the run stands.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { difference } from './png.mjs';
import { dropScene, eventually, open, shot, start, stillShot, time, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** A rope over a floor beside a ball that is as large as the rope is long; the ball may slide or be hidden. */
function ropeAndBall({
  displacement = '[0, 0, 0]',
  look = '{"color": "#2f9e6e", "label": "the ball"}',
  floor = true,
  title = 'Rope and ball',
} = {}) {
  return `{
  "format": "tendril/1",
  "title": "${title}",
  "description": "Obstacles for tests.",
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 500}},
  "rods": {"rope": {"section": {"circle": {"radius": 6e-3}}, "segments": 12,
                    "path": {"line": {"from": [-0.2, 0, 0.2], "to": [0.2, 0, 0.2]}}}},
  "obstacles": {
    ${floor ? '"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},' : ''}
    "ball": {"sphere": {"center": [0.6, 0, 0.2], "radius": 0.2}, "displacement": ${displacement}, "look": ${look}}
  },
  "constraints": [{"clamp": "rope:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": 1e-2, "duration": 600},
  "probes": {"tip": {"position": "rope:last"}}
}`;
}

/** The page with the scene, paused: people who want less motion start runs themselves. */
async function shown(text, title = 'Rope and ball') {
  const opened = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(opened.page, 'paused');
  await dropScene(opened.page, text);
  await untilTitle(opened.page, title);
  await stillShot(opened.page);
  return opened;
}

/** Where the label stands [px], as shown. */
const label = (page) =>
  page.$eval('.labels span', (span) =>
    span.style.transform
      .match(/-?[\d.]+px/g)
      .slice(0, 2)
      .map(Number.parseFloat),
  );

test('a ball is drawn with its color and label where it is, and nothing of a hidden one', async () => {
  const one = await shown(ropeAndBall());
  const ball = await shot(one.page);
  assert.equal(await one.page.textContent('.labels span'), 'the ball');
  assert.equal(await one.page.textContent('.hint'), 'drag a rod to pull it');
  assert.deepEqual(one.errors, []);
  const two = await shown(ropeAndBall({ look: '{"color": "#2f9e6e", "opacity": 0.3}' }));
  assert.ok(difference(ball, await shot(two.page)) > 1000, 'opacity changes nothing');
  await two.context.close();
  const three = await shown(ropeAndBall({ look: '{"hidden": true, "label": "unseen"}' }));
  assert.ok(difference(ball, await shot(three.page)) > 3000, 'the ball is not drawn');
  assert.equal(await three.page.$('.labels span'), null);
  await three.context.close();
  await one.context.close();
});

test('everything is framed with the ball and without the plane', async () => {
  const { page, context } = await shown(ropeAndBall());
  const box = await page.locator('.stage canvas').first().boundingBox();
  const [x, y] = await label(page);
  assert.ok(
    x > 0.5 * box.width && x < 0.9 * box.width && y > 0 && y < box.height,
    `the ball stands at ${x}, ${y} of ${box.width} x ${box.height}`,
  );
  const floor = await shot(page);
  const without = await shown(ropeAndBall({ floor: false }));
  const bare = await label(without.page);
  assert.ok(Math.hypot(bare[0] - x, bare[1] - y) < 1, 'the plane changes what is framed');
  assert.ok(difference(floor, await shot(without.page)) > 3000, 'the floor is not drawn');
  await without.context.close();
  await context.close();
});

test('a ball that slides moves with the run and comes back with it', async () => {
  const { page, context, errors } = await shown(ropeAndBall({ displacement: '["=0.4*t", 0, 0]' }));
  const [before] = await label(page);
  await page.click('#play');
  await page.waitForFunction((x) => {
    const span = document.querySelector('.labels span');
    return Number.parseFloat(span.style.transform.match(/-?[\d.]+px/)[0]) > x + 20;
  }, before);
  await page.click('#play');
  await untilRun(page, 'paused');
  assert.ok((await time(page)) > 0);
  await page.click('#reset');
  await page.waitForFunction((x) => {
    const span = document.querySelector('.labels span');
    return Math.abs(Number.parseFloat(span.style.transform.match(/-?[\d.]+px/)[0]) - x) < 1;
  }, before);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the pointer over the ball pulls nothing: it moves the ball while the run stands, and turns the view while it plays', async () => {
  const { page, context } = await shown(ropeAndBall());
  const box = await page.locator('.stage canvas').first().boundingBox();
  const [x, y] = await label(page);
  const over = await page.evaluate(
    ([px, py]) => {
      const canvas = document.querySelector('.stage canvas');
      canvas.dispatchEvent(
        new PointerEvent('pointermove', { clientX: px, clientY: py, pointerType: 'mouse', buttons: 0 }),
      );
      return canvas.classList.contains('over-body');
    },
    [box.x + x + 30, box.y + y + 25],
  );
  assert.equal(over, false);
  await page.mouse.move(box.x + x + 30, box.y + y + 25);
  await page.mouse.down();
  await page.mouse.move(box.x + x + 130, box.y + y + 25, { steps: 6 });
  await page.mouse.up();
  const moved = await eventually(async () => {
    const now = await label(page);
    assert.ok(Math.abs(now[0] - x - 100) < 15 && Math.abs(now[1] - y) < 15, `the ball went from ${x}, ${y} to ${now}`);
    return now;
  });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.run), 'paused', 'something was pulled');
  await page.click('#play');
  await untilRun(page, 'playing');
  await page.mouse.move(box.x + moved[0] + 30, box.y + moved[1] + 25);
  await page.mouse.down();
  await page.mouse.move(box.x + moved[0] + 30, box.y + moved[1] + 125, { steps: 6 });
  await page.mouse.up();
  await page.click('#play');
  await eventually(async () => {
    const turned = await label(page);
    assert.ok(Math.hypot(turned[0] - moved[0], turned[1] - moved[1]) > 10, 'the view did not turn');
  });
  await context.close();
});
