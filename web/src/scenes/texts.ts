// The texts of the gallery's scenes: each is fetched when it is wanted, and then stays.
import { names, version } from 'virtual:scene-names';
import { Chunk } from '../ui/chunk';

const known = new Map<string, string>();
const chunks = new Map(names.map((id) => [id, new Chunk(() => fetchText(id))]));

export const sceneNames: readonly string[] = names;

export const hasScene = (id: string): boolean => chunks.has(id);

/** Fails where it cannot be fetched, and asks again the next time. */
export function sceneText(id: string): Promise<string> {
  const chunk = chunks.get(id);
  return chunk ? chunk.get() : Promise.reject(new Error(`There is no scene "${id}".`));
}

/** Of a scene whose text has come. */
export const knownText = (id: string): string | undefined => known.get(id);

/** The scene of the gallery that has this text, among those whose texts have come. */
export function sceneOf(text: string): string | undefined {
  for (const [id, one] of known) if (one === text) return id;
  return undefined;
}

/** Ahead of need, one after the other: whatever a person does meanwhile has the line. */
export async function prepareTexts(): Promise<void> {
  try {
    for (const id of names) await sceneText(id);
  } catch {
    // Told when it is needed.
  }
}

async function fetchText(id: string): Promise<string> {
  const response = await fetch(`./scenes/${id}.json?v=${version}`).catch(() => null);
  if (!response) throw new Error('Is there a connection?');
  if (!response.ok) throw new Error(`The server answered ${response.status}: a reload of the page may help.`);
  const text = await response.text();
  known.set(id, text);
  return text;
}
