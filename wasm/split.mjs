// Divides the module into two that are downloaded one after the other: what scenes of rods and shells call, and the rest,
// which is linkages, vines and what few scenes need. What runs is found out by running: the module counts its calls while
// it loads, steps, draws, saves and checks the scenes of the gallery and of the documentation that have neither linkages nor
// vines, and refuses wrong ones.
//   node split.mjs --module MODULE.wasm --glue MODULE.mjs --project FOLDER --split PROGRAM --work FOLDER --first OUT --rest OUT
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { needsRest } from './parts.mjs';

const names = ['module', 'glue', 'project', 'split', 'work', 'first', 'rest'];
const { values: option } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
for (const name of names) if (!option[name]) throw new Error(`--${name} is missing`);

/** Steps of each scene: enough for bodies to meet and matrices to be ordered anew. */
const steps = 25;
// What the compiler was allowed to use; without the names, which would come back as names of exports.
const features = [
  'exception-handling',
  'simd',
  'sign-ext',
  'mutable-globals',
  'bulk-memory',
  'nontrapping-float-to-int',
];
const allowed = features.map((feature) => `--enable-${feature}`);
const split = (...words) =>
  execFileSync(option.split, [...words, ...allowed], { stdio: ['ignore', 'ignore', 'inherit'] });

mkdirSync(option.work, { recursive: true });
const at = (name) => join(option.work, name);
split('--instrument', option.module, '-o', at('counting.wasm'));

const createCore = (await import(pathToFileURL(resolve(option.glue)))).default;
const compiled = new WebAssembly.Module(readFileSync(at('counting.wasm')));
let exported;
const core = await createCore({
  instantiateWasm(imports, done) {
    const instance = new WebAssembly.Instance(compiled, imports);
    exported = instance.exports;
    done(instance, compiled);
    return exported;
  },
});

/** What the facade returned; its failures are values. */
function good(result, what) {
  if (result?.failure) throw new Error(`${what}: ${result.message}`);
  return result;
}

function open(text, name, names = [], values = []) {
  const handle = new core.Handle();
  good(handle.open(text, names, values), name);
  return handle;
}

function use(text, name) {
  const handle = open(text, name);
  const info = good(handle.info(), name);
  const draw = () => {
    handle.time();
    handle.duration();
    good(handle.drawing(), name);
    good(handle.snapshot(), name);
    good(handle.probeValues(), name);
    good(handle.checks(), name);
  };
  draw();
  for (let left = steps; left > 0 && !handle.finished(); --left) good(handle.step(), name);
  draw();
  const kept = good(handle.save(), name).slice();
  const free = info.parameters.filter(({ derived }) => !derived);
  for (const { name: parameter, value } of free) good(handle.set(parameter, value), name);
  handle.set('no such one', 1);
  good(handle.restore(kept), name);
  if (!info.static) {
    good(handle.grab(0, 0, 0, 0), name);
    good(handle.step(), name);
    good(handle.release(), name);
    good(handle.advance(info.dt), name);
    good(handle.advanceFor(info.dt, 1), name);
  }
  good(handle.reset(), name);
  const names = free.map((one) => one.name);
  const values = free.map((one) => one.value);
  good(handle.open(text, names, values), name);
  handle.open(text, ['no such one'], [1]);
  handle.delete();
  if (info.static) return;
  // To its end, which is told with checks and notes; some scenes speak of a later time.
  const short = new core.Handle();
  const early = text.replace(/"duration": *[^,}\n]*/, `"duration": ${3 * info.dt}`);
  if (!short.open(early, [], [])?.failure) {
    good(short.advance(4 * info.dt), name);
    good(short.checks(), name);
  }
  short.delete();
}

/** Mistakes that are made while a text is edited, one at a time. */
function mistakes(text) {
  const changed = [
    [',', ''],
    ['}', ''],
    ['"format"', '"formats"'],
    ['"rods"', '"rod"'],
    ['"solver"', '"solvers"'],
    ['"segments"', '"segment"'],
    [/"material": *"[^"]*"/, '"material": "no such one"'],
    [/"youngs": *[^,}]*/, '"youngs": "x"'],
    [/"youngs": *[^,}]*/, '"youngs": -1'],
    [/"youngs": *[^,}]*/, '"youngs": "=nothing"'],
    [/"youngs": *[^,}]*/, '"youngs": "=1/0"'],
    [/"youngs": *[^,}]*/, '"youngs": "=1 +"'],
    [/"radius": *[^,}]*/, '"radius": -1'],
    [/"dt": *[^,}]*/, '"dt": "a word"'],
    [/"dt": *[^,}]*/, '"dt": 0'],
    [/("dt": *[^,}]*)/, '$1, "dt": 1'],
    [/:first"/, ':last one"'],
    [/"expect": *"[^"]*"/, '"expect": "nothing < 1"'],
  ];
  return changed.map(([from, to]) => text.replace(from, to)).filter((one) => one !== text);
}

/** Of the gallery and of the documentation: whole scenes stand in its blocks. */
function sceneTexts() {
  const read = (...path) => readFileSync(join(option.project, ...path), 'utf8');
  const list = (folder, ending) =>
    readdirSync(join(option.project, folder))
      .filter((name) => name.endsWith(ending))
      .sort();
  const scenes = list('scenes', '.json').filter((name) => !name.includes('schema'));
  const pages = ['README.md', ...list('docs', '.md').map((name) => `docs/${name}`)];
  const blocks = pages.flatMap((page) =>
    read(page)
      .split('```')
      .filter((block) => block.startsWith('json\n{') && block.includes('"format": "tendril/1"'))
      .map((block, index) => ({ name: `${page}, scene ${index + 1}`, text: block.slice(5) })),
  );
  return [...scenes.map((name) => ({ name, text: read('scenes', name) })), ...blocks].filter(
    ({ text }) => !needsRest(text),
  );
}

core.version();
const texts = sceneTexts();
if (texts.length === 0) throw new Error(`${option.project} has no scenes of rods and shells`);
for (const { name, text } of texts) {
  use(text, name);
  good(core.validate(text), name);
  good(core.expand(text), name);
  for (const one of mistakes(text)) core.validate(one);
}
for (const one of ['', '{', '[]', '{"format": "tendril/1"}']) {
  core.validate(one);
  new core.Handle().open(one, [], []);
}

const profile = exported.__write_profile;
const length = profile(0, 0);
profile(0, length);
const memory = Object.values(exported).find((one) => one instanceof WebAssembly.Memory);
writeFileSync(at('calls.profile'), Buffer.from(memory.buffer, 0, length));
split(
  '--split',
  option.module,
  `--profile=${at('calls.profile')}`,
  '--export-prefix=.',
  '--import-namespace=first',
  '--placeholder-namespace=rest',
  '-o1',
  option.first,
  '-o2',
  option.rest,
);

// The parts say which they are, and of which build, so that no two others are joined.
const build = createHash('sha256')
  .update(readFileSync(option.module))
  .update(readFileSync(at('calls.profile')))
  .digest('hex')
  .slice(0, 16);
const name = Buffer.from('tendril.part');
for (const part of ['first', 'rest']) {
  const mark = Buffer.from(`${part} ${build}`);
  appendFileSync(option[part], Buffer.concat([Buffer.of(0, 1 + name.length + mark.length, name.length), name, mark]));
}
