// Makes the gallery's pictures when the page is built, and offers them to the development server. No browser is needed.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, runnerImport } from 'vite';
import type { GalleryPicture, Sources } from './gallery';

interface Maker {
  makePictures(sources: Sources, say: (words: string) => void): Promise<GalleryPicture[]>;
}

/** `engine`: the folder of the engine's package; without one there are no pictures. */
export function galleryPictures(root: string, engine: string | null): Plugin {
  const filesOf = (folder: string): string[] =>
    readdirSync(resolve(root, folder)).map((name) => join(root, folder, name));
  const code = [...filesOf('pictures'), ...filesOf('src/view')].sort();
  const make = async (say: (words: string) => void): Promise<GalleryPicture[]> => {
    if (!engine) return [];
    const { module } = await runnerImport<Maker>(resolve(root, 'pictures/gallery.ts'), {
      configFile: false,
      root,
      logLevel: 'error',
    });
    // Loaded here: what the module runner has imported cannot import more.
    const load = async () => (await import(pathToFileURL(join(engine, 'node.mjs')).href)).loadEngine();
    const wasm = join(engine, 'tendril.wasm');
    return module.makePictures(
      { scenes: resolve(root, '../scenes'), cache: resolve(root, '../build/pictures'), wasm, load, code },
      say,
    );
  };
  return {
    name: 'gallery-pictures',
    async generateBundle() {
      const pictures = await make((words) => this.environment.logger.info(words));
      for (const { name, file } of pictures)
        this.emitFile({ type: 'asset', fileName: name, source: readFileSync(file) });
    },
    configureServer(server) {
      let made: Promise<GalleryPicture[]> | null = null;
      server.middlewares.use((request, response, next) => {
        const name = request.url?.replace(/^\//, '').replace(/\?.*$/, '') ?? '';
        if (!name.startsWith('pictures/') || !name.endsWith('.png')) return next();
        made ??= make((words) => server.config.logger.info(words));
        made.then((all) => {
          const found = all.find((picture) => picture.name === name);
          if (!found) return next();
          response.setHeader('Content-Type', 'image/png');
          response.end(readFileSync(found.file));
        }, next);
      });
    },
  };
}
