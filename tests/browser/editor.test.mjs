// The page stays put: whatever is done in the editor, the header, the message and the transport bar stay in sight.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { cantilever, dropScene, open, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

test('values that were set stay when an edited text runs, but where it gives them anew', async () => {
  const { page, context, errors } = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(page, 'paused');
  await dropScene(page, cantilever({ mode: 'dynamic', duration: 600 }));
  await untilTitle(page, 'Test arm');
  const value = (name) => page.getAttribute(`#parameter-${name}-value`, 'data-value');
  const untilValue = (name, wanted) =>
    page.waitForFunction(
      ([n, v]) => document.querySelector(`#parameter-${n}-value`)?.dataset.value === v,
      [name, wanted],
    );
  const set = async (name, words, wanted) => {
    await page.fill(`#parameter-${name}-value`, words);
    await page.keyboard.press('Enter');
    await untilValue(name, wanted);
  };
  await set('E', '3 MPa', '3000000');
  await set('length', '0.25', '0.25');
  /** Writes another text and runs it. */
  const run = async (text) => {
    if (await page.isHidden('#scene-text')) await page.click('#open-text');
    await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
    await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Control+Enter');
  };
  await run(cantilever({ mode: 'dynamic', duration: 600, title: 'Second arm' }));
  await untilTitle(page, 'Second arm');
  assert.deepEqual([await value('E'), await value('length')], ['3000000', '0.25']);
  await run(
    cantilever({ mode: 'dynamic', duration: 600, title: 'Third arm' }).replace('"value": 0.2,', '"value": 0.15,'),
  );
  await untilTitle(page, 'Third arm');
  assert.deepEqual([await value('E'), await value('length')], ['3000000', '0.15']);
  await page.click('[aria-label="Undo the last change"]');
  await untilTitle(page, 'Second arm');
  assert.deepEqual([await value('E'), await value('length')], ['3000000', '0.25']);
  assert.deepEqual(errors, []);
  await context.close();
});

/** A long scene with problems at its end. */
async function broken() {
  const text = await readFile(new URL('../../scenes/vine-maze.json', import.meta.url), 'utf8');
  const at = text.lastIndexOf('"probes"');
  return `${text.slice(0, at)}"prbes": {},\n  ${text.slice(at).replace(/\}\s*$/, ', "veiw": {}, "slover": {}}')}\n\n\n`;
}

/** What of the page is not where it belongs. */
const moved = (page) =>
  page.evaluate(() => {
    const { innerHeight, innerWidth } = window;
    const names = ['.bar', '.message.trouble', '.transport', '.drawer-head', '#run-text'];
    const gone = names.filter((name) => {
      const box = document.querySelector(name)?.getBoundingClientRect();
      return (
        !box ||
        box.height === 0 ||
        box.top < -1 ||
        box.bottom > innerHeight + 1 ||
        box.left < -1 ||
        box.right > innerWidth + 1
      );
    });
    for (const node of [
      document.scrollingElement,
      document.body,
      document.querySelector('main'),
      document.querySelector('.drawer'),
    ]) {
      if (node.scrollTop !== 0 || node.scrollLeft !== 0)
        gone.push(`${node.tagName} is scrolled by ${node.scrollLeft}, ${node.scrollTop}`);
    }
    return gone;
  });

for (const [words, options] of [
  ['1280 x 800', {}],
  ['a low window', { viewport: { width: 1100, height: 560 } }],
]) {
  test(`header, message and transport bar are in sight after every action in the editor: ${words}`, async () => {
    const { page, context, errors } = await open(site, '', options);
    await untilRun(page, 'playing');
    await dropScene(page, await broken());
    await page.waitForSelector('#problems li.error');
    await page.waitForFunction(() =>
      document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-lintRange-error'),
    );
    assert.deepEqual(await moved(page), [], 'after the drop');
    const problems = page.locator('#problems li button');
    const count = await problems.count();
    assert.ok(count >= 3, `${count} problems`);
    for (let i = 0; i < count; ++i) {
      await problems.nth(i).click();
      // The editor scrolls in its next measuring.
      await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.activeElement);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))),
      );
      assert.deepEqual(await moved(page), [], `after a click on problem ${i + 1}`);
    }
    const actions = [
      'Control+End',
      'Enter',
      'x',
      'Control+Home',
      'PageDown',
      'Control+End',
      'PageDown',
      'Control+f',
      'Escape',
      'Control+z',
      'Control+a',
      'Tab',
    ];
    for (const key of actions) {
      if (key === 'Escape') {
        await page.evaluate(() =>
          document.querySelector('.editor-host').shadowRoot.querySelector('.cm-panel input')?.focus(),
        );
      }
      await page.keyboard.press(key);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))),
      );
      if (await page.isHidden('#scene-text')) await page.keyboard.press('e');
      assert.deepEqual(await moved(page), [], `after ${key}`);
    }
    await page.click('.editor-host');
    await page.mouse.wheel(0, 3000);
    await page.evaluate(() => document.querySelector('#values td:last-child, .panel:last-child')?.scrollIntoView());
    assert.deepEqual(await moved(page), [], 'after scrolling');
    assert.deepEqual(errors, []);
    await context.close();
  });
}

