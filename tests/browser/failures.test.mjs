// What does not arrive leaves words and a way on, never emptiness: parts of the page, its engine, the page itself, a browser
// without compression, a page that is opened as a file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cantilever, dist, dropScene, open, patience, start, untilRun, untilTitle } from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** The page again, without the files that match; the function lets them through from then on. */
async function without(files, options = {}, address = '') {
  const opened = await open(site, 'favicon.svg', options);
  await opened.context.route(files, (route) => route.abort());
  await opened.page.goto(site.url + address);
  return { ...opened, mend: () => opened.context.unroute(files) };
}

const choose = async (page, scene) => {
  await page.click('#open-gallery');
  await page.click(`.card[data-scene="${scene}"]`);
};
const secondPart = /tendril-rest-.*\.wasm$/;

test('an editor that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/editor-/);
  await untilRun(page, 'playing');
  await page.keyboard.press('e');
  await page.waitForSelector('.editor-host .missing');
  assert.match(await page.textContent('.editor-host'), /The editor could not be loaded/);
  await page.click('.missing button:has-text("Try again")');
  await page.waitForSelector('.editor-host .missing');
  await mend();
  await page.click('.missing button:has-text("Try again")');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  await context.close();
});

test('a guide that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/pages-/);
  await untilRun(page, 'playing');
  await page.keyboard.press('h');
  await page.waitForSelector('#guide .missing');
  await mend();
  await page.click('#guide .missing button:has-text("Try again")');
  await page.waitForFunction(() => document.querySelector('#guide-text').dataset.page === 'index');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await context.close();
});

test('plots that do not arrive leave words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/plots-.*\.js/);
  await page.waitForSelector('#panel-plots .missing');
  assert.match(await page.textContent('#panel-plots'), /The plots could not be loaded/);
  await mend();
  await page.click('#panel-plots .missing button:has-text("Try again")');
  await page.waitForSelector('.plot canvas');
  await context.close();
});

