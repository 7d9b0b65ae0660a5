// What the closing line counts, from the words of each runner: a skipped test is never one that passed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const stages = fileURLToPath(new URL('../../scripts/stages.sh', import.meta.url));

/** The lines that end a run of one stage whose runner says `log` and ends with `status`, and the exit code. */
function run(runner, log, status = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  try {
    writeFileSync(join(folder, 'log'), log);
    const script = `set -euo pipefail; . '${stages}'; say() { cat log; return ${status}; }; tests stage ${runner} say; finish`;
    const { stdout, status: code } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    const lines = stdout.trimEnd().split('\n');
    return { last: lines.at(-1), code, text: stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ctest = `      Start  1: A.Works
1/3 Test  #1: A.Works ..........................   Passed    0.01 sec
2/3 Test  #2: A.NeedsAFile .....................***Skipped   0.01 sec
3/3 Test  #3: A.Breaks .........................***Failed    0.01 sec
67% tests passed, 1 tests failed out of 3
The following tests did not run:
	  2 - A.NeedsAFile (Skipped)
`;
const shards = `1: [==========] 7 tests from 2 test suites ran. (5 ms total)
1: [  PASSED  ] 5 tests.
1: [  SKIPPED ] 2 tests, listed below:
1: [  SKIPPED ] 2 tests.
1/2 Test #1: shard.0 .............   Passed    0.51 sec
2: [  FAILED  ] A.Breaks (0 ms)
2: [  FAILED  ] A.BreaksToo (0 ms)
2: [  PASSED  ] 3 tests.
2/2 Test #2: shard.1 .............***Failed    0.51 sec
`;
const cases = [
  ['ctest', ctest, 8, '1 passed, 1 failed, 1 skipped'],
  ['ctest', '1/1 Test #1: A.Works ...   Passed    0.01 sec\n', 0, '1 passed, 0 failed, 0 skipped'],
  ['ctest', '1/1 Test #1: A.Crashes ...***Exception: SegFault  0.01 sec\n', 8, '0 passed, 1 failed, 0 skipped'],
  ['ctest', '1/1 Test #1: A.IsNotBuilt ...***Not Run   0.00 sec\n', 8, '0 passed, 1 failed, 0 skipped'],
  ['ctest', shards, 8, '8 passed, 2 failed, 2 skipped'],
  ['gtest', '[  PASSED  ] 4 tests.\n[  SKIPPED ] 1 test.\n', 0, '4 passed, 0 failed, 1 skipped'],
  ['node', '# tests 5\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n', 1, '2 passed, 2 failed, 1 skipped'],
  ['vitest', '      Tests  1 failed | 10 passed | 2 skipped (13)\n', 1, '10 passed, 1 failed, 2 skipped'],
  ['node', '', 0, '0 passed, 1 failed, 0 skipped'], // nothing ran
  ['node', '# pass 3\n# fail 0\n', 1, '3 passed, 1 failed, 0 skipped'], // ended badly after all tests
];
for (const [runner, log, status, expected] of cases) {
  test(`${runner}, "${log.slice(0, 40).replaceAll('\n', ' ')}": ${expected}`, () => {
    const { last, code, text } = run(runner, log, status);
    assert.equal(last, expected, text);
    assert.equal(code, / 0 failed/.test(expected) ? 0 : 1);
  });
}

test('skipped tests are named', () => assert.match(run('ctest', ctest, 8).text, /skipped:\n {2}A\.NeedsAFile\n/));
