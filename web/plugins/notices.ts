// Says in notices.txt which libraries the built page holds, with the licenses that came with them; those of the engine's module are
// in a file of its package. Nothing is listed by hand: what is in the bundle is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Library {
  name: string;
  version: string;
  license: string;
  text: string;
}

/** `engine`: the folder of the engine's package, or null where it has none. */
export function notices(engine: string | null): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    generateBundle(_, bundle) {
      const used = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      // Style sheets are no modules of the bundle by then, but no library has them alone.
      const folders = new Set(used.map(packageOf).filter((folder) => folder !== null));
      const libraries = [...folders].map(libraryIn).sort((a, b) => a.name.localeCompare(b.name));
      const bare = libraries.find(({ text }) => text === '');
      if (bare) this.error(`${bare.name} has no license file for notices.txt.`);
      const own = engine && join(engine, 'NOTICES');
      const module = own && existsSync(own) ? readFileSync(own, 'utf8') : '';
      this.emitFile({ type: 'asset', fileName: 'notices.txt', source: noticesText(libraries, module) });
    },
  };
}

/** The folder of the package that a module is of; null: it is the page's own. */
export function packageOf(id: string): string | null {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ''))?.[1] ?? null;
}

export function libraryIn(folder: string): Library {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one));
  return { name, version, license, text: file ? readFileSync(join(folder, file), 'utf8').trim() : '' };
}

export function noticesText(libraries: Library[], module: string): string {
  const rule = '-'.repeat(72);
  const parts = libraries.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`);
  const head = `This page holds these libraries:\n\n${libraries.map(({ name, version }) => `- ${name} ${version}`).join('\n')}`;
  return `${[head, ...parts, ...(module ? [module.trim()] : [])].join(`\n\n${rule}\n\n`)}\n`;
}