const inEditor = (page) =>
  page.evaluate(
    () => document.querySelector('.editor-host').shadowRoot?.activeElement?.classList.contains('cm-content') ?? false,
  );
const untilInEditor = (page) =>
  page.waitForFunction(() =>
    document.querySelector('.editor-host').shadowRoot?.activeElement?.classList.contains('cm-content'),
  );
/** What the page says of a changed text: beside it, on the button that runs it, and in the header. */
const marks = (page) =>
  page.evaluate(() => [
    document.querySelector('.unrun').textContent !== '',
    document.querySelector('#run-text').classList.contains('primary'),
    !document.querySelector('#discard-text').hidden,
    !document.querySelector('#open-text .unrun-dot').hidden,
    /not run/.test(document.querySelector('#open-text').getAttribute('aria-label')),
  ]);
const all = (value) => Array(5).fill(value);

test('a changed text that was not run is marked, also when its drawer is closed, until it runs or is discarded', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', { reducedMotion: 'reduce' });
  await untilRun(page, 'finished');
  await page.keyboard.press('e');
  await untilInEditor(page);
  assert.deepEqual(await marks(page), all(false));
  await page.keyboard.type(' ');
  assert.deepEqual(await marks(page), all(true));
  await page.keyboard.press('Backspace');
  assert.deepEqual(await marks(page), all(false), 'the same text again');
  await page.keyboard.type('// mine\n');
  await page.click('[aria-label="Close the scene text (Escape)"]');
  assert.ok(await page.isVisible('#open-text .unrun-dot'));
  await page.click('#open-text');
  await page.click('#discard-text');
  assert.deepEqual(await marks(page), all(false));
  await untilInEditor(page);
  const text = () =>
    page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-line').textContent);
  assert.equal(await text(), '{');
  await page.keyboard.press('Control+z');
  assert.equal(await text(), '// mine', 'what was discarded comes back by undo');
  assert.deepEqual(await marks(page), all(true));
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.unrun').textContent === '');
  assert.deepEqual(await marks(page), all(false));
  assert.deepEqual(errors, []);
  await context.close();
});

test('a text with the line ends of Windows is not taken for changed', async () => {
  const { page, context } = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(page, 'paused');
  await dropScene(page, cantilever().replaceAll('\n', '\r\n'));
  await untilTitle(page, 'Test arm');
  await page.keyboard.press('e');
  await untilInEditor(page);
  await page.keyboard.type(' ');
  await page.keyboard.press('Backspace');
  assert.deepEqual(await marks(page), all(false));
  await context.close();
});

test('a refused file in the editor is marked as not run, and the way back clears what was said', async () => {
  const { page, context } = await open(site, '?scene=cantilever', { reducedMotion: 'reduce' });
  await untilRun(page, 'finished');
  await dropScene(page, await broken());
  await page.waitForSelector('.message[data-key="refused"]');
  assert.deepEqual(await marks(page), all(true));
  await page.click('#discard-text');
  assert.equal(await page.locator('.message[data-key="refused"]').count(), 0);
  assert.deepEqual(await marks(page), all(false));
  await page.waitForFunction(() => !document.querySelector('#problems li'));
  await context.close();
});

test('Escape once lets Tab out of the text, to the problems, the buttons and the way to close, and the page says so', async () => {
  const { page, context, errors } = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(page, 'paused');
  await dropScene(page, await broken());
  await page.waitForSelector('#problems li.error');
  await untilInEditor(page);
  assert.match(await page.textContent('.drawer-foot'), /Escape, then Tab, leaves the text/);
  const before = await page.evaluate(
    () => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').textContent,
  );
  await page.keyboard.press('Escape');
  assert.match(await page.textContent('.drawer-foot'), /Tab leaves the text now/);
  assert.ok(await page.isVisible('#scene-text'));
  const reached = [];
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => document.activeElement.id || document.activeElement.closest('#problems')?.id),
    );
  }
  for (const id of ['problems', 'run-text', 'discard-text'])
    assert.ok(reached.includes(id), `${id} is not reached: ${reached}`);
  assert.equal(
    await page.evaluate(
      () => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').textContent,
    ),
    before,
  );
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  assert.match(
    await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? ''),
    /Close the scene text/,
  );
  // Back in the text Tab indents again.
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Tab');
  assert.ok(await inEditor(page));
  await page.keyboard.press('?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  assert.ok(await page.isHidden('#scene-text'));
  await page.click('#open-help');
  assert.match(await page.textContent('#help'), /Escape, then Tab/);
  assert.deepEqual(errors, []);
  await context.close();
});

