// Playing with a vine as people do: keys and buttons that say what they do, sliders beside them, obstacles that are
// dragged while something is being written or a run has gone on, and small screens. Nothing is lost without a word.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import {
  dropScene,
  eventually,
  open,
  probe,
  ranAgain,
  start,
  stillShot,
  time,
  underMouse,
  untilRun,
  untilTitle,
} from './support.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** A vine that keys grow and turn, and a post that can be dragged; seen from above. */
const scene = (duration = 600) => `{
  "format": "tendril/1",
  "title": "Play",
  "parameters": {
    "grow": {"value": 0, "min": -0.2, "max": 0.3, "unit": "m/s", "label": "Growth"},
    "turn": {"value": 0, "min": -1, "max": 1, "label": "Turn (1 is left)"}
  },
  "vines": {"vine": {"bodies": 8, "length": 0.24, "diameter": 0.03, "massPerLength": 0.04, "bendingStiffness": 0.01,
    "bendingDamping": 0.01, "growth": "=grow", "tip": true, "stall": 3, "curvature": "=9*turn*(s > length - 0.25)"}},
  "obstacles": {"post": {"sphere": {"center": [0.5, 0.3, 0], "radius": 0.07}, "look": {"label": "the post"}}},
  "solver": {"dt": 0.01, "duration": ${duration}},
  "probes": {"tip": {"position": "vine:tip"}, "length": {"length": "vine"}},
  "view": {"camera": {"position": [0.3, 0.1, 1.6], "target": [0.3, 0.11, 0]},
    "keys": {"space": {"grow": 0.12}, "left": {"turn": 1}, "right": {"turn": -1}}}
}`;

const undo = 'button[aria-label="Undo the last change"]';
const note = (page, words) =>
  page.waitForFunction((w) => [...document.querySelectorAll('.message')].some((m) => m.textContent.includes(w)), words);
const untilLonger = (page, than) =>
  page.waitForFunction(
    (least) => Number(document.querySelector('#values td[data-column="length"]')?.dataset.value) > least,
    than,
  );
const untilEnabled = (page, button, enabled) =>
  page.waitForFunction(([b, e]) => document.querySelector(b)?.disabled === !e, [button, enabled]);

async function shown(options = {}, duration = 600) {
  const opened = await open(site, '', { reducedMotion: 'reduce', ...options });
  await untilRun(opened.page, 'paused');
  await dropScene(opened.page, scene(duration));
  await untilTitle(opened.page, 'Play');
  await stillShot(opened.page);
  return opened;
}

/** Where the mouse finds the post. */
async function postAt(page) {
  const { post } = await underMouse(page, { bottom: 0.95, across: 5, down: 5 });
  return post[Math.floor(post.length / 2)];
}

async function drag(page, [x, y], dx, dy = 0) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 3 });
  await page.mouse.move(x + dx, y + dy, { steps: 3 });
  await page.mouse.up();
}

const editorText = (page) =>
  page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').innerText);
const center = (text) => JSON.parse(text.match(/"center": (\[[^\]]*\])/)[1]);
const untilBack = (page) => eventually(async () => assert.deepEqual(center(await editorText(page)), [0.5, 0.3, 0]));
const untilLeft = (page, of) =>
  eventually(async () => assert.ok((await postAt(page))[0] < of, 'the post did not go to the left'));
const untilRight = (page, of) =>
  eventually(async () => assert.ok((await postAt(page))[0] > of, 'the post did not come back'));

async function openEditor(page) {
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  await stillShot(page);
}

async function write(page, words) {
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
}

test('the space bar starts a run that stands and grows the vine at once; keys say what they do', async () => {
  const { page, context, errors } = await shown();
  assert.equal(await page.textContent('.hint'), 'hold Space: Growth, ←: Turn left, →: Turn right · drag obstacles');
  assert.deepEqual(await page.$$eval('.play-key', (keys) => keys.map((key) => [key.dataset.cap, key.innerText])), [
    ['Space', 'Growth'],
    ['←', 'Turn left'],
    ['→', 'Turn right'],
  ]);
  await page.evaluate(axe);
  const named = await page.evaluate(() => window.axe.run('.play-pad', { resultTypes: ['violations'] }));
  assert.deepEqual(
    named.violations.map(({ id }) => id),
    [],
  );
  assert.equal(
    await page.getAttribute('.play-key[data-key="left"]', 'aria-label'),
    'Turn left: hold, or hold the left arrow key',
  );
  const short = await probe(page, 'length');
  const label = await page.$eval('.labels span', (span) => span.style.transform);
  await page.keyboard.down('Space');
  await untilLonger(page, short + 0.1);
  const places = await page.$$eval('.labels span', (spans) =>
    spans.map((span) => !span.hidden && span.style.transform),
  );
  assert.deepEqual(places, [label], 'the label is not where it was while the drawing grows');
  await page.keyboard.up('Space');
  assert.equal(await page.getAttribute('html', 'data-run'), 'playing');
  assert.match(await page.textContent('.hint'), /pause to drag obstacles$/);
  await page.keyboard.press('k');
  await untilRun(page, 'paused');
  assert.deepEqual(errors, []);
  await context.close();
});

