// The scene files as a server would give them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const sceneFile = (id: string): string =>
  readFileSync(resolve(import.meta.dirname, `../../scenes/${id}.json`), 'utf8');
