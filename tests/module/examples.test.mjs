// What docs/module.md prints under its examples is what they print, with the scenes that the pages show.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageFolder, root } from './support.mjs';

const page = (name) => readFileSync(join(root, 'docs', name), 'utf8');

/** Headings and fenced blocks of a page in their order: { heading } or { language, text, line }. */
function outline(text) {
  const pieces = [];
  let block = null;
  text.split('\n').forEach((line, i) => {
    if (line.startsWith('```')) {
      if (block) pieces.push(block);
      block = block ? null : { language: line.slice(3), text: '', line: i + 1 };
    } else if (block) {
      block.text += `${line}\n`;
    } else if (line.startsWith('#')) {
      pieces.push({ heading: line });
    }
  });
  return pieces;
}

/** The first scene under a heading of a page. */
function scene(name, heading) {
  const pieces = outline(page(name));
  const start = pieces.findIndex((piece) => piece.heading === heading);
  assert.notEqual(start, -1, `docs/${name} has no "${heading}"`);
  return pieces.slice(start).find(({ language }) => language === 'json').text;
}

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules/@tendril'), { recursive: true });
symlinkSync(packageFolder, join(folder, 'node_modules/@tendril/engine'));
writeFileSync(join(folder, 'cantilever.json'), scene('first-scene.md', '## Sixteen lines'));
writeFileSync(join(folder, 'plate.json'), scene('scenes.md', '## Shells'));

// Later examples go on with the engine of the first.
const begun = `import { loadEngine, readScene } from '@tendril/engine';\nconst engine = await loadEngine();\n`;

const pieces = outline(page('module.md'));
const examples = pieces.flatMap(({ language, text, line }, i) => {
  const output = pieces[i + 1];
  return language === 'js' && output?.language === '' ? [{ code: text, line, output }] : [];
});

test('the page has examples with what they print', () => assert.ok(examples.length >= 2));

for (const { code, line, output } of examples)
  test(`the example of line ${line} prints what stands under it`, () => {
    const file = join(folder, `line-${line}.mjs`);
    writeFileSync(file, code.includes('loadEngine(') ? code : begun + code);
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const words = (text) => text.trim().split(/\s+/);
    assert.deepEqual(words(stdout), words(output.text), `docs/module.md, line ${output.line}; it printed\n${stdout}`);
  });