test('a gallery that does not arrive leaves words, and a retry that works', async () => {
  const { page, context, mend } = await without(/assets\/catalog-/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.waitForSelector('#gallery .missing');
  await mend();
  await page.click('#gallery .missing button:has-text("Try again")');
  await page.waitForSelector('.card[data-scene="cantilever"]');
  await context.close();
});

test('a scene whose text does not arrive leaves the one on screen, words, and a retry that works', async () => {
  const { page, context, mend } = await without(/scenes\/cantilever\.json/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.click('.card[data-scene="cantilever"]');
  await page.waitForSelector('.message.trouble[data-key="text"]');
  assert.match(await page.textContent('.message'), /What is on screen goes on meanwhile/);
  assert.equal(await page.getAttribute('html', 'data-scene'), 'tentacle');
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  assert.equal(await page.locator('.message[data-key="text"]').count(), 0);
  await context.close();
});

test('a first scene whose text does not arrive is not an empty page for ever', async () => {
  const { page, context, mend } = await without(/scenes\/tentacle\.json/);
  await page.waitForSelector('.message.trouble[data-key="text"]');
  // Longer than a scene that is loaded goes without a word.
  await page.waitForTimeout(2500);
  assert.deepEqual(await page.$$eval('.message', (list) => list.map((one) => one.dataset.key)), ['text']);
  assert.doesNotMatch(await page.textContent('.message'), /goes on/);
  assert.equal(await page.getByText('on its way').count(), 0);
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await untilRun(page, 'playing');
  await context.close();
});

test('a scene of an address whose text does not arrive is tried again as that scene, with its values', async () => {
  const { page, context, mend } = await without(/scenes\/cantilever\.json/, {}, '?scene=cantilever&set=E:25000000');
  await page.waitForSelector('.message.trouble[data-key="text"]');
  assert.deepEqual(await page.$$eval('.message', (list) => list.map((one) => one.dataset.key)), ['text']);
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  await page.waitForFunction(() => document.querySelector('#parameter-E-value')?.dataset.value === '25000000');
  assert.equal(await page.locator('.message').count(), 0);
  assert.match(page.url(), /\?scene=cantilever&set=E:25000000$/);
  await context.close();
});

test('what is written before a scene came is kept when it comes', async () => {
  const { page, context, mend } = await without(
    /scenes\/cantilever\.json/,
    { reducedMotion: 'reduce' },
    '?scene=cantilever',
  );
  await page.waitForSelector('.message.trouble[data-key="text"]');
  await page.click('#share');
  await page.waitForFunction(() => document.querySelector('.messages')?.textContent.includes('No scene to share yet.'));
  await page.keyboard.press('e');
  const content = () => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content');
  await page.waitForFunction(content);
  await page.evaluate(() => document.querySelector('.editor-host').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.type('// an hour of work');
  await page.waitForFunction(() => document.querySelector('.unrun').textContent === 'Changed, not run');
  await mend();
  await page.click('.message[data-key="text"] button:has-text("Try again")');
  await untilRun(page, 'finished');
  await page.click('.message[data-key="kept"] button:has-text("Bring it back")');
  await page.waitForFunction(() =>
    document
      .querySelector('.editor-host')
      .shadowRoot.querySelector('.cm-content')
      .innerText.includes('// an hour of work'),
  );
  await context.close();
});

test('Play asks again for what did not come, also where the message was closed', async () => {
  for (const [files, key] of [
    [/scenes\/tentacle\.json/, 'text'],
    [/\.wasm$/, 'broken'],
    [secondPart, 'unfetched'],
  ]) {
    const scene = key === 'unfetched' ? 'four-bar' : 'tentacle';
    const { page, context, mend } = await without(files, {}, key === 'unfetched' ? `?scene=${scene}` : '');
    await page.waitForSelector(`.message.trouble[data-key="${key}"]`);
    if (key === 'text') await page.click(`.message[data-key="${key}"] button[aria-label^="Close"]`);
    await mend();
    await page.click('#play');
    await page.waitForFunction((name) => document.documentElement.dataset.scene === name, scene);
    await context.close();
  }
});

test('a gallery without its pictures opens scenes all the same', async () => {
  const { page, context, mend } = await without(/pictures\/.*\.png$/);
  await untilRun(page, 'playing');
  await page.click('#open-gallery');
  await page.waitForFunction(() =>
    document.querySelector('.card[data-scene="cantilever"] .card-picture')?.textContent.includes('could not be loaded'),
  );
  assert.equal(await page.locator('.card[data-scene="cantilever"] img').count(), 0);
  await page.keyboard.press('Escape');
  await mend();
  await page.click('#open-gallery');
  await page.waitForFunction(() => document.querySelector('.card[data-scene="cantilever"] img')?.naturalWidth > 0);
  await page.click('.card[data-scene="cantilever"]');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  await context.close();
});

for (const [what, files] of [
  ['worker', /assets\/worker-/],
  ['engine', /\.wasm$/],
]) {
  test(`a page without its ${what} says so, and starts it when it is there`, async () => {
    const { page, context, mend } = await without(files);
    await page.waitForSelector('.message.trouble[data-key="broken"]');
    assert.equal(await page.locator('.message').count(), 1);
    const card = await page.locator('.message').boundingBox();
    const eye = await page.locator('#view-options').boundingBox();
    assert.ok(card.x + card.width < eye.x, 'the message covers the buttons of the view');
    // The picture of the scene and its sentence stay, and so do the words that tell what failed.
    await page.waitForFunction(() => document.querySelector('.stage #poster')?.naturalWidth > 0);
    assert.equal(await page.getByText('simulated here in your browser').isVisible(), true);
    assert.equal(await page.getByText('on its way').isVisible(), false);
    assert.equal(await page.locator('.message[data-key="broken"] button[aria-label^="Close"]').count(), 0);
    await page.click('#open-text');
    await page.waitForFunction(() =>
      document
        .querySelector('.editor-host')
        .shadowRoot?.querySelector('.cm-content')
        ?.innerText.includes('"format": "tendril/1"'),
    );
    assert.equal(await page.textContent('.unrun'), '');
    await mend();
    await page.click('.message[data-key="broken"] button.primary:has-text("Try again")');
    await untilRun(page, 'playing');
    assert.equal(await page.locator('.message.trouble').count(), 0);
    await context.close();
  });
}

test('without the second part of the engine rods run, and a scene that needs it says so and runs when it is there', async () => {
  const { page, context, mend } = await without(secondPart);
  await untilRun(page, 'playing');
  assert.equal(await page.locator('.message.trouble').count(), 0);
  await choose(page, 'four-bar');
  await page.waitForSelector('.message.trouble[data-key="unfetched"]');
  assert.match(
    await page.textContent('.message[data-key="unfetched"]'),
    /A part of the engine did not arrive.*connection/,
  );
  // What ran goes on, and other scenes open.
  const time = await page.textContent('#time');
  await page.waitForFunction((before) => document.querySelector('#time').textContent !== before, time);
  await choose(page, 'cantilever');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  assert.equal(await page.locator('.message.trouble').count(), 0);
  await choose(page, 'four-bar');
  await page.waitForSelector('.message.trouble[data-key="unfetched"]');
  await mend();
  await page.click('.message[data-key="unfetched"] button.primary');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'four-bar');
  assert.equal(await page.locator('.message.trouble').count(), 0);
  await context.close();
});

test('while the second part of the engine is on its way the page says so, what runs goes on, and other scenes open', async () => {
  const { page, context } = await open(site, 'favicon.svg');
  await context.route(secondPart, () => {});
  await page.goto(site.url);
  await untilRun(page, 'playing');
  await choose(page, 'four-bar');
  await page.waitForSelector('.message[data-key="fetching"]:has-text("on its way")');
  const time = Number(await page.getAttribute('#time', 'data-value'));
  await page.waitForFunction((before) => Number(document.querySelector('#time').dataset.value) > before, time);
  await page.click('#play');
  await untilRun(page, 'paused');
  await choose(page, 'pluck');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'pluck');
  await page.waitForFunction(() => !document.querySelector('.message[data-key="fetching"]'));
  await choose(page, 'vine-wall');
  await page.click('.message[data-key="fetching"] button:has-text("Stop it")');
  await page.waitForFunction(() => !document.querySelector('.message'));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.scene), 'pluck');
  await context.close();
});

