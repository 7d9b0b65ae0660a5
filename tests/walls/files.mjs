// The files of the project, walked without git, which a machine that only tests need not have.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

// What git ignores.
const ignored = new Set(['.git', '.tools', '.cache', 'build', 'dist', 'node_modules']);

/** Paths from the root of all files under a folder, '' for the root. */
export function filesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (ignored.has(entry.name)) return [];
    if (entry.isDirectory()) return filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}
