// What derivatives by parameters cost beside the run, natively, as one Markdown table: CPU time of the run with the
// derivatives over that of the run alone, both of the same call, best of three; the program's start and the loading of
// the scene are included. Usage: node tests/bench/gradients.mjs
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { digits, fastest, fileOf, root } from './measure.mjs';

const program = `${root}build/native/tendril`;
if (!existsSync(program)) {
  console.error(`${program} is missing: make native`);
  process.exit(1);
}

const rows = [
  { name: 'tentacle', until: 4, names: ['E', 'strength', 'damping', 'g'] },
  { name: 'helix-b2', until: 0.5, names: ['E', 'g'] },
  { name: 'cloth', until: 1, names: ['E', 'Cd', 'damping', 'g'] },
  { name: 'gripper', until: 1, names: ['E', 'T'] },
];

/** CPU seconds of a call of the program. */
function seconds(words) {
  return fastest(() => {
    const { stderr, status } = spawnSync(
      'bash',
      ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', '-', program, ...words],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`tendril ${words.join(' ')}: exit code ${status}`);
    const [user, system] = stderr.trim().split('\n').at(-1).split(/\s+/).map(Number);
    return { seconds: user + system };
  }).seconds;
}

console.log('| scene | run [s] | with 1 parameter | with all of them | how many |');
console.log('| --- | --: | --: | --: | --: |');
for (const { name, until, names } of rows) {
  const ends = ['--until', String(until)];
  const alone = seconds(['run', fileOf(name), ...ends]);
  const times = (list) => digits(seconds(['gradient', fileOf(name), '--with', list.join(','), ...ends]) / alone, 3);
  console.log(`| ${name} | ${digits(alone, 3)} | ${times(names.slice(0, 1))} | ${times(names)} | ${names.length} |`);
}
