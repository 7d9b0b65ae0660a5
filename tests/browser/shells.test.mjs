// Shells on the page: drawn, colored with the right words, their edges on demand, pulled by the pointer, framed as
// solved; meshes in Wavefront texts open as scenes; numbers are the native program's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { difference, variety } from './png.mjs';
import {
  dropScene,
  eventually,
  nativeSummary,
  open,
  probe,
  shot,
  start,
  stillShot,
  time,
  untilNative,
  untilRun,
  untilTime,
  untilTitle,
} from './support.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** A rubber plate clamped along x = 0, hanging or held still; with a rope from its free end where asked. */
function plate({ mode = 'static', duration = 60, rope = false, title = 'Test plate' } = {}) {
  const solver = mode === 'static' ? { mode, loadSteps: 4 } : { mode, duration, dt: 0.01 };
  const rods = `"rods": {"rope": {"material": "rubber", "section": {"circle": {"radius": 1e-3}}, "segments": 10,
    "path": {"line": {"from": [0.2, 0.05, 0], "to": [0.2, 0.05, -0.1]}}}},
  "joints": [{"pin": ["rope:first", "plate@[0.2, 0.05, 0]"]}],`;
  return `{
  "format": "tendril/1",
  "title": "${title}",
  "description": "A plate for tests.",
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.3, "density": 1000, "damping": 500}},
  ${rope ? rods : ''}
  "shells": {"plate": {"material": "rubber", "thickness": 4e-3, "look": {"label": "the plate"},
    "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.1, 0], "edge": 0.025, "pattern": "right-isosceles"}}}},
  "constraints": [{"clamp": {"of": "plate", "where": "x < 0.001"}}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": ${JSON.stringify(solver)},
  "probes": {"tip": {"position": "plate@[0.2, 0.05, 0]"}, "membrane": {"energy": "membrane"}, "bending": {"energy": "hinge"}}
}`;
}

const legend = (page) => page.$eval('.legend', (box) => (box.hidden ? '' : box.textContent));

async function colorBy(page, field) {
  await page.click('#view-options');
  await page.selectOption('#color-by', field);
  await page.keyboard.press('Escape');
}

test('a plate hangs as the native program computes it, in color, framed as it hangs', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, plate());
  await untilTitle(page, 'Test plate');
  await untilRun(page, 'finished');
  const { probes } = await nativeSummary(plate());
  const here = await untilNative(page, 'tip.z', probes['tip.z'], 1e-7);
  assert.ok(here < -0.01, `the plate hangs by ${here}`);
  // A busy machine draws later than it computes: the plate has to come, whenever.
  await eventually(async () => assert.ok(variety(await shot(page)).vivid > 1500, 'no plate in sight'));
  await stillShot(page);
  assert.equal(await page.textContent('.hint'), 'drag a shell to pull it · drag the bar below to change the load');
  assert.match(await page.textContent('.plot:last-child .plot-note'), /stacked/);
  // The camera chosen for the solved state is the one that showing everything gives: the label does not move.
  const label = () => page.$eval('.labels span', (span) => span.style.transform);
  const chosen = await label();
  assert.match(chosen, /translate\(\d/);
  await page.keyboard.press('f');
  await stillShot(page);
  assert.equal(await label(), chosen, 'the solved plate was not framed');
  assert.deepEqual(errors, []);
  await context.close();
});

