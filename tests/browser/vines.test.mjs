// Vines on the page: the maze opens, the space bar and a button grow the vine, its drawing grows with it, what it shows
// can be chosen, and a dragged obstacle stands where it was let go, in the text too, until undo.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { difference } from './png.mjs';
import {
  eventually,
  open,
  probe,
  shot,
  start,
  stillShot,
  time,
  underMouse,
  untilRun,
  untilTime,
  untilTitle,
} from './support.mjs';

const title = 'Steer a vine through a maze';
let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const length = (page) => probe(page, 'length');
const untilLonger = (page, than) =>
  page.waitForFunction(
    (least) => Number(document.querySelector('#values td[data-column="length"]')?.dataset.value) > least,
    than,
  );

/** The maze, standing at its start: people who want less motion start runs themselves. */
async function maze() {
  const opened = await open(site, '?scene=vine-maze', { reducedMotion: 'reduce' });
  await untilTitle(opened.page, title);
  await untilRun(opened.page, 'paused');
  await stillShot(opened.page);
  return opened;
}

test('the space bar starts the run and grows the vine for as long as it is held; arrows steer', async () => {
  const { page, context, errors } = await maze();
  assert.match(await page.textContent('.hint'), /^hold Space: Growth, ←: Turn left, →: Turn right.* · drag obstacles$/);
  const short = await length(page);
  await page.keyboard.down('Space');
  await untilLonger(page, short + 0.15);
  assert.equal(await page.getAttribute('.play-key[data-key="space"]', 'class'), 'play-key held');
  await page.keyboard.down('ArrowLeft');
  await untilLonger(page, short + 0.3);
  assert.ok((await probe(page, 'tip.y')) > 0.02, 'it was not steered to the left');
  await page.keyboard.up('ArrowLeft');
  await page.keyboard.up('Space');
  await untilTime(page, (await time(page)) + 1);
  const long = await length(page);
  const then = await time(page);
  await untilTime(page, then + 1.5);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.run), 'playing');
  assert.ok((await time(page)) > then);
  assert.ok(Math.abs((await length(page)) - long) < 2e-3, 'it grows without a key');
  assert.equal(await page.isDisabled('button[aria-label="Undo the last change"]'), true, 'keys are no edits');
  await page.keyboard.press('k');
  await untilRun(page, 'paused');
  await page.keyboard.press('?');
  assert.match(await page.textContent('#help dl'), /Growth = 120 mm\/s/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a button grows it too, and bodies, forces and the path can be shown', async () => {
  const { page, context, errors } = await maze();
  const short = await length(page);
  const button = await page.locator('.play-key[data-key="space"]').boundingBox();
  await page.mouse.move(button.x + button.width / 2, button.y + button.height / 2);
  await page.mouse.down();
  await untilLonger(page, short + 0.2);
  await page.mouse.up();
  await page.keyboard.press('k');
  await untilRun(page, 'paused');
  const plain = await stillShot(page);
  await page.click('#view-options');
  await page.check('#vine-bodies');
  await page.check('#vine-forces');
  await page.keyboard.press('Escape');
  await eventually(async () => assert.ok(difference(plain, await shot(page)) > 300, 'the bodies are not drawn'));
  assert.deepEqual(errors, []);
  await context.close();
});

/** Where the mouse first finds the post, in a picture that shows it. */
async function postAt(page) {
  for (;;) {
    const { post } = await underMouse(page, { bottom: 0.95, across: 5, down: 5 });
    if (post) return post[0];
    await page.waitForTimeout(200);
  }
}

/** Waits until the picture shows the post at a place of the screen, or no longer: a new scene is drawn when it can be. */
const untilPost = (page, place, there = true) =>
  page.waitForFunction(
    ([[clientX, clientY], wanted]) => {
      const canvas = document.querySelector('.stage canvas');
      const tag = document.querySelector('.name-tag');
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, pointerType: 'mouse', buttons: 0 }));
      return (!tag.hidden && tag.textContent === 'post') === wanted;
    },
    [place, there],
  );

/** The scene as a file has it. */
async function taken(page) {
  await page.click('#take-along');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('.menu button:has-text("Scene")')]);
  return readFile(await file.path(), 'utf8');
}

const postIn = (text) => JSON.parse(text.match(/"post": \{"cylinder": \{"from": (\[[^\]]*\])/)[1]);

test('an obstacle that is dragged while the run stands moves in the scene, and undo puts it back', async () => {
  const { page, context, errors } = await maze();
  const undo = 'button[aria-label="Undo the last change"]';
  assert.deepEqual(postIn(await taken(page)), [0.98, 0.02, -0.03]);
  const post = await postAt(page);
  const grip = [post[0] + 6, post[1] + 6];
  const goal = [grip[0] - 80, grip[1]];
  await page.mouse.move(...grip);
  await page.waitForFunction(() => document.querySelector('.stage canvas').classList.contains('over-obstacle'));
  await page.mouse.down();
  await page.mouse.move(grip[0] - 30, grip[1], { steps: 3 });
  await page.mouse.move(...goal, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction((button) => document.querySelector(button)?.disabled === false, undo);
  const [x, y, z] = postIn(await taken(page));
  assert.ok(x < 0.95 && x > 0.5 && Math.abs(y - 0.02) < 0.05 && z === -0.03, `it stands at ${x}, ${y}, ${z}`);
  await untilPost(page, goal);
  await untilPost(page, grip, false);
  const there = await postAt(page);
  assert.ok(Math.abs(there[0] - (post[0] - 80)) < 12, `drawn at ${there}, dragged from ${post}`);
  await page.click(undo);
  await page.waitForFunction((button) => document.querySelector(button)?.disabled === true, undo);
  // The button knows at once; the scene comes when it is loaded.
  await untilPost(page, grip);
  await untilPost(page, goal, false);
  assert.deepEqual(postIn(await taken(page)), [0.98, 0.02, -0.03]);
  const back = await postAt(page);
  assert.ok(Math.abs(back[0] - post[0]) < 6, `undo does not put it back, or moves the camera: ${back}, ${post}`);
  assert.deepEqual(errors, []);
  await context.close();
});
