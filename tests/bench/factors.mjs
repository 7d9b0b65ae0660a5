// The engine's sparse factorization beside those of Eigen (SimplicialLDLT) and CHOLMOD (natively alone, where it was found), for the matrices
// of square hinge sheets, as a Markdown table in c. Usage: node tests/bench/factors.mjs [VERTICES A SIDE ...]
import { spawnSync } from 'node:child_process';
import { calibration, digits, root } from './measure.mjs';

const sides = process.argv.length > 2 ? process.argv.slice(2) : ['32', '71', '142'];
const targets = [
  ['native', [`${root}build/native/tests/tendril_factors`]],
  ['WASM', [process.execPath, `${root}cmake/node-runner.cjs`, `${root}build/wasm/tests/tendril_factors.js`]],
];
const c = calibration();
console.log(
  "| solver | vertices | factor, c | solve, c | factor / Tendril's | solve / Tendril's |\n| --- | --- | --- | --- | --- | --- |",
);
for (const [target, [program, ...options]] of targets) {
  const { stdout, status, error } = spawnSync(program, [...options, ...sides], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0)
    throw error ?? new Error(`${program} ${options.join(' ')}: exit code ${status}; make bench builds it`);
  let own;
  for (const row of JSON.parse(stdout)) {
    if (row.solver === 'Tendril') own = row;
    const ratio = (key) => (row === own ? '' : digits(row[key] / own[key]));
    console.log(
      `| ${row.solver}, ${target} | ${row.vertices} | ${digits(row.factor / c)} | ${digits(row.solve / c)} | ${ratio('factor')} | ${ratio('solve')} |`,
    );
  }
}
