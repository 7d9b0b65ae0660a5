// All pictures of the gallery, and of the opening scene before it is there. Kept from build to build as long as scene, engine and
// this code stay what they are.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Engine } from '@tendril/engine';
import { firstScene } from '../src/scenes/course';
import { draw, isSameInAllThemes, look, type Theme } from './picture';
import { png } from './png';
import type { Preview } from './preview';
import type { Size } from './raster';

const card: Size = { width: 540, height: 330 };
const poster: Size = { width: 900, height: 550 };
/** Wall time that one scene may run [s]; 72 scenes are drawn in less than half a minute. */
const budget = 0.15;
const themes: Theme[] = ['light', 'dark'];

export interface Sources {
  /** Folder of the scene files. */
  scenes: string;
  /** Folder for what is kept. */
  cache: string;
  /** The engine's WebAssembly, and how it is loaded. */
  wasm: string;
  load(): Promise<Engine>;
  /** Files that the pictures' look depends on. */
  code: string[];
}

export interface GalleryPicture {
  /** As the page asks for it, "pictures/cantilever-dark.png". */
  name: string;
  file: string;
}

/** Makes what is missing; `say` hears of the progress. Scenes that cannot run have no picture. */
export async function makePictures(
  { scenes, cache, wasm, load, code }: Sources,
  say: (words: string) => void,
): Promise<GalleryPicture[]> {
  mkdirSync(cache, { recursive: true });
  const known = createHash('sha256').update(readFileSync(wasm));
  for (const file of code) known.update(readFileSync(file));
  const base = known.digest('hex');
  const files = readdirSync(scenes).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));
  const found: GalleryPicture[] = [];
  let loaded: Engine | null = null;
  let told = Date.now();
  for (const [i, name] of files.entries()) {
    const id = basename(name, '.json');
    const text = readFileSync(join(scenes, name), 'utf8');
    const key = createHash('sha256').update(base).update(text).digest('hex').slice(0, 16);
    const names = wanted(id).map((picture) => ({ ...picture, file: join(cache, `${key}-${picture.name}`) }));
    if (!names.every(({ file }) => existsSync(file)) && !existsSync(join(cache, `${key}-none`))) {
      loaded ??= await load();
      const seen = look(loaded, text, budget);
      if (!seen) writeFileSync(join(cache, `${key}-none`), '');
      else drawAll(seen, names);
    }
    found.push(
      ...names.filter(({ file }) => existsSync(file)).map(({ name, file }) => ({ name: `pictures/${name}`, file })),
    );
    if (Date.now() - told > 1500) say(`pictures of scenes: ${i + 1} of ${files.length}`);
    if (Date.now() - told > 1500) told = Date.now();
  }
  return found;
}

function drawAll(seen: Preview, names: Wanted[]): void {
  const done = new Map<Size, Buffer>();
  for (const { file, theme, size } of names) {
    const bytes = (isSameInAllThemes(seen) && done.get(size)) || png(draw(seen, theme, size));
    done.set(size, bytes);
    writeFileSync(file, bytes);
  }
}

interface Wanted {
  name: string;
  file: string;
  theme: Theme;
  size: Size;
}

function wanted(id: string): Omit<Wanted, 'file'>[] {
  const cards = themes.map((theme) => ({ name: `${id}-${theme}.png`, theme, size: card }));
  if (id !== firstScene) return cards;
  return [...cards, ...themes.map((theme) => ({ name: `poster-${theme}.png`, theme, size: poster }))];
}
