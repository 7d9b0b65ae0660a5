// The workflows cannot be run here, but what breaks them unseen can be looked for: actions that are not pinned to a commit, scripts and goals
// that are not there, jobs and artifacts that nobody makes.
import assert from 'node:assert/strict';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.github/workflows');
const goals = new Set(
  [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm)].map((match) => match[1]),
);
// What the runners have, or the step before installs.
const programs = new Set(['apt-get', 'brew', 'git', 'tar', 'gh', 'npm']);

/** What is wrong with a workflow. */
export function faults(text) {
  const found = [];
  const lines = text.split('\n');
  const made = new Set(
    [...text.matchAll(/upload-artifact@[^\n]*\n\s+with: \{ name: ([\w-]+)/g)].map((match) => match[1]),
  );
  const jobs = new Set(
    [...text.slice(text.indexOf('\njobs:')).matchAll(/^ {2}([a-z-]+):$/gm)].map((match) => match[1]),
  );
  for (const [number, line] of lines.entries()) {
    const say = (what) => found.push(`line ${number + 1}: ${what}: ${line.trim()}`);
    if (line.includes('\t')) say('a tab, which YAML does not allow');
    if (/\buses:/.test(line) && !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} {2}# v\d+\.\d+\.\d+$/.test(line))
      say('an action that is not pinned to a commit, with its version behind it');
    const needs = /^ {4}needs: (\w+)$/.exec(line);
    if (needs && !jobs.has(needs[1])) say('a job that is not there');
    const takes = /download-artifact@/.test(line) && /with: \{ name: ([\w-]+)/.exec(lines[number + 1] ?? '');
    if (takes && !made.has(takes[1])) say(`an artifact that no job makes (${takes[1]})`);
    const run = /- run: (.*)$/.exec(line);
    for (const command of run ? run[1].split(' && ') : []) {
      const [program, goal] = command.split(' ');
      if (program === 'make') {
        if (!goals.has(goal)) say('a goal that the Makefile does not have');
      } else if (program.includes('/')) {
        try {
          accessSync(join(root, program), constants.X_OK);
        } catch {
          say('a script that is not there, or may not be executed');
        }
      } else if (!programs.has(program)) say('a program that nobody installs');
    }
  }
  if (!/^permissions: \{ contents: read \}$/m.test(text))
    found.push('no permissions: a workflow starts from { contents: read }');
  return found;
}

for (const file of readdirSync(folder)) {
  test(`${file} names what there is`, () => assert.deepEqual(faults(readFileSync(join(folder, file), 'utf8')), []));
}

const job = (steps) => `permissions: { contents: read }\njobs:\n  a:\n    steps:\n${steps}\n`;
const pinned = `@${'0'.repeat(40)}  # v1.2.3`;
for (const [name, text, expected] of [
  ['a tag instead of a commit', job('      - uses: actions/checkout@v4'), /pinned/],
  ['a commit without its version', job(`      - uses: actions/checkout@${'0'.repeat(40)}`), /pinned/],
  ['a script that is gone', job('      - run: scripts/gone.sh'), /script/],
  ['a goal that is gone', job('      - run: make gone'), /goal/],
  ['a program that nobody installs', job('      - run: cowsay'), /program/],
  ['a job that is gone', job('').replace('    steps:', '    needs: b\n    steps:'), /job/],
  [
    'an artifact that nobody makes',
    job(`      - uses: actions/download-artifact${pinned}\n        with: { name: built }`),
    /artifact/,
  ],
  ['all permissions', job('').replace(/^permissions.*\n/, ''), /permissions/],
  ['a tab', job('\t- run: make test'), /tab/],
]) {
  test(`seen in a workflow: ${name}`, () => assert.match(faults(text).join('\n'), expected));
}