test('a run that comes to need the second part stands where that does not come, and asks for it once', async () => {
  const { page, context } = await open(site, 'favicon.svg');
  let asked = 0;
  let there = false;
  await context.route(secondPart, (route) => {
    asked += 1;
    return there ? route.continue() : route.abort();
  });
  await page.goto(`${site.url}?scene=rod-pile`);
  await page.waitForSelector('.message[data-key="unfetched"]');
  await untilRun(page, 'paused');
  const before = asked;
  await page.waitForTimeout(1000);
  assert.ok(asked <= before && asked <= 3, `${asked} requests`);
  there = true;
  const time = Number(await page.getAttribute('#time', 'data-value'));
  await page.click('.message[data-key="unfetched"] button.primary');
  await page.waitForFunction((then) => Number(document.querySelector('#time').dataset.value) > then, time);
  assert.equal(await page.locator('.message.trouble').count(), 0);
  await context.close();
});

for (const [what, files] of [
  ['script', /assets\/index-.*\.js/],
  ['style sheet', /assets\/index-.*\.css/],
]) {
  test(`a page without its ${what} says so, and comes when it is there`, async () => {
    const { page, context, mend } = await without(files);
    await page.waitForSelector('#start:not([hidden])');
    assert.match(await page.textContent('#start'), /could not be loaded/);
    assert.equal(await page.locator('main').count(), 0);
    const looks = await page.$eval('#start button', (one) => getComputedStyle(one).backgroundColor);
    assert.notEqual(looks, 'rgba(0, 0, 0, 0)', 'it does not look like a button');
    await mend();
    await page.click('#start button');
    await untilRun(page, 'playing');
    assert.equal(await page.locator('#start').count(), 0);
    await context.close();
  });
}

test('a browser without JavaScript is told so, and that nothing is on its way', async () => {
  const { page, context } = await open(site, '', { javaScriptEnabled: false });
  const words = page.locator('noscript');
  assert.match(await words.textContent(), /needs JavaScript/);
  const { x, y, width, height } = await words.boundingBox();
  assert.equal(
    await page.evaluate(([left, top]) => document.elementFromPoint(left, top).tagName, [x + width / 2, y + height / 2]),
    'NOSCRIPT',
  );
  assert.equal(await page.getByText('on its way').isVisible(), false);
  await context.close();
});

