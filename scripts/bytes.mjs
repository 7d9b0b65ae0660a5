// Where the bytes of the module are: by namespace, by cause and by function, as Markdown.
//   node scripts/bytes.mjs build/wasm/bytes/tendril.wasm
// The module must carry its functions' names (target tendril_bytes). "gz" is what the compressed code shrinks by without
// the item, so that repetition counts once.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [file, least = '10000', ...more] = process.argv.slice(2);
if (!file || file.startsWith('-') || !(Number(least) >= 0) || more.length > 0) {
  console.error('Usage: node scripts/bytes.mjs MODULE.wasm [LEAST RAW BYTES OF A FUNCTION]');
  process.exit(2);
}
if (!existsSync(file)) {
  console.error(`${file} cannot be read: build the target tendril_bytes first`);
  process.exit(2);
}
const bytes = readFileSync(file);

/** Reads the binary format: https://webassembly.github.io/spec/core/binary/modules.html */
class Reader {
  constructor(at) {
    this.at = at;
  }

  byte() {
    return bytes[this.at++];
  }

  /** An unsigned integer in LEB128. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const next = this.byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
    }
  }

  text() {
    const length = this.number();
    this.at += length;
    return bytes.toString('utf8', this.at - length, this.at);
  }

  limits() {
    const bounded = this.byte() & 1;
    this.number();
    if (bounded) this.number();
  }
}

const sectionNames = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
  'code',
  'data',
];
const importKinds = [
  (reader) => reader.number(), // a function: its type
  (reader) => {
    reader.byte();
    reader.limits();
  }, // a table
  (reader) => reader.limits(), // a memory
  (reader) => {
    reader.at += 2;
  }, // a global
  (reader) => {
    reader.byte();
    reader.number();
  }, // a tag
];

function readModule() {
  const sections = new Map();
  const names = new Map();
  const bodies = [];
  let imported = 0;
  const reader = new Reader(8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    const name = id === 0 ? `custom ${reader.text()}` : (sectionNames[id] ?? `section ${id}`);
    sections.set(name, size);
    if (name === 'import')
      for (let left = reader.number(); left > 0; --left) {
        reader.text();
        reader.text();
        const kind = reader.byte();
        importKinds[kind](reader);
        if (kind === 0) ++imported;
      }
    if (name === 'code')
      for (let left = reader.number(); left > 0; --left) {
        const length = reader.number();
        bodies.push({ from: reader.at, size: length });
        reader.at += length;
      }
    while (name === 'custom name' && reader.at < end) {
      const kind = reader.byte();
      const after = reader.number() + reader.at;
      if (kind === 1) for (let left = reader.number(); left > 0; --left) names.set(reader.number(), reader.text());
      reader.at = after;
    }
    reader.at = end;
  }
  if (names.size === 0) throw new Error(`${file} has no names of functions: build the target tendril_bytes`);
  const mangled = bodies.map((_, index) => names.get(index + imported) ?? '?').join('\n');
  const plain = execFileSync('c++filt', { input: mangled, maxBuffer: 1 << 30, encoding: 'utf8' }).split('\n');
  bodies.forEach((body, index) => {
    body.name = plain[index].replaceAll('std::__2::', 'std::');
  });
  return { sections, bodies };
}

const { sections, bodies } = readModule();
const compressed = (list) =>
  gzipSync(Buffer.concat(list.map(({ from, size }) => bytes.subarray(from, from + size))), { level: 9 }).length;
const all = compressed(bodies);
const rawSize = (list) => list.reduce((sum, { size }) => sum + size, 0);
const kilo = (count) => (count / 1000).toFixed(count < 9950 ? 1 : 0);

/** The function's own name, without its arguments and the type that it returns. */
function ownName(name) {
  const flat = name.replaceAll('(anonymous namespace)::', '');
  const begin = flat.search(/[(<]/);
  return (begin < 0 ? flat : flat.slice(0, begin)).split(' ').at(-1);
}

const causes = [
  [
    'sorting',
    /^(std::)?.*__(sort|sort3|sort4|sort5|insertion_sort\w*|inplace_merge|stable_sort\w*|nth_element|buffered_inplace_merge)$/,
  ],
  ['growth and copies of std::vector', /^std::(vector|__vector_base|__split_buffer|allocator_traits)(::|$)/],
  ['std::string, std::map, std::function and other containers', /^std::|^operator/],
  ['Eigen outside of expressions (decompositions, products, copies)', /^Eigen::/],
  ['nlohmann-json', /^nlohmann::/],
  ['embind', /^emscripten::|^_embind/],
];

function folderOf(own) {
  const parts = own.split('::');
  if (parts[0] !== 'tendril') return 'C and C++ runtime: memory, exceptions, printing, sin and exp';
  return parts.length > 2 && /^[a-z]/.test(parts[1]) ? parts[1] : 'simulation, wasm';
}

const groups = new Map();
for (const body of bodies) {
  const own = ownName(body.name);
  const cause = causes.find(([, pattern]) => pattern.test(own));
  const group = cause ? cause[0] : folderOf(own);
  groups.set(group, [...(groups.get(group) ?? []), body]);
}

const row = (name, list) => {
  const out = new Set(list);
  return {
    name,
    count: list.length,
    raw: rawSize(list),
    gz: all - compressed(bodies.filter((body) => !out.has(body))),
  };
};
const table = (heads, rows) =>
  [
    `| ${heads.join(' | ')} |`,
    `| ${heads.map(() => '---').join(' | ')} |`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');

const total = bytes.length - (sections.get('custom name') ?? 0);
const whole = gzipSync(Buffer.concat([bytes.subarray(0, total)]), { level: 9 }).length;
console.log(
  `The module: ${kilo(total)} kB, ${kilo(whole)} kB compressed by gzip; code ${kilo(rawSize(bodies))} kB in ${bodies.length} functions, ${kilo(all)} kB compressed; data ${kilo(sections.get('data') ?? 0)} kB.\n`,
);
const rows = [...groups].map(([name, list]) => row(name, list)).sort((a, b) => b.gz - a.gz);
console.log(
  table(
    ['namespace or cause', 'functions', 'kB', 'kB gz'],
    rows.map(({ name, count, raw, gz }) => [name, count, kilo(raw), kilo(gz)]),
  ),
);
const large = bodies.filter(({ size }) => size >= Number(least)).sort((a, b) => b.size - a.size);
console.log(
  `\n${table(
    ['function', 'kB', 'kB gz'],
    large.map((body) => {
      const { raw, gz } = row('', [body]);
      return [`\`${ownName(body.name).replace(/^tendril::/, '')}\``, kilo(raw), kilo(gz)];
    }),
  )}`,
);
