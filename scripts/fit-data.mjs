// Makes the measurements of fits/ from scenes with known parameters: runs one, takes some of its probes at even times and
// adds normal errors; --series gives a series of the scene other values, evenly over its times. The same seed gives the same file.
//   node scripts/fit-data.mjs SCENE --columns tip.x,tip.y --every DT [--until T] [--set k=v ...] [--series NAME=v,v,... ...] --sigma S --seed N > data.csv
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [scene, ...words] = process.argv.slice(2);
const options = { set: [], series: [] };
for (let i = 0; i < words.length; i += 2) {
  const name = words[i].slice(2);
  if (name === 'set' || name === 'series') options[name].push(words[i + 1]);
  else options[name] = words[i + 1];
}
for (const name of ['columns', 'every', 'sigma', 'seed']) {
  if (options[name] === undefined) throw new Error(`--${name} is missing`);
}

/** Splitmix64, as the engine's own generator for starts. */
function* uniforms(seed) {
  const mask = (1n << 64n) - 1n;
  for (let state = BigInt(seed); ; ) {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    yield Number((z ^ (z >> 31n)) >> 11n) * 2 ** -53;
  }
}
const source = uniforms(options.seed);
const normal = () => Math.sqrt(-2 * Math.log(1 - source.next().value)) * Math.cos(2 * Math.PI * source.next().value);

const folder = mkdtempSync(join(tmpdir(), 'fit-data-'));
try {
  const program = process.env.TENDRIL ?? 'build/native/tendril';
  const until = options.until ? ['--until', options.until] : [];
  let run = scene;
  if (options.series.length > 0) {
    const changed = JSON.parse(readFileSync(scene, 'utf8'));
    for (const word of options.series) {
      const [name, list] = word.split('=');
      const value = list.split(',').map(Number);
      const [from, to] = [changed.series[name].time[0], changed.series[name].time.at(-1)];
      const time = value.map((_, k) => Number((from + ((to - from) * k) / (value.length - 1)).toPrecision(12)));
      changed.series[name] = { time, value };
    }
    run = join(folder, 'scene.json');
    writeFileSync(run, JSON.stringify(changed));
  }
  const sets = options.set.flatMap((word) => ['--set', word]);
  execFileSync(program, ['run', run, ...sets, ...until, '--out', folder, '--rows', options.every], {
    stdio: 'ignore',
  });
  const [header, ...rows] = readFileSync(join(folder, 'probes.csv'), 'utf8').trim().split('\n');
  const names = header.split(',');
  const columns = options.columns.split(',').map((name) => names.indexOf(name));
  if (columns.includes(-1)) throw new Error(`the scene has ${header}`);
  const call = `node scripts/fit-data.mjs ${process.argv.slice(2).join(' ')}`;
  const lines = rows.map((row) => {
    const cells = row.split(',').map(Number);
    const noisy = columns.map((column) => (cells[column] + Number(options.sigma) * normal()).toFixed(6));
    return [Number(cells[0].toPrecision(12)), ...noisy].join(',');
  });
  process.stdout.write(`# ${call}\nt,${options.columns}\n${lines.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