test('a page that is opened as a file says what to do', async () => {
  const context = await site.browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(dist, 'index.html')).href);
  await page.waitForSelector('#start:not([hidden])');
  assert.match(await page.textContent('#start'), /does not run from a file.*make run/s);
  assert.ok((await page.locator('#start strong').boundingBox()).height > 10);
  await context.close();
});

test('without CompressionStream Share gives a longer link that opens', async () => {
  const { page, context, errors } = await open(site, 'favicon.svg');
  await context.addInitScript(() => {
    window.CompressionStream = undefined;
  });
  await page.goto(site.url);
  await dropScene(page, cantilever({ title: 'Shared arm' }));
  await untilTitle(page, 'Shared arm');
  await page.click('#share');
  await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  assert.match(await page.textContent('.share'), /cannot compress/);
  const link = await page.inputValue('#share-link');
  const two = await open(site, link.slice(site.url.length));
  await untilTitle(two.page, 'Shared arm');
  assert.deepEqual([...errors, ...two.errors], []);
  await two.context.close();
  await context.close();
});

test('a picture whose maker does not arrive is said, and is made when it is there', async () => {
  const { page, context, mend } = await without(/assets\/paintOver-/);
  await untilRun(page, 'playing');
  const take = async () => {
    await page.click('#take-along');
    await page.click('.menu button:has-text("Picture")');
  };
  await take();
  await page.waitForSelector('.message:has-text("The picture could not be made")');
  await mend();
  await Promise.all([page.waitForEvent('download'), take()]);
  await context.close();
});

test('a page without its engine says one thing, and that beside the buttons of the view and an open text', async () => {
  const { page, context, mend } = await without(/\.wasm$/, { viewport: { width: 1440, height: 900 } });
  await page.waitForSelector('.message[data-key="broken"]');
  await page.click('#open-text');
  await page.waitForFunction(() => document.querySelector('.editor-host').shadowRoot?.querySelector('.cm-content'));
  const card = await page.locator('.message').boundingBox();
  const eye = await page.locator('#view-options').boundingBox();
  assert.ok(card.x + card.width < eye.x, 'the message covers the buttons of the view');
  assert.deepEqual(await page.$$eval('.message', (list) => list.map((one) => one.dataset.key)), ['broken']);
  assert.equal(await page.isVisible('#panel-plots'), false);
  await mend();
  await page.click('.message button:has-text("Try again")');
  await untilRun(page, 'playing');
  assert.equal(await page.isVisible('#panel-plots'), true);
  await context.close();
});

test('an address with a name that no scene has says so, and leads to one that has nearly that name', async () => {
  const { page, context } = await open(site, '?scene=cantilver');
  await page.waitForSelector('.message[data-key="link"]');
  assert.match(
    await page.textContent('.message[data-key="link"]'),
    /There is no scene "cantilver"\..*"tentacle" takes its place\./,
  );
  await untilRun(page, 'playing');
  await page.click('.message[data-key="link"] button:has-text("All scenes")');
  await page.waitForSelector('.card[data-scene="cantilever"]');
  await page.keyboard.press('Escape');
  await page.click('.message[data-key="link"] button:has-text("cantilever")');
  await page.waitForFunction(() => document.documentElement.dataset.scene === 'cantilever');
  assert.deepEqual(await page.$$eval('.message', (list) => list.map((one) => one.textContent)), []);
  await context.close();
});

test('values of an address that do not fit are named, with what there is, and the others are set', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever&set=E:abc,zz:5,r:-1,g:3', {
    reducedMotion: 'reduce',
  });
  await untilRun(page, 'finished');
  const words = await page.textContent('.message[data-key="values"]');
  for (const part of [
    '"abc" is no number for "E".',
    'There is no parameter "zz".',
    '"r" cannot be',
    'The scene has "E", ',
  ])
    assert.ok(words.includes(part), words);
  assert.equal(await page.getAttribute('#parameter-g-value', 'data-value'), '3');
  await page.waitForFunction(() => location.search === '?scene=cantilever&set=g:3');
  assert.deepEqual(errors, []);
  await context.close();
});

