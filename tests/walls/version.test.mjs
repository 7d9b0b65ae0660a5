// The version of the project against every file that states it, and against files that state another.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesUnder, root } from './files.mjs';
import { checkVersions } from './version.mjs';

const stated = /\.(?:md|mjs|ts|yml|sh|cff)$|CMakeLists\.txt$|package(?:-lock)?\.json$/;

test('every file states the version of CMakeLists.txt', () => {
  const files = filesUnder('').filter((file) => stated.test(file) && !file.startsWith('tests/walls/'));
  assert.ok(files.includes('CHANGELOG.md') && files.includes('web/package-lock.json'), 'the files were looked at');
  assert.deepEqual(checkVersions(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))), []);
});

const owner = ['CMakeLists.txt', 'project(tendril VERSION 1.2.3 LANGUAGES CXX)\n'];
const others = [
  ['CHANGELOG.md', '# Changes\n\n## 1.2.2\n\n## 1.2.3\n'],
  ['CITATION.cff', 'title: Tendril\nversion: 1.2\n'],
  ['web/package.json', '{\n  "name": "tendril-page",\n  "version": "0.1.0"\n}\n'],
  [
    'tests/browser/package-lock.json',
    '{\n  "version": "1.2.3",\n  "packages": {\n    "": {\n      "version": "1.2.4"\n',
  ],
  ['docs/module.md', 'npm install ./tendril-engine-1.2.4.tgz\n'],
  ['docs/cpp.md', 'find_package(tendril 1.1 REQUIRED)\n'],
  ['CHANGELOG.md', '# Changes\n'],
];
for (const [file, text] of others) {
  test(`another version is found: ${file}, ${JSON.stringify(text.slice(-24))}`, () => {
    const found = checkVersions(new Map([owner, [file, text]]));
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.ok(found[0].startsWith(`${file}: `));
  });
}

test('the same version passes, with or without its last number where a package is wanted', () => {
  assert.deepEqual(
    checkVersions(
      new Map([
        owner,
        ['CHANGELOG.md', '## 1.2.3 (unreleased)\n'],
        ['docs/cpp.md', 'find_package(tendril 1.2 REQUIRED)\nnpm install ./tendril-engine-1.2.3.tgz\n'],
      ]),
    ),
    [],
  );
});
