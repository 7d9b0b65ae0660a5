// What the browser tests share: a browser, a served page that records its errors and requests, the native program's
// numbers, and small scenes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** The built page; TENDRIL_DIST names another one, to compare with. */
export const dist = process.env.TENDRIL_DIST ?? place('web/dist');
export const program = place('build/native/tendril');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Pages of the browser's own, which it would load into the address bar of every window. */
const popups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
/** What Playwright turns off: only the last list that a browser gets counts. */
const turnedOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** Every page compiles the engine anew: only code that runs for long is compiled once more, for speed, which the module's tests do too. */
const compiling = '--js-flags=--wasm-tiering-budget=200000000';
const flags = ['--no-sandbox', compiling, `--disable-features=${[...turnedOff, ...popups].join(',')}`];

for (const [path, how] of [
  [join(dist, 'index.html'), 'npm run build --prefix web'],
  [program, 'make native'],
]) {
  if (!existsSync(path)) throw new Error(`${path} is missing: run "${how}" first`);
}

/** How long a test waits for what has to come [ms]: a busy machine needs minutes for what takes seconds. */
export const patience = 180_000;

/** Starts the server and the browser; call `close` at the end. `extra`: more files beside the page. `line`: a slow one. */
export async function start(extra = {}, line = null, folder = dist) {
  const server = await serve(folder, extra, line);
  const browser = await chromium.launch({ executablePath: browserPath, headless: true, args: flags });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { url: server.url, browser, close, sent: server.sent };
}

/**
 * A page in a context of its own. `errors` collects what went wrong, `requests` every address asked for; `script` runs
 * in the page before its own.
 */
export async function open({ browser, url, script }, path = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(patience);
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url + path);
  return { page, context, errors, requests };
}

/** Opens a scene's text as if the file were dropped on the page. */
export async function dropScene(page, text) {
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'scene.json', { type: 'application/json' }));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, text);
}

/** Waits until the run is "playing", "paused" or "finished". */
export const untilRun = (page, state) =>
  page.waitForFunction((s) => document.documentElement.dataset.run === s && !document.querySelector('#welcome'), state);

/** Waits until the run goes, or has gone: a short one may be over on a slow machine before it is looked at. */
export const untilItRan = (page) =>
  page.waitForFunction(
    () => ['playing', 'finished'].includes(document.documentElement.dataset.run) && !document.querySelector('#welcome'),
  );

/** Waits until a scene with this title is shown. */
export const untilTitle = (page, title) =>
  page.waitForFunction((t) => document.querySelector('#scene-title')?.textContent === t, title);

/** The exact number behind a cell of the values table. */
export const probe = (page, column) =>
  page.evaluate((name) => Number(document.querySelector(`#values td[data-column="${name}"]`)?.dataset.value), column);

export const time = (page) => page.evaluate(() => Number(document.querySelector('#time')?.dataset.value));

/** Waits until the run has come to a time [s]. */
export const untilTime = (page, least) =>
  page.waitForFunction((t) => Number(document.querySelector('#time')?.dataset.value) >= t, least);

/** A picture of the 3D view alone. */
export const shot = (page) => page.locator('.stage canvas').first().screenshot();

/** Asks again until `check` throws nothing, and returns its answer: a busy machine shows later what it has computed. */
export async function eventually(check) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** The picture of a scene that does not run, once the page has drawn all that it wants to draw. */
export async function stillShot(page) {
  await page.waitForFunction(() => document.querySelector('.stage canvas')?.dataset.picture === 'stands');
  return shot(page);
}

/**
 * Waits until a value of the table is the native program's, and returns it. That it stays the same for a while tells nothing: a
 * busy machine shows each value for long.
 */
export const untilNative = (page, column, native, slack = 1e-8) =>
  eventually(async () => {
    const here = await probe(page, column);
    assert.ok(Math.abs(here - native) <= slack, `${column}: ${here} here, ${native} natively`);
    return here;
  });

/** What a run that starts and ends from now on resolves: on a busy machine nobody may see it under way. */
export const ranAgain = (page) =>
  page.evaluateHandle(() => {
    const root = document.documentElement;
    const over = new Promise((resolve) => {
      let left = false;
      new MutationObserver(() => {
        left ||= root.dataset.run !== 'finished';
        if (left && root.dataset.run === 'finished') resolve();
      }).observe(root, { attributes: true, attributeFilter: ['data-run'] });
    });
    return { over };
  });

/**
 * What the mouse is over, line by line through the picture down to its part `bottom`, every `across` and `down` pixels:
 * the names that appear, each with its places.
 */
export async function underMouse(page, { bottom = 0.9, across = 12, down = 6 } = {}) {
  const { x, y, width, height } = await page.locator('.stage canvas').first().boundingBox();
  return page.evaluate(
    ([left, top, right, low, dx, dy]) => {
      const canvas = document.querySelector('.stage canvas');
      const tag = document.querySelector('.name-tag');
      const found = {};
      for (let clientY = top; clientY < low; clientY += dy) {
        for (let clientX = left; clientX < right; clientX += dx) {
          canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, pointerType: 'mouse', buttons: 0 }));
          if (!tag.hidden) (found[tag.textContent] ??= []).push([clientX, clientY]);
        }
      }
      return found;
    },
    [x + 0.05 * width, y + 0.1 * height, x + 0.95 * width, y + bottom * height, across, down],
  );
}

/** The native program's summary of a scene text. */
export async function nativeSummary(text, set = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tendril-'));
  try {
    const file = join(folder, 'scene.json');
    await writeFile(file, text);
    const sets = Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const { stdout } = await promisify(execFile)(program, ['run', file, '--json', ...sets]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A rubber arm, clamped, under its weight: static, or falling for `duration`. */
export function cantilever({ mode = 'static', duration = 1, dt = 0.01, segments = 20, title = 'Test arm' } = {}) {
  const solver = mode === 'static' ? { mode } : { mode, duration, dt };
  return `{
  "format": "tendril/1",
  "title": "${title}",
  "description": "An arm for tests.",
  "parameters": {
    "E": {"value": 1e6, "min": 1e5, "max": 1e8, "scale": "log", "unit": "Pa", "label": "Young's modulus"},
    "length": {"value": 0.2, "min": 0.1, "max": 0.3, "unit": "m"}
  },
  "materials": {"rubber": {"youngs": "=E", "poisson": 0.5, "density": 1000, "damping": 50}},
  "rods": {"arm": {"material": "rubber", "section": {"circle": {"radius": 5e-3}}, "segments": ${segments},
                   "path": {"line": {"from": [0, 0, 0], "to": ["=length", 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": ${JSON.stringify(solver)},
  "probes": {"tip": {"position": "arm:last"}, "total": {"energy": "total"}}
}`;
}
