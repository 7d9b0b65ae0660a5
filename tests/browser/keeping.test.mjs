// The work is kept: through a reload, a crash, Back and Forward, other scenes and wrong files; what is shared is what is seen,
// and the address says it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  cantilever,
  dist,
  dropScene,
  eventually,
  nativeSummary,
  open,
  probe,
  start,
  untilNative,
  untilRun,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const opening = 'Test arm';
const mine = (title = opening) => cantilever({ mode: 'dynamic', duration: 600, title });

const editorText = (page) =>
  page.evaluate(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content')?.innerText ?? '');
const untilWritten = (page, words) =>
  page.waitForFunction(
    (w) => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content')?.innerText.includes(w),
    words,
  );
/** Writes at the end of the text, and waits until it is kept. */
async function write(page, words) {
  if (await page.isHidden('#scene-text')) await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
  await page.waitForFunction((w) => (window.history.state?.tendril?.work?.draft ?? '').includes(w), words);
}
const value = (page, name) => page.getAttribute(`#parameter-${name}-value`, 'data-value');
const untilValue = (page, name, wanted) =>
  page.waitForFunction(
    ([n, v]) => document.querySelector(`#parameter-${n}-value`)?.dataset.value === v,
    [name, wanted],
  );
async function setValue(page, name, words, wanted) {
  await page.fill(`#parameter-${name}-value`, words);
  await page.keyboard.press('Enter');
  await untilValue(page, name, wanted);
}
const untilAddress = (page, part) => page.waitForFunction((p) => decodeURIComponent(location.href).includes(p), part);
const quiet = { reducedMotion: 'reduce' };

test('a reload brings back the scene, its values, what is being written, and the camera', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await dropScene(page, mine());
  await untilTitle(page, opening);
  await setValue(page, 'E', '3 MPa', '3000000');
  await page.focus('.stage canvas');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('Shift+ArrowLeft');
  await write(page, '// half a thought');
  await page.waitForFunction(() => window.history.state.tendril.work.camera);
  const camera = await page.evaluate(() => window.history.state.tendril.work.camera);
  await page.reload();
  await untilTitle(page, opening);
  await untilValue(page, 'E', '3000000');
  await untilWritten(page, '// half a thought');
  await page.waitForFunction(() => window.history.state.tendril.work.camera);
  const again = await page.evaluate(() => window.history.state.tendril.work.camera);
  const gap = Math.hypot(
    ...camera.position.map((x, i) => x - again.position[i]),
    ...camera.target.map((x, i) => x - again.target[i]),
  );
  assert.ok(gap < 1e-3, `the camera moved by ${gap} m`);
  assert.deepEqual(errors, []);
  await context.close();
});

test('after a crash what was written is offered on the next visit, and can be discarded', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await dropScene(page, mine());
  await untilTitle(page, opening);
  await write(page, '// before the crash');
  await page.close({ runBeforeUnload: false });
  const next = await context.newPage();
  await next.goto(site.url);
  await next.click('.message button:has-text("Bring it back")');
  await untilWritten(next, '// before the crash');
  const third = await context.newPage();
  await third.goto(site.url);
  await untilRun(third, 'paused');
  await third.click('.message button:has-text("Discard it")');
  await third.reload();
  await untilRun(third, 'paused');
  assert.equal(await third.locator('.message button:has-text("Bring it back")').count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the address holds the values as they change, and opens with them elsewhere', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  const name = await page.$eval('.parameter[data-name]', (node) => node.dataset.name);
  await page.focus(`#parameter-${name}`);
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  await untilAddress(page, `?scene=cantilever&set=${name}:`);
  // A slow page shows the newest of the five later than it has the first.
  let wanted;
  await eventually(async () => {
    wanted = await value(page, name);
    assert.ok(page.url().endsWith(`${name}:${wanted}`));
  });
  const address = page.url();
  assert.ok(address.length < site.url.length + 60, address);
  const two = await open(site, address.slice(site.url.length), quiet);
  await untilValue(two.page, name, wanted);
  await two.context.close();
  // Where the five came slowly, they are more than one change.
  await eventually(async () => {
    if (!page.url().includes('set=')) return;
    await page
      .getByLabel('Undo the last change')
      .click({ timeout: 1000 })
      .catch(() => {});
    await page.waitForTimeout(500);
    assert.ok(!page.url().includes('set='), page.url());
  });
  assert.deepEqual(errors, []);
  await context.close();
});

