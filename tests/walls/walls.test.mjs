// Runs the walls over the project, and over small violations of each kind, to know that the check can fail.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { filesUnder, root } from './files.mjs';
import { checkWalls, withoutComments } from './walls.mjs';

const table = JSON.parse(readFileSync(new URL('arrows.json', import.meta.url), 'utf8'));

/** What the walls say about a project that consists of these files. */
function verdict(contents) {
  const folder = mkdtempSync(join(tmpdir(), 'walls-'));
  try {
    for (const [file, text] of Object.entries(contents)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return checkWalls(folder, Object.keys(contents), table);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('nothing in the project crosses a wall', () => {
  const files = filesUnder('');
  assert.ok(
    files.some((file) => file.startsWith('engine/') && file.endsWith('.cpp')),
    'the engine was looked at',
  );
  assert.deepEqual(checkWalls(root, files, table), []);
});

test('the table has no cycle: what a folder may include never includes it back', () => {
  for (const [from, targets] of Object.entries(table.arrows)) {
    for (const to of targets) assert.ok(!table.arrows[to].includes(from), `${from} and ${to} include each other`);
  }
});

const header = '#pragma once\n';
test("another folder's names may be declared, on one line or several", () => {
  for (const text of [
    'namespace tendril::scene { struct Scene; }\n',
    'namespace tendril::scene {\nstruct Scene;\nclass Other;\n}\n',
  ])
    assert.deepEqual(verdict({ 'engine/solve/a.h': text }), []);
  const more = 'namespace tendril::scene {\nstruct Scene;\nint f();\n}\n';
  assert.equal(verdict({ 'engine/solve/a.h': more }).length, 1);
});

const violations = [
  [
    'two files of tests with one namespace',
    { 'tests/engine/a/x_test.cpp': 'namespace x_test {\n', 'tests/engine/b/x_test.cpp': 'namespace x_test {\n' },
    /shares the namespace x_test/,
  ],
  [
    'an arrow that points up',
    { 'engine/geometry/a.h': '#include "solve/b.h"\n', 'engine/solve/b.h': header },
    /geometry may not know solve/,
  ],
  [
    'an element that knows the scene',
    { 'engine/elastic/a.cpp': '#include "scene/b.h"\n', 'engine/scene/b.h': header },
    /elastic may not know scene/,
  ],
  [
    'the module reaching past the door',
    { 'wasm/a.cpp': '#include "rods_shells/b.h"\n', 'engine/rods_shells/b.h': header },
    /wasm may not know rods_shells/,
  ],
  [
    'an include that is not rooted at engine/',
    { 'engine/solve/a.cpp': '#include "b.h"\n', 'engine/solve/b.h': header },
    /rooted there/,
  ],
  [
    'a public header that drags in another',
    { 'include/tendril/a.h': '#include "scene/s.h"\n', 'engine/scene/s.h': header },
    /public, and that header is not installed/,
  ],
  [
    'a public header that needs a library',
    { 'include/tendril/a.h': '#include <Eigen/Core>\n' },
    /nothing beside the standard library/,
  ],
  [
    'a room that reaches up through a public header',
    { 'engine/scene/a.cpp': '#include "tendril/simulation.h"\n', 'include/tendril/simulation.h': header },
    /scene may not know simulation/,
  ],
  [
    'a public header without a room',
    { 'engine/scene/a.cpp': '#include "tendril/new.h"\n', 'include/tendril/new.h': header },
    /whose room arrows.json does not name/,
  ],
  [
    'a folder without arrows',
    { 'engine/extra/a.cpp': '#include "scene/b.h"\n', 'engine/scene/b.h': header },
    /does not know: extra/,
  ],
  ['ranges', { 'engine/solve/a.cpp': '#include <ranges>\n' }, /<ranges>/],
  ['format in the program', { 'engine/cli/a.cpp': '#include <format>\n' }, /<format>/],
  ['streams in the engine', { 'engine/scene/a.cpp': '#include <iostream>\n' }, /<iostream>/],
  ['a clock in the engine', { 'engine/rods_shells/a.cpp': '#include <chrono>\n' }, /<chrono>/],
  ['Emscripten in the engine', { 'engine/simulation/a.cpp': '#include <emscripten/val.h>\n' }, /only wasm/],
  ['JSON in a header', { 'engine/scene/a.h': '#include <nlohmann/json.hpp>\n' }, /read JSON/],
  ['CLI11 in another file', { 'engine/cli/a.cpp': '#include <CLI/CLI.hpp>\n' }, /arguments\.cpp alone/],
  ['a decomposition in a header', { 'engine/solve/a.h': '#include <Eigen/SparseCholesky>\n' }, /decompositions/],
  ['from_chars', { 'engine/cli/a.cpp': 'auto r = std::from_chars(a, b, x);\n' }, /from_chars/],
  ['printing from the engine', { 'engine/solve/a.cpp': 'void f() { std::printf("x"); }\n' }, /std::printf|printf/],
  [
    'a process made elsewhere',
    { 'engine/cli/a.cpp': 'int f() { return ::fork(); }\n' },
    /for engine\/cli\/process.cpp alone/,
  ],
  [
    "another folder's namespace",
    { 'engine/solve/a.h': 'namespace tendril {\n' },
    /opens namespace tendril; in this folder it is tendril::solve/,
  ],
  [
    'a home folder in any file',
    { 'docs/a.md': `see ${['', 'home', 'somebody', 'x'].join('/')}\n` },
    /folder of one machine/,
  ],
];
for (const [name, files, expected] of violations) {
  test(`a violation is found: ${name}`, () => {
    const found = verdict(files);
    assert.equal(found.length, 1, `one finding, not ${JSON.stringify(found)}`);
    assert.match(found[0], expected);
  });
}

test('what is allowed passes', () => {
  assert.deepEqual(
    verdict({
      'engine/geometry/types.h': '#pragma once\n#include <Eigen/Core>\n',
      'engine/scene/read.cpp':
        '#include <nlohmann/json.hpp>\n#include "geometry/types.h"\n// never from_chars here\nconst char* s = "from_chars";\n',
      'engine/solve/sparse.cpp': '#include <Eigen/SparseCholesky>\nint n = std::snprintf(b, 9, "x");\n',
      'engine/links/a.h':
        'namespace tendril::scene { struct Scene; }\nnamespace tendril::links {\n}  // namespace tendril::links\n',
      'engine/simulation/a.h': 'namespace tendril {\n',
      'engine/cli/main.cpp': '#include <iostream>\n#include <nlohmann/json.hpp>\n',
      'engine/cli/arguments.cpp': '#include <CLI/CLI.hpp>\n',
    }),
    [],
  );
});

test('comments and strings are blanked, lines and includes are kept', () => {
  assert.equal(
    withoutComments('#include "a/b.h" // x\n/* y\n*/ "from_chars" z'),
    '#include "a/b.h"     \n    \n                z',
  );
});
