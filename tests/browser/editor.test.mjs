// The page stays put: whatever is done in the editor, the header, the message and the transport bar stay in sight.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { dropScene, open, start, untilRun } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

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
      return !box || box.height === 0 || box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1;
    });
    for (const node of [document.scrollingElement, document.body, document.querySelector('main'), document.querySelector('.drawer')]) {
      if (node.scrollTop !== 0 || node.scrollLeft !== 0) gone.push(`${node.tagName} is scrolled by ${node.scrollLeft}, ${node.scrollTop}`);
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
    await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-lintRange-error'));
    assert.deepEqual(await moved(page), [], 'after the drop');
    const problems = page.locator('#problems li button');
    const count = await problems.count();
    assert.ok(count >= 3, `${count} problems`);
    for (let i = 0; i < count; ++i) {
      await problems.nth(i).click();
      // The editor scrolls in its next measuring.
      await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.activeElement);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))));
      assert.deepEqual(await moved(page), [], `after a click on problem ${i + 1}`);
    }
    const actions = ['Control+End', 'Enter', 'x', 'Control+Home', 'PageDown', 'Control+End', 'PageDown', 'Control+f', 'Escape', 'Control+z', 'Control+a', 'Tab'];
    for (const key of actions) {
      if (key === 'Escape') {
        await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-panel input')?.focus());
      }
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
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