for (const [way, undo] of [
  ['button', (page) => page.click('[aria-label="Undo the last change"]')],
  [
    'keys',
    async (page) => {
      await page.focus('.stage canvas');
      await page.keyboard.press('Control+z');
    },
  ],
]) {
  test(`undo after a number that was typed and not entered: field, run, address and undo agree (${way})`, async () => {
    const { page, context, errors } = await open(site, '?scene=cantilever&set=E:2000000', quiet);
    await untilRun(page, 'finished');
    await setValue(page, 'E', '3 MPa', '3000000');
    await untilAddress(page, 'set=E:3000000');
    const { probes } = await nativeSummary(await readFile(join(dist, 'scenes/cantilever.json'), 'utf8'), { E: 3e6 });
    const tip = await untilNative(page, 'tip.z', probes['tip.z']);
    // Changes of one value within 800 ms are one for undo.
    await page.waitForTimeout(1000);
    await page.fill('#parameter-E-value', '40 MPa');
    await undo(page);
    await untilValue(page, 'E', '3000000');
    // Value and run were those before too: the text tells that all has been gone through.
    await page.waitForFunction(() => document.querySelector('#parameter-E-value').value === '3 MPa');
    await eventually(async () => assert.equal(await probe(page, 'tip.z'), tip));
    await untilAddress(page, 'set=E:3000000');
    await page.keyboard.press('Control+Shift+Z');
    await untilValue(page, 'E', '40000000');
    await untilAddress(page, 'set=E:40000000');
    assert.equal(await page.inputValue('#parameter-E-value'), '40 MPa');
    await eventually(async () => assert.notEqual(await probe(page, 'tip.z'), tip));
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('undo by keys takes a slider back that keeps the focus', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  await page.focus('#parameter-E');
  const before = await page.inputValue('#parameter-E');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await untilAddress(page, 'set=E:');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((v) => document.querySelector('#parameter-E').value === v, before);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'parameter-E');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.inputValue('#parameter-E'), String(Number(before) + 1));
  assert.deepEqual(errors, []);
  await context.close();
});

test('a value that is refused leaves a static scene in balance, and the next one is solved to the full load', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever');
  await untilRun(page, 'finished');
  const enter = async (words) => {
    await page.fill('#parameter-E-value', words);
    await page.keyboard.press('Enter');
  };
  await page.evaluate(() => {
    window.runs = [];
    new MutationObserver(() => window.runs.push(document.documentElement.dataset.run)).observe(
      document.documentElement,
      {
        attributeFilter: ['data-run'],
      },
    );
  });
  // News of the run that the first refusal started would come before the second one.
  for (const words of ['-1', '-2']) {
    await enter(words);
    await page.waitForFunction(() => document.querySelector('.parameter[data-name="E"] .refusal').textContent !== '');
  }
  assert.deepEqual(await page.evaluate(() => window.runs), []);
  await enter('3 MPa');
  await untilValue(page, 'E', '3000000');
  await untilRun(page, 'finished');
  await page.waitForFunction(() => document.querySelector('#time').value === 'load 100 %');
  assert.ok(!(await page.evaluate(() => window.runs)).includes('paused'), 'it was stopped on its way');
  assert.deepEqual(errors, []);
  await context.close();
});

test('Back and Forward go through scenes, each as it was left', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  const first = await page.textContent('#scene-title');
  const name = await page.$eval('.parameter[data-name]', (node) => node.dataset.name);
  await page.focus(`#parameter-${name}`);
  await page.keyboard.press('ArrowRight');
  await untilAddress(page, 'set=');
  const set = await value(page, name);
  await page.click('#open-gallery');
  await page.click('.card[data-scene="vine-maze"]');
  await untilTitle(page, 'Steer a vine through a maze');
  await untilAddress(page, '?scene=vine-maze');
  await dropScene(page, mine());
  await untilTitle(page, opening);
  await page.waitForFunction(() => location.search === '');
  await page.goBack();
  await untilTitle(page, 'Steer a vine through a maze');
  assert.ok(page.url().endsWith('?scene=vine-maze'), page.url());
  await page.goBack();
  await untilTitle(page, first);
  await untilValue(page, name, set);
  await untilAddress(page, 'set=');
  await page.goForward();
  await untilTitle(page, 'Steer a vine through a maze');
  await page.goForward();
  await untilTitle(page, opening);
  assert.deepEqual(errors, []);
  await context.close();
});