test('what an address names beside its scene and its values is told as that', async () => {
  const { page, context, errors } = await open(site, '?scene=cantilever&scene=other&E=1e7', {
    reducedMotion: 'reduce',
  });
  await untilRun(page, 'finished');
  const words = await page.textContent('.message[data-key="values"]');
  assert.match(
    words,
    /^Not all of the address is used\.A second scene is named: "other" is not opened\. "E=1e7" was not understood/,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('a scene is not looked for outside of the folder of the page', async () => {
  const { page, context, requests } = await open(site, '?scene=../x');
  await page.waitForSelector('.message[data-key="link"] button:has-text("All scenes")');
  assert.match(await page.textContent('.message[data-key="link"]'), /There is no scene "\.\.\/x"\./);
  await untilRun(page, 'playing');
  assert.deepEqual(
    requests.filter((one) => one.endsWith('/x')),
    [`${site.url}?scene=../x`],
  );
  await context.close();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
]) {
  test(`many messages leave the scene and its buttons in sight, and can be scrolled: ${width} x ${height}`, async () => {
    const { page, context, errors } = await open(site, '', { viewport: { width, height } });
    const roots = [1, 2, 3, 4, 5, 6].map((i) => [`p${i}`, { formula: `sqrt(0.0${i} - t)` }]);
    const scene = JSON.parse(cantilever({ mode: 'dynamic', duration: 0.1, title: 'Gaps' }));
    await dropScene(page, JSON.stringify({ ...scene, probes: Object.fromEntries(roots) }));
    await untilTitle(page, 'Gaps');
    // At once: they go by themselves.
    const seen = await page.waitForFunction(() => {
      const messages = [...document.querySelectorAll('.message')];
      if (messages.length < 6) return null;
      const box = (element) => element.getBoundingClientRect().toJSON();
      const [stage, list, eye] = ['.stage', '.messages', '#view-options'].map((one) =>
        box(document.querySelector(one)),
      );
      const [newest, first] = [box(messages.at(-1)), box(messages[0])];
      document.querySelector('.messages-lists').scrollTop = 0;
      return { stage, list, eye, newest, first, scrolled: box(messages[0]) };
    });
    const { stage, list, eye, newest, first, scrolled } = await seen.jsonValue();
    assert.ok(list.height < 0.45 * stage.height, `they take ${list.height} of ${stage.height} px`);
    assert.ok(list.top >= eye.bottom || list.right <= eye.left, 'they cover the buttons of the view');
    assert.ok(newest.top < list.bottom, 'the newest is out of sight');
    assert.ok(first.top < list.top && scrolled.top >= list.top, 'they do not scroll');
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('a scene at an address that does not answer is said in words, and the page has another', async () => {
  const { page, context } = await without('https://scenes.example/**');
  await page.goto(`${site.url}?scene=https://scenes.example/arm.json`);
  await page.waitForSelector('.message:has-text("did not answer")');
  await untilRun(page, 'playing');
  assert.notEqual(await page.textContent('#scene-title'), 'Tendril');
  await context.close();
});

test('an address with a page that the guide does not have says so, and shows the first', async () => {
  const { page, context, errors } = await open(site, '?guide=nope');
  await page.waitForSelector('#guide[open] .no-page');
  assert.match(await page.textContent('#guide-text .no-page'), /no page "nope"/);
  assert.equal(await page.getAttribute('#guide-text', 'data-page'), 'index');
  await page.click('.guide-contents button[data-page="scenes"]');
  await page.click('.guide-contents button[data-page="index"]');
  await page.waitForFunction(() => document.querySelector('#guide-text').dataset.page === 'index');
  assert.equal(await page.locator('#guide-text .no-page').count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a link whose maker does not arrive is said, and is made when it is there', async () => {
  const { page, context, mend } = await without(/assets\/shareDialog-/);
  await untilRun(page, 'playing');
  await page.click('#share');
  await page.waitForSelector('.message:has-text("The link could not be made")');
  await mend();
  await page.reload();
  await untilRun(page, 'playing');
  await page.click('#share');
  await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('#v1.'));
  await context.close();
});
