// The guide in the page: its pages, links, pictures and examples, by mouse and by keyboard, without a network, on a phone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { dropScene, open, start, untilRun, untilTitle } from './support.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const untilPage = (page, id) =>
  page.waitForFunction((p) => document.querySelector('#guide-text')?.dataset.page === p, id);

async function seriousFaults(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(
    async () => (await window.axe.run('#guide', { resultTypes: ['violations'] })).violations,
  );
  return found
    .filter(({ impact }) => /serious|critical/.test(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(' ')}`);
}

test('the guide opens without a network, follows links, goes back, and shows tables and pictures', async () => {
  const { page, context, errors, requests } = await open(site);
  await untilRun(page, 'playing');
  await page.waitForFunction(() => performance.getEntriesByName('all-there').length > 0);
  const asked = requests.length;
  await context.setOffline(true);
  await page.click('#open-guide');
  await untilPage(page, 'index');
  await page.locator('#guide-text a', { hasText: 'Scenes' }).first().click();
  await untilPage(page, 'scenes');
  assert.ok((await page.$$('#guide-text table')).length > 3, 'tables');
  const widths = await page.$$eval('#guide-text img', async (images) => {
    await Promise.all(images.map((image) => image.decode()));
    return images.map((image) => image.naturalWidth);
  });
  assert.equal(widths.length, 2);
  assert.ok(
    widths.every((width) => width > 100),
    `pictures ${widths}`,
  );
  await page.click('#guide-back');
  await untilPage(page, 'index');
  await page.click('.guide-contents button[data-page="troubleshooting"]');
  await page.locator('#guide-text a[href$="#clamp-or-fix"]').first().click();
  await untilPage(page, 'scenes');
  const [heading, text] = await page.$$eval('#guide-clamp-or-fix, #guide-text', (nodes) =>
    nodes.map((n) => n.getBoundingClientRect().top).sort((a, b) => b - a),
  );
  assert.ok(Math.abs(heading - text) < 60, `the heading is ${heading - text} px below the top`);
  assert.deepEqual(await seriousFaults(page), []);
  const later = requests.slice(asked).filter((address) => !/^(blob|data):|favicon\.svg$/.test(address));
  assert.deepEqual(later, []);
  assert.deepEqual(
    errors.filter((words) => !words.includes('ERR_INTERNET_DISCONNECTED')),
    [],
  );
  await context.close();
});

test('"Try it" runs a whole example; parts of scenes have no such button', async () => {
  const { page, context, errors } = await open(site, '?guide=first-scene');
  await untilPage(page, 'first-scene');
  assert.equal(await page.locator('#guide-text .try').count(), 2);
  await page.locator('#guide-text .try').nth(1).click();
  await untilTitle(page, 'Cantilever under its own weight');
  await untilRun(page, 'playing');
  assert.equal(await page.$('dialog[open]'), null);
  await page.waitForSelector('#parameter-E');
  assert.deepEqual(errors, []);
  await context.close();
});

test('every whole example of the guide runs', async () => {
  const { page, context, errors } = await open(site);
  await untilRun(page, 'playing');
  await page.keyboard.press('h');
  await untilPage(page, 'index');
  const pages = await page.$$eval('.guide-contents button', (buttons) => buttons.map((b) => b.dataset.page));
  for (const id of pages) {
    await page.click(`.guide-contents button[data-page="${id}"]`);
    await untilPage(page, id);
    const count = await page.locator('#guide-text .try').count();
    for (let i = 0; i < count; ++i) {
      await page.evaluate(() => document.documentElement.removeAttribute('data-scene'));
      await page.locator('#guide-text .try').nth(i).click();
      await page.waitForFunction(
        () => document.documentElement.dataset.scene === 'own' || document.querySelector('.message.trouble'),
      );
      assert.equal(await page.$('.message.trouble'), null, `${id}, example ${i + 1}`);
      await page.keyboard.press('h');
    }
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('by keyboard: H opens it, Tab reaches its links, Enter follows them, Escape closes it', async () => {
  const { page, context } = await open(site);
  await untilRun(page, 'playing');
  await page.keyboard.press('h');
  await untilPage(page, 'index');
  await page.keyboard.press('Tab');
  const words = await page.evaluate(() => document.activeElement.textContent);
  assert.equal(words, 'Your first scene');
  await page.keyboard.press('Enter');
  await untilPage(page, 'first-scene');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.keyboard.press('h');
  assert.equal(await page.getAttribute('#guide-text', 'data-page'), 'first-scene', 'it opens where it was left');
  await context.close();
});

test('on a phone the guide fills the screen and does not scroll sideways', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const { page, context } = await open(site, '', phone);
  await untilRun(page, 'playing');
  await page.tap('#open-help');
  await page.tap('#help-guide');
  await untilPage(page, 'index');
  for (const id of ['scenes', 'reference', 'theory', 'first-scene']) {
    await page.selectOption('.guide-choice', id);
    await untilPage(page, id);
    const [content, box] = await page.$eval('#guide-text', (n) => [n.scrollWidth, n.clientWidth]);
    assert.ok(content <= box + 1, `${id} is ${content} px wide in ${box} px`);
  }
  assert.deepEqual(await seriousFaults(page), []);
  await context.close();
});

test('a description is shown with its formulas and its links; HTML in it stays text, and the policy has nothing to report', async () => {
  const { page, context, errors, requests } = await open(site);
  await untilRun(page, 'playing');
  const description =
    'First $E I / L^2$. Then <img src="https://x.example/a.png" onerror="window.was = 1"> [bad](javascript:window.was=1) ' +
    '[mail](mailto:a@b.example) [web](https://b.example/) ![sketch](https://x.example/b.png) a &lt; b\n\n<script>window.was = 1</script>\n\n' +
    '$$\\frac{x}{\\color{red}{y}} \\sideset{_a}{_b}{\\sum} \\unknown$$ and $\\sideset{_a}{_b}{\\sum}$';
  const scene = {
    format: 'tendril/1',
    title: 'Described',
    description,
    materials: { soft: { youngs: 1e6, poisson: 0.5, density: 1000 } },
    rods: {
      arm: {
        material: 'soft',
        section: { circle: { radius: 0.01 } },
        segments: 4,
        path: { line: { from: [0, 0, 0], to: [1, 0, 0] } },
      },
    },
    constraints: [{ clamp: 'arm:first' }],
    solver: { dt: 0.01, duration: 1 },
  };
  await dropScene(page, JSON.stringify(scene));
  await untilTitle(page, 'Described');
  await page.waitForFunction(
    () => document.querySelectorAll('.about math').length === 2 && document.querySelector('.lede math'),
  );
  const shown = await page.$eval('.about', (about) => ({
    live: about.querySelectorAll('img, script').length,
    links: [...about.querySelectorAll('a')].map(({ href, rel }) => [href, rel]),
    words: about.textContent,
    unread: [...about.querySelectorAll('.math')]
      .filter((one) => !one.querySelector('math'))
      .map((one) => one.textContent),
  }));
  assert.equal(shown.live, 0);
  assert.deepEqual(shown.links, [
    ['mailto:a@b.example', 'noopener noreferrer'],
    ['https://b.example/', 'noopener noreferrer'],
  ]);
  for (const part of ['<img src="https://x.example/a.png"', '<script>window.was = 1</script>', 'sketch', 'a < b'])
    assert.ok(shown.words.includes(part), part);
  assert.equal(shown.unread.length, 1, 'a formula that cannot be read stays as it is written');
  assert.equal(await page.evaluate(() => window.was), undefined);
  assert.deepEqual(
    requests.filter((address) => address.includes('example')),
    [],
  );
  assert.deepEqual(errors, []);
  await context.close();
});