test('Back and Forward go through pages of the guide, and out of it', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  const title = await page.textContent('#scene-title');
  const untilPage = (id) =>
    page.waitForFunction((p) => document.querySelector('#guide[open] #guide-text')?.dataset.page === p, id);
  const closed = () => page.waitForFunction(() => !document.querySelector('#guide[open]'));
  await page.keyboard.press('h');
  await untilPage('index');
  assert.match(page.url(), /scene=cantilever&guide=index$/);
  assert.equal(await page.isDisabled('#guide-back'), true);
  await page.click('.guide-contents button[data-page="scenes"]');
  await untilPage('scenes');
  assert.equal(await page.isDisabled('#guide-back'), false);
  await page.goBack();
  await untilPage('index');
  await page.goBack();
  await closed();
  await page.goForward();
  await untilPage('index');
  await page.goForward();
  await untilPage('scenes');
  await page.reload();
  await untilPage('scenes');
  await page.keyboard.press('Escape');
  await closed();
  await page.waitForFunction(() => location.search === '?scene=cantilever');
  await page.waitForFunction((words) => document.querySelector('#scene-title').textContent === words, title);
  await page.keyboard.press('h');
  await untilPage('scenes');
  await page.click('.guide-contents button[data-page="first-scene"]');
  await untilPage('first-scene');
  await page.locator('#guide-text .try').nth(1).click();
  // The example has the title of the scene before it: that it is there shows in the address alone.
  await page.waitForFunction(() => location.search === '');
  await page.goBack();
  await untilPage('first-scene');
  await page.waitForFunction((t) => document.querySelector('#scene-title').textContent === t, title);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a scene that is opened over typed text does not lose it', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  await write(page, '// not run');
  await page.keyboard.press('Escape');
  await page.click('#open-gallery');
  await page.click('.card[data-scene="vine-maze"]');
  await untilTitle(page, 'Steer a vine through a maze');
  await page.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await untilWritten(page, '// not run');
  assert.notEqual(await page.textContent('#scene-title'), 'Steer a vine through a maze');
  assert.equal(await page.locator('.message[data-key="kept"]').count(), 0);
  // And by Back as well, which leaves nothing to offer.
  await page.click('#open-gallery');
  await page.click('.card[data-scene="vine-maze"]');
  await untilTitle(page, 'Steer a vine through a maze');
  await page.waitForSelector('.message[data-key="kept"]');
  await page.goBack();
  await untilWritten(page, '// not run');
  await page.waitForSelector('.message[data-key="kept"]', { state: 'detached' });
  assert.deepEqual(errors, []);
  await context.close();
});

test('a wrong file that is dropped takes nothing away: neither one that is no text nor a broken scene', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await write(page, '// keep me');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13)], 'photo.png', { type: 'image/png' }));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() =>
    document.querySelector('.message.trouble')?.textContent.includes('"photo.png" is not a text file'),
  );
  assert.match(await editorText(page), /\/\/ keep me/);
  await dropScene(page, '{"format": "tendril/1", "rods": ');
  await page.waitForSelector('#problems li.error');
  await page.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await untilWritten(page, '// keep me');
  assert.deepEqual(errors, []);
  await context.close();
});

test('what was being written when a wrong file came is kept through the right one', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await write(page, '// keep me');
  await dropScene(page, 'hello');
  await page.waitForSelector('.message[data-key="refused"]');
  await dropScene(page, mine('A good one'));
  await untilTitle(page, 'A good one');
  await page.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await page.waitForFunction(() => window.history.state?.tendril?.work?.draft?.includes('// keep me'));
  assert.deepEqual(errors, []);
  await context.close();
});

test("wrong files are nobody's writing: what is kept stays offered through several of them and other scenes", async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await write(page, '// keep me');
  await dropScene(page, mine('Another'));
  await untilTitle(page, 'Another');
  for (const wrong of ['{"a": 1}', 'hello', '']) {
    await dropScene(page, wrong);
    await page.waitForSelector('.message[data-key="refused"]');
  }
  await page.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await page.waitForFunction(() => window.history.state?.tendril?.work?.draft?.includes('// keep me'));
  assert.deepEqual(errors, []);
  await context.close();
});

test('what was kept is offered under the address of a scene too', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilTitle(page, 'Cantilever under its own weight');
  await write(page, '// in a course');
  await eventually(async () =>
    assert.match(await page.evaluate(() => localStorage.getItem('tendril.work') ?? ''), /in a course/),
  );
  await page.close({ runBeforeUnload: false });
  const next = await context.newPage();
  await next.goto(`${site.url}?scene=cantilever`);
  await next.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await next.waitForFunction(() => window.history.state?.tendril?.work?.draft?.includes('// in a course'));
  assert.deepEqual(errors, []);
  await context.close();
});

test('texts of two tabs are both offered on the next visit', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await write(page, '// of one');
  const other = await context.newPage();
  await other.goto(site.url);
  await untilRun(other, 'paused');
  await dropScene(other, mine('Of another tab'));
  await untilTitle(other, 'Of another tab');
  await eventually(async () =>
    assert.match(await other.evaluate(() => localStorage.getItem('tendril.work') ?? ''), /Of another tab/),
  );
  await page.close();
  await other.close();
  const third = await context.newPage();
  await third.goto(site.url);
  await untilRun(third, 'paused');
  await third.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await third.waitForFunction(() => !document.querySelector('.message[data-key="kept"]'));
  const texts = await third.evaluate(() =>
    JSON.parse(localStorage.getItem('tendril.work')).map(({ work }) => work.draft ?? work.text),
  );
  assert.ok(texts.some((text) => text.includes('Of another tab')));
  assert.ok(texts.some((text) => text.includes('// of one')));
  assert.deepEqual(errors, []);
  await context.close();
});

