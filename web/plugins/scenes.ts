// What the page knows of the gallery's scenes before it fetches them: their names in its first script, their titles and
// sentences in a part that comes on demand. The texts lie beside the page as files, each fetched when it is wanted.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { firstScene } from '../src/scenes/course';
import { describe } from '../src/scenes/describe';

const namesModule = 'virtual:scene-names';
const indexModule = 'virtual:scene-index';

/** `folder`: of the scene files. */
export function sceneTexts(folder: string): Plugin {
  const files = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
      .sort();
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const idOf = (name: string): string => basename(name, '.json');

  /** A page that was kept by a browser goes on with the texts that it was built with. */
  const version = (): string => {
    const hash = createHash('sha256');
    for (const name of files()) hash.update(name).update(read(name));
    return hash.digest('hex').slice(0, 8);
  };

  const code: Record<string, () => string> = {
    [namesModule]: () =>
      `export const names = ${JSON.stringify(files().map(idOf).join(' '))}.split(' ');\nexport const version = '${version()}';`,
    [indexModule]: () =>
      `export const index = ${JSON.stringify(files().map((name) => describe(idOf(name), read(name))))};`,
  };

  return {
    name: 'scene-texts',
    resolveId: (id) => (Object.hasOwn(code, id) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith('\0') || !Object.hasOwn(code, id.slice(1))) return undefined;
      for (const name of files()) this.addWatchFile(join(folder, name));
      return code[id.slice(1)]();
    },
    generateBundle() {
      for (const name of files()) this.emitFile({ type: 'asset', fileName: `scenes/${name}`, source: read(name) });
    },
    /** For poster.js, which asks for the text of the scene that opens the page. */
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { name: 'first-scene', content: `./scenes/${firstScene}.json?v=${version()}` },
        injectTo: 'head-prepend',
      },
    ],
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, name] = /^\/scenes\/([\w-]+\.json)(?:\?|$)/.exec(request.url ?? '') ?? [];
        if (!name || !files().includes(name)) return next();
        response.setHeader('Content-Type', 'application/json');
        response.end(read(name));
      });
    },
  };
}