test('arrows steer after the pointer has moved a slider; one that Tab has chosen keeps them', async () => {
  const { page, context } = await shown();
  await page.click('#play');
  await untilRun(page, 'playing');
  const slider = await page.locator('#parameter-grow').boundingBox();
  await drag(page, [slider.x + slider.width * 0.4, slider.y + slider.height / 2], slider.width * 0.3);
  const grown = await page.inputValue('#parameter-grow');
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.play-key[data-key="left"]').classList.contains('held'));
  await page.keyboard.up('ArrowLeft');
  assert.equal(await page.inputValue('#parameter-grow'), grown, 'the slider took the key');
  await page.focus('#parameter-grow-value');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'parameter-grow');
  await page.keyboard.press('ArrowLeft');
  assert.notEqual(await page.inputValue('#parameter-grow'), grown, 'the slider lost its own key');
  await page.keyboard.press('?');
  assert.match(await page.textContent('#help'), /where you went with Tab/);
  await context.close();
});

test('a drag goes into the text that is being written; undo in the editor and in the header take it back alone', async () => {
  const { page, context, errors } = await shown();
  await openEditor(page);
  await write(page, ' // my note');
  const first = await postAt(page);
  await drag(page, first, -60);
  await page.waitForFunction(
    () =>
      !document
        .querySelector('.editor-host')
        .shadowRoot.querySelector('.cm-content')
        .innerText.includes('[0.5, 0.3, 0]'),
  );
  assert.match(await editorText(page), /\/\/ my note/);
  assert.ok(center(await editorText(page))[0] < 0.47);
  await untilLeft(page, first[0] - 40);
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Control+z');
  await untilBack(page);
  assert.match(await editorText(page), /\/\/ my note/, 'undo took more than the drag');
  await untilRight(page, first[0] - 6); // the scene goes along with undo
  await page.keyboard.press('Control+y');
  await untilLeft(page, first[0] - 40);
  assert.ok(center(await editorText(page))[0] < 0.47);
  await page.click(undo);
  await untilBack(page);
  assert.match(await editorText(page), /\/\/ my note/, 'undo took more than the drag');
  await untilRight(page, first[0] - 6);
  await page.click(undo);
  await eventually(async () => assert.doesNotMatch(await editorText(page), /my note/));
  assert.deepEqual(errors, []);
  await context.close();
});

test('a text that cannot run is left alone: the obstacle goes back, with words', async () => {
  const { page, context } = await shown();
  await openEditor(page);
  await write(page, ' "half of a key');
  const post = await postAt(page);
  await drag(page, post, -60);
  await note(page, '"post" stays where it was. Line ');
  await eventually(async () => {
    const there = await postAt(page);
    assert.ok(Math.abs(there[0] - post[0]) < 6, `it stands at ${there}, dragged from ${post}`);
  });
  assert.match(await editorText(page), /half of a key/);
  assert.deepEqual(center(await editorText(page)), [0.5, 0.3, 0]);
  assert.equal(await page.isDisabled(undo), false);
  await context.close();
});

test('during a run a drag is refused with a word; within a run its cost is said before and after', async () => {
  const { page, context } = await shown();
  const post = await postAt(page);
  const label = () => page.$eval('.labels span', (span) => span.style.transform);
  const before = await label();
  await page.keyboard.down('Space');
  await untilLonger(page, 0.3);
  await drag(page, post, -60, 40);
  await note(page, 'pause to drag obstacles');
  assert.equal(await label(), before, 'the view turned, or the post moved');
  await page.keyboard.up('Space');
  await page.keyboard.press('k');
  await untilRun(page, 'paused');
  assert.match(await page.textContent('.hint'), /drag an obstacle: the run starts again$/);
  assert.doesNotMatch(await page.getAttribute('.hint', 'class'), /done/);
  assert.ok((await time(page)) > 0.3);
  await drag(page, post, -60);
  await note(page, 'The run starts again from t = 0, with "post" moved.');
  await page.waitForFunction(() => document.querySelector('#time').dataset.value === '0');
  assert.match(await page.textContent('.hint'), /· drag obstacles$/);
  assert.equal(await page.getAttribute('html', 'data-run'), 'paused');
  await untilEnabled(page, undo, true);
  await context.close();
});

