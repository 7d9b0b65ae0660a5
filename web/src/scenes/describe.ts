// What the gallery says of a scene, read from its text when the page is built: the engine is not asked, because pages are built
// for engines that do not run in Node, and tested without any.
import { firstSentence } from '../text/firstSentence';
import { parseJsonc } from './jsonc';

export interface Entry {
  /** The file's name without its ending. */
  id: string;
  title: string;
  sentence: string;
  tags: string[];
}

export function describe(id: string, text: string): Entry {
  const scene = parseJsonc(text);
  const root = isObject(scene) ? scene : {};
  const title = typeof root.title === 'string' ? root.title : id;
  const sentence = typeof root.description === 'string' ? firstSentence(root.description) : '';
  return { id, title, sentence, tags: tagsOf(root) };
}

function tagsOf(scene: Record<string, unknown>): string[] {
  const size = (key: string): number => {
    const value = scene[key];
    return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
  };
  const solver = isObject(scene.solver) ? scene.solver : {};
  const tags: string[] = [];
  if (size('rods') > 0) tags.push('rod');
  if (size('joints') > 0) tags.push('network');
  if (size('shells') > 0) tags.push('shell');
  if (size('linkages') > 0) tags.push('linkage');
  if (someCables(scene)) tags.push('tendons');
  if (size('vines') > 0) tags.push('vine');
  if (size('obstacles') > 0 || size('contact') > 0) tags.push('contact');
  if (size('actuation') > 0) tags.push('actuated');
  if (hasFeedback(scene)) tags.push('feedback');
  tags.push(solver.mode === 'static' ? 'static' : 'dynamic');
  if (size('checks') > 0) tags.push('checked');
  return tags;
}

function someCables({ linkages }: Record<string, unknown>): boolean {
  return isObject(linkages) && Object.values(linkages).some((one) => isObject(one) && isObject(one.cables));
}

/** Some state follows a probe and drives what moves. States that only add up what happened are not feedback. */
function hasFeedback({ states, probes, checks: _, description: __, ...rest }: Record<string, unknown>): boolean {
  if (!isObject(states) || !isObject(probes)) return false;
  const model = JSON.stringify(rest);
  const says = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const measured = Object.keys(probes).filter((name) => /^\w+$/.test(name));
  return Object.entries(states).some(
    ([name, state]) =>
      /^\w+$/.test(name) && says(model, name) && measured.some((probe) => says(JSON.stringify(state), probe)),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
