// The rows of tendril_bench as a Markdown table in c, from one run of it. Usage: node tests/bench/native.mjs [OPTION ...]
import { spawnSync } from 'node:child_process';
import { digits, root } from './measure.mjs';

const benchmarks = `${root}build/native/tests/tendril_bench`;
const { stdout, status } = spawnSync(benchmarks, ['--benchmark_format=json', ...process.argv.slice(2)], {
  encoding: 'utf8',
  maxBuffer: 1e9,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) throw new Error(`${benchmarks}: exit code ${status}`);
const nanoseconds = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
const rows = JSON.parse(stdout).benchmarks.filter((b) => b.run_type === 'iteration');
// Rows of manual time measure a part of what they run, and give it as real time.
const cost = (row) => (row.name.endsWith('/manual_time') ? row.real_time : row.cpu_time) * nanoseconds[row.time_unit];
const unit = rows.find(({ name }) => name === 'calibration');
if (!unit) throw new Error('the row "calibration" is missing: leave it in --benchmark_filter');
console.log(`| native | c (one c: ${(cost(unit) / 1e3).toFixed(1)} us) |\n| --- | --- |`);
for (const row of rows) console.log(`| ${row.name} | ${digits(cost(row) / cost(unit))} |`);