/** The contrast of text with what is behind it, by WCAG. */
const contrast = (page, selector) =>
  page.evaluate((one) => {
    const root = document.querySelector('.editor-host').shadowRoot;
    const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color) => {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = color;
      paint.fillRect(0, 0, 1, 1);
      return [...paint.getImageData(0, 0, 1, 1).data];
    };
    const light = (color) => {
      const [r, g, b] = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...root.querySelectorAll(one)].map((node) => {
      let behind = node;
      while (rgba(getComputedStyle(behind).backgroundColor)[3] === 0)
        behind = behind.parentElement ?? behind.getRootNode().host;
      const image = getComputedStyle(node).backgroundImage;
      const [a, b] = [
        light(rgba(getComputedStyle(node).color)),
        light(rgba(getComputedStyle(behind).backgroundColor)),
      ].sort((x, y) => y - x);
      return image === 'none' ? (a + 0.05) / (b + 0.05) : 0;
    });
  }, selector);

for (const colorScheme of ['light', 'dark']) {
  test(`the editor's search can be read, ${colorScheme}`, async () => {
    const { page, context } = await open(site, '?scene=cantilever', { reducedMotion: 'reduce', colorScheme });
    await untilRun(page, 'finished');
    await page.keyboard.press('e');
    await untilInEditor(page);
    await page.keyboard.press('Control+f');
    await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-search'));
    const found = await contrast(page, '.cm-search :is(button, input:not([type="checkbox"]), label)');
    assert.ok(found.length >= 10, `${found.length} parts`);
    assert.ok(Math.min(...found) > 4.5, `contrasts ${found.map((c) => c.toFixed(1))}`);
    const sizes = await page.evaluate(() =>
      [
        ...document
          .querySelector('.editor-host')
          .shadowRoot.querySelectorAll('.cm-search :is(button, input:not([type="checkbox"]))'),
      ].map((one) => one.getBoundingClientRect().height),
    );
    assert.ok(Math.min(...sizes) >= 24, `heights ${sizes}`);
    await context.close();
  });
}

test('at 1024 x 768 parameters, plots and checks stand beside an open text', async () => {
  const { page, context } = await open(site, '?scene=cantilever', {
    reducedMotion: 'reduce',
    viewport: { width: 1024, height: 768 },
  });
  await untilRun(page, 'finished');
  await page.keyboard.press('e');
  await untilInEditor(page);
  const boxes = await Promise.all(
    ['.drawer', '.stage', '.side', '.transport'].map((one) => page.locator(one).boundingBox()),
  );
  const [drawer, stage, side, transport] = boxes;
  assert.ok(stage.height > 200 && side.height > 200, `view ${stage.height}, panels ${side.height}`);
  assert.ok(
    side.x >= drawer.x + drawer.width - 1 &&
      side.y >= stage.y + stage.height - 1 &&
      transport.y >= side.y + side.height - 1,
  );
  assert.ok(await page.isVisible('#parameter-E'));
  await page.locator('#panel-plots .plot').first().scrollIntoViewIfNeeded();
  assert.deepEqual(await moved(page).then((gone) => gone.filter((name) => !name.includes('message'))), []);
  await context.close();
});

test('comments are muted as a whole, and text that is scrolled sideways stays under the line numbers', async () => {
  const { page, context, errors } = await open(site, '', { reducedMotion: 'reduce' });
  await untilRun(page, 'paused');
  await dropScene(page, cantilever().replace('{', '{ // 3 "of" them, https://example.org\n  /* {"a":\n 1} */'));
  await untilTitle(page, 'Test arm');
  await page.click('#open-text');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-comment'));
  const found = await page.evaluate(() => {
    const root = document.querySelector('.editor-host').shadowRoot;
    const comments = [...root.querySelectorAll('.cm-comment')];
    const colors = comments
      .flatMap((one) => [one, ...one.querySelectorAll('*')])
      .map((one) => getComputedStyle(one).color);
    const words = comments.map((one) => one.textContent).join('|');
    return {
      words,
      colors: new Set(colors).size,
      gutter: getComputedStyle(root.querySelector('.cm-gutters')).backgroundColor,
    };
  });
  assert.equal(found.words, '// 3 "of" them, https://example.org|/* {"a":| 1} */');
  assert.equal(found.colors, 1);
  // No fourth number: nothing shows through.
  assert.match(found.gutter, /^rgb\(\d+, \d+, \d+\)$/);
  assert.deepEqual(errors, []);
  await context.close();
});
