// What the built page says of the libraries in it.
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { libraryIn, noticesText, packageOf } from '../plugins/notices';

const modules = resolve(import.meta.dirname, '../node_modules');

it('a module of the bundle belongs to the nearest package', () => {
  expect(packageOf('/a/node_modules/three/src/Three.js')).toBe('/a/node_modules/three');
  expect(packageOf('\0/a/node_modules/@codemirror/view/dist/index.js')).toBe('/a/node_modules/@codemirror/view');
  expect(packageOf('/a/node_modules/b/node_modules/c/d.js')).toBe('/a/node_modules/b/node_modules/c');
  expect(packageOf('/a/src/app.ts')).toBeNull();
});

it.each(['three', 'uplot', 'marked', 'temml', 'jsonc-parser', '@codemirror/view', '@lezer/common'])(
  '%s is named with its license and version',
  (name) => {
    const library = libraryIn(resolve(modules, name));
    expect(library).toMatchObject({ name, license: 'MIT' });
    expect(library.version).toMatch(/^\d+\.\d+/);
    expect(library.text).toMatch(/Permission is hereby granted/);
  },
);

it('the notices of the module come last', () => {
  const library = { name: 'x', version: '1.0.0', license: 'MIT', text: 'Some license.' };
  expect(noticesText([library], 'Of the module\n')).toMatch(
    /- x 1\.0\.0\n[\s\S]*Some license\.\n[\s\S]*Of the module\n$/,
  );
});