test('what is shared is what is seen: text that was not run is said, and can be taken in', async () => {
  const { page, context, errors } = await open(site, '', quiet);
  await untilRun(page, 'paused');
  await dropScene(page, mine('Shared arm'));
  await untilTitle(page, 'Shared arm');
  const share = async () => {
    await page.click('#share');
    await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  };
  await share();
  assert.equal(await page.isVisible('.share-edits'), false);
  await page.keyboard.press('Escape');
  await write(page, '// not run');
  await page.keyboard.press('Escape');
  await share();
  assert.match(await page.textContent('.share-edits'), /not run/);
  const without = await page.inputValue('#share-link');
  await page.check('#share-edits');
  await page.waitForFunction((old) => ![old, ''].includes(document.querySelector('#share-link').value), without);
  const link = await page.inputValue('#share-link');
  const two = await open(site, link.slice(site.url.length), quiet);
  await untilTitle(two.page, 'Shared arm');
  await two.page.keyboard.press('e');
  await untilWritten(two.page, '// not run');
  await two.context.close();
  const three = await open(site, without.slice(site.url.length), quiet);
  await untilTitle(three.page, 'Shared arm');
  await eventually(async () => assert.ok(Number.isFinite(await probe(three.page, 'tip.z'))));
  // Its address goes on to hold the values that are set.
  await setValue(three.page, 'E', '2 MPa', '2000000');
  await untilAddress(three.page, '?set=E:2000000#v1.');
  await three.page.reload();
  await untilValue(three.page, 'E', '2000000');
  await three.context.close();
  assert.deepEqual(errors, []);
  await context.close();
});

test('what is no number is marked in its field, with the words that say so, until it is one', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  const field = page.locator('#parameter-E-value');
  const look = () => field.evaluate((one) => getComputedStyle(one).borderColor);
  const plain = await look();
  for (const words of ['abc', '12 kg', '1e-400', '-5']) {
    await field.fill(words);
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('#parameter-E-value').getAttribute('aria-invalid') === 'true',
    );
    const said = await field.evaluate(
      (one) => document.getElementById(one.getAttribute('aria-describedby'))?.textContent,
    );
    assert.ok(said, `nothing is said of ${words}`);
    assert.notEqual(await look(), plain);
  }
  await setValue(page, 'E', '3 MPa', '3000000');
  assert.deepEqual(
    await field.evaluate((one) => [one.getAttribute('aria-invalid'), one.getAttribute('aria-describedby')]),
    [null, null],
  );
  assert.equal(await look(), plain);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a typed value reads like the others once its field is left, and one beyond its slider is told beside it', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  const field = page.locator('#parameter-E-value');
  const beyond = () => page.textContent('.parameter[data-name="E"] .beyond');
  await setValue(page, 'E', '2e7', '20000000');
  await setValue(page, 'E', '3.5e7', '35000000');
  assert.equal(await field.inputValue(), '3.5e7');
  await field.blur();
  assert.equal(await field.inputValue(), '35 MPa');
  assert.equal(await beyond(), '');
  await field.fill('5e6');
  await page.keyboard.press('Tab');
  await untilValue(page, 'E', '5000000');
  assert.equal(await field.inputValue(), '5 MPa');
  assert.equal(await beyond(), 'Its slider goes from 10 MPa to 70 GPa.');
  await field.fill('20M');
  await page.keyboard.press('Tab');
  await untilValue(page, 'E', '20000000');
  assert.equal(await beyond(), '');
  await field.fill('1e-400');
  await page.keyboard.press('Tab');
  assert.equal(
    await page.textContent('#parameter-E-value-refusal, #parameter-E-refusal'),
    '"1e-400" is too small to be represented.',
  );
  assert.equal(await field.inputValue(), '1e-400');
  assert.deepEqual(errors, []);
  await context.close();
});

test('of two files that are dropped at once the second is named, until another scene comes', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever', quiet);
  await untilRun(page, 'finished');
  await page.evaluate(
    (texts) => {
      const data = new DataTransfer();
      for (const [i, text] of texts.entries())
        data.items.add(new File([text], `${'ab'[i]}.json`, { type: 'application/json' }));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [mine('First'), mine('Second')],
  );
  await untilTitle(page, 'First');
  assert.match(
    await page.textContent('.message[data-key="files"]'),
    /the first is opened, "a.json".*Not opened: "b.json"/,
  );
  await dropScene(page, mine('Third'));
  await untilTitle(page, 'Third');
  assert.equal(await page.locator('.message[data-key="files"]').count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
