// Divides the module into two that are downloaded one after the other: what scenes of rods and shells call, and the rest,
// which is linkages, vines and what few scenes need. What runs is found out by running: the module counts its calls while
// it loads, steps, draws, saves and checks the scenes that have neither linkages nor vines, and refuses wrong ones.
//   node split.mjs --module MODULE.wasm --glue MODULE.mjs --scenes FOLDER --split PROGRAM --work FOLDER --first OUT --rest OUT
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { needsRest } from './parts.mjs';

const names = ['module', 'glue', 'scenes', 'split', 'work', 'first', 'rest'];
const { values: option } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
for (const name of names) if (!option[name]) throw new Error(`--${name} is missing`);

/** Steps of each scene: enough for contact to be searched and matrices to be ordered anew. */
const steps = 6;
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

function use(text, name) {
  const handle = new core.Handle();
  good(handle.open(text, [], []), name);
  const info = good(handle.info(), name);
  const draw = () => {
    handle.time();
    handle.duration();
    good(handle.drawing(), name);
    good(handle.snapshot(), name);
    good(handle.probeValues(), name);
    good(handle.checks(), name);
  };
  const go = (count) => {
    for (let left = count; left > 0 && !handle.finished(); --left) good(handle.step(), name);
  };
  draw();
  go(steps);
  draw();
  const kept = good(handle.save(), name).slice();
  const free = info.parameters.filter(({ derived }) => !derived);
  for (const { name: parameter, value } of free) good(handle.set(parameter, value), name);
  good(handle.restore(kept), name);
  if (!info.static) {
    good(handle.grab(0, 0, 0, 0), name);
    go(1);
    good(handle.release(), name);
    good(handle.advance(info.dt), name);
    good(handle.advanceFor(info.dt, 1), name);
  }
  good(handle.reset(), name);
  const names = free.map((one) => one.name);
  const values = free.map(({ value }) => value);
  good(handle.open(text, names, values), name);
  handle.delete();
}

core.version();
const texts = readdirSync(option.scenes)
  .filter((name) => name.endsWith('.json') && !name.includes('schema'))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(option.scenes, name), 'utf8') }))
  .filter(({ text }) => !needsRest(text));
if (texts.length === 0) throw new Error(`${option.scenes} has no scenes of rods and shells`);
for (const { name, text } of texts) {
  use(text, name);
  good(core.validate(text), name);
  good(core.expand(text), name);
}
// What is wrong most often while a text is edited.
const { text } = texts[0];
const wrong = [
  '',
  '{',
  text.replace(',', ''),
  text.replace('"format"', '"formats"'),
  text.replace('"rods"', '"rod"'),
  text.replace(/"material": *"[^"]*"/, '"material": "no such one"'),
  text.replace(/"dt": *[^,}]*/, '"dt": "a word"'),
  text.replace(/"dt": *[^,}]*/, '"dt": -1'),
  text.replace(/"dt": *[^,}]*/, '"dt": "=1 +"'),
];
for (const one of wrong) core.validate(one);

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