test('colors of shells and of shells with rods come with their words and units', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, plate());
  await untilTitle(page, 'Test plate');
  await untilRun(page, 'finished');
  const plain = await stillShot(page);
  await colorBy(page, 'energy');
  await page.waitForFunction(() => !document.querySelector('.legend').hidden);
  assert.match(await legend(page), /^Bending energy per area \[m?J\/m²\]/);
  await eventually(async () => assert.ok(difference(plain, await shot(page)) > 500, 'the colors do not change'));
  await colorBy(page, 'strain');
  await page.waitForFunction(() => document.querySelector('.legend').textContent.startsWith('Membrane strain'));
  await colorBy(page, 'curvature');
  await page.waitForFunction(() => document.querySelector('.legend').textContent.startsWith('Curvature [1/m]'));

  await dropScene(page, plate({ rope: true, title: 'Plate and rope' }));
  await untilTitle(page, 'Plate and rope');
  await untilRun(page, 'finished');
  assert.equal(
    await page.textContent('.hint'),
    'drag a rod or a shell to pull it · drag the bar below to change the load',
  );
  await colorBy(page, 'energy');
  await page.waitForFunction(() => document.querySelector('.legend').textContent.includes('Shells: bending energy'));
  assert.match(await legend(page), /Rods: elastic energy \[.?J\/m\]/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('W shows the edges of shells, and they stay for the next scene', async () => {
  const { page, context } = await open(site);
  await dropScene(page, plate());
  await untilTitle(page, 'Test plate');
  await untilRun(page, 'finished');
  const without = await stillShot(page);
  await page.keyboard.press('w');
  await eventually(async () => assert.ok(difference(without, await shot(page)) > 50, 'no edges appear'));
  await dropScene(page, plate({ title: 'Next plate' }));
  await untilTitle(page, 'Next plate');
  await untilRun(page, 'finished');
  assert.ok(await page.isChecked('#wireframe'));
  assert.ok(difference(without, await stillShot(page)) > 50, 'the edges went away');
  await context.close();
});

test('pulling a shell moves it', async () => {
  const { page, context } = await open(site);
  await dropScene(page, plate({ mode: 'dynamic', duration: 600 }));
  await untilTitle(page, 'Test plate');
  await untilTime(page, 2);
  await page.keyboard.press(' ');
  await untilRun(page, 'paused');
  await stillShot(page);
  const hanging = await probe(page, 'tip.z');
  const place = await page.evaluate(() => {
    const canvas = document.querySelector('.stage canvas');
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const over = (x, y) => {
      const at = { clientX: left + x, clientY: top + y, pointerType: 'mouse', buttons: 0 };
      canvas.dispatchEvent(new PointerEvent('pointermove', at));
      return canvas.classList.contains('over-body');
    };
    for (let x = width * 0.9; x > width * 0.1; x -= 6) {
      for (let y = height * 0.1; y < height * 0.9; y += 6) {
        // Well within the plate, not at its border.
        if ([-12, 0, 12].every((dx) => [-12, 0, 12].every((dy) => over(x + dx, y + dy)))) return [left + x, top + y];
      }
    }
    return null;
  });
  assert.ok(place, 'no place of the view is over the plate');
  await page.mouse.move(...place);
  await page.mouse.down();
  await page.mouse.move(place[0], place[1] - 150, { steps: 8 });
  await page.waitForFunction(
    (z) => Number(document.querySelector('#values td[data-column="tip.z"]').dataset.value) > z + 5e-3,
    hanging,
  );
  await page.mouse.up();
  await context.close();
});

test('keys pull a shell and let it go', async () => {
  const { page, context, errors } = await open(site);
  await dropScene(page, plate({ mode: 'dynamic', duration: 600 }));
  await untilTitle(page, 'Test plate');
  await untilTime(page, 2);
  await page.keyboard.press(' ');
  await untilRun(page, 'paused');
  await stillShot(page);
  // It still swings about its rest.
  const hanging = (await nativeSummary(plate({ mode: 'static' }))).probes['tip.z'];
  await page.keyboard.press('p');
  // How far the point has to be moved depends on where it was in its swing. Where the run is slow, presses wait for it: many at once
  // throw the plate.
  await eventually(async () => {
    await page.keyboard.press('ArrowUp');
    await untilTime(page, (await time(page)) + 0.05);
    const here = await probe(page, 'tip.z');
    assert.ok(here > hanging + 5e-3, `the tip is at ${here}, and hangs at ${hanging}`);
  });
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    (z) => Math.abs(Number(document.querySelector('#values td[data-column="tip.z"]').dataset.value) - z) < 4e-3,
    hanging,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('a Wavefront mesh opens as a scene', async () => {
  const { page, context, errors } = await open(site);
  const text = '# two triangles\nv 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n';
  await dropScene(page, text);
  await untilTitle(page, 'Imported geometry');
  await untilRun(page, 'finished');
  await page.waitForFunction(() => document.querySelector('.hint').textContent === 'Space runs it again');
  assert.equal(await page.$('.message.trouble'), null);
  assert.deepEqual(errors, []);
  await context.close();
});