test('keys and sliders that act after the end say that the run starts again', async () => {
  const { page, context } = await shown({}, 0.3);
  await page.click('#play');
  await untilRun(page, 'finished');
  const again = await ranAgain(page);
  await page.keyboard.press('Space');
  await note(page, 'The run had ended: it starts again from t = 0.');
  await again.evaluate(({ over }) => over);
  const slider = await page.locator('#parameter-turn').boundingBox();
  await drag(page, [slider.x + slider.width * 0.5, slider.y + slider.height / 2], slider.width * 0.2);
  await note(page, 'The run had ended: it starts again from t = 0, with the new value.');
  await context.close();
});

test('showing everything keeps the direction of the view', async () => {
  const { page, context } = await shown();
  const axes = () =>
    page.$$eval('.axes line', (lines) =>
      lines.flatMap((l) => ['x1', 'y1', 'x2', 'y2'].map((n) => Number(l.getAttribute(n)))),
    );
  const label = () => page.$eval('.labels span', (span) => span.style.transform);
  const before = await axes();
  const place = await label();
  await page.keyboard.press('f');
  await eventually(async () => assert.notEqual(await label(), place, 'nothing was fitted'));
  await stillShot(page);
  const now = await axes();
  assert.ok(
    before.every((value, i) => Math.abs(value - now[i]) < 0.5),
    `axes ${before} became ${now}`,
  );
  await context.close();
});

const phone = (width, height) => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 1,
});
const boxOf = (page, part) => page.locator(part).first().boundingBox();

test('on phones buttons name what they do, leave the view free, and nothing is cut off', async () => {
  const low = await shown(phone(844, 390));
  const stage = await boxOf(low.page, '.stage');
  for (const key of ['space', 'left', 'right']) {
    const button = await boxOf(low.page, `.play-key[data-key="${key}"]`);
    assert.ok(button.y >= stage.y + stage.height, `${key} lies over the view`);
    assert.ok(button.x >= 0 && button.x + button.width <= 844 && button.y + button.height <= 390, `${key} is cut off`);
  }
  await low.context.close();
  const high = await shown(phone(390, 844));
  assert.equal(await high.page.textContent('.hint'), 'hold Growth, Turn left, Turn right · drag obstacles');
  assert.ok(await high.page.isVisible('.hint'));
  assert.equal((await high.page.locator('.play-key[data-key="left"]').innerText()).trim(), 'Turn left');
  const hint = await boxOf(high.page, '.hint');
  const tools = await boxOf(high.page, '.view-tools');
  assert.ok(hint.x + hint.width <= tools.x, 'the hint lies over the buttons of the view');
  for (const part of [
    '.play-key[data-key="space"]',
    '.play-key[data-key="right"]',
    '.transport .work',
    '.transport select',
    '.timeline-track',
  ]) {
    const { x, width } = await boxOf(high.page, part);
    assert.ok(x >= 0 && x + width <= 390 - 5, `${part} is cut off at ${x + width}`);
  }
  await high.context.close();
  const long = await open(site, '?scene=vine-wall', { ...phone(390, 844), reducedMotion: 'reduce' });
  await untilRun(long.page, 'paused');
  const bar = await boxOf(long.page, '.timeline-track');
  assert.ok(bar.x + bar.width <= 380.5, `the bar is cut off at ${bar.x + bar.width}`);
  await long.context.close();
});

test('the menu of the eye closes by Escape and by a drag on the view, also after a click in it', async () => {
  const { page, context } = await open(site, '?scene=vine-maze');
  await untilRun(page, 'playing');
  for (const close of [
    () => page.keyboard.press('Escape'),
    async () => {
      const box = await page.locator('canvas').first().boundingBox();
      await page.mouse.move(box.x + 60, box.y + box.height - 90);
      await page.mouse.down();
      await page.mouse.move(box.x + 90, box.y + box.height - 110);
      await page.mouse.up();
    },
  ]) {
    await page.click('#view-options');
    await page.click('#vine-bodies');
    assert.ok(await page.isVisible('#vine-bodies'));
    await close();
    await page.waitForSelector('#vine-bodies', { state: 'hidden' });
  }
  await context.close();
});

test('the space bar presses a button that a person went to with Tab, and plays after a click on it', async () => {
  const { page, context } = await shown();
  await page.click('#play');
  await untilRun(page, 'playing');
  await page.focus('.stage canvas');
  await page.keyboard.press('Tab');
  await page.focus('#play');
  await page.keyboard.press('Space');
  await untilRun(page, 'paused');
  await page.keyboard.press('Space');
  await untilRun(page, 'playing');
  await page.focus('#share');
  await page.keyboard.press('Space');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  const long = await probe(page, 'length');
  // A click belongs to the pointer: the keys go on being those of the scene.
  await page.click('#loop');
  await page.keyboard.down('Space');
  await untilLonger(page, long + 0.01);
  await page.keyboard.up('Space');
  await context.close();
});
