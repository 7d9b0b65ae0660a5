// What a person has before them, as it is kept: the scene, its values, what is being written and from where it is seen. The
// browser keeps it with each entry of its history, so a reload, Back and Forward bring it back; what took thought to write
// is kept beside for the day after.
import { hasScene, knownText } from '../scenes/texts';
import { remember, remembered } from '../ui/remembered';
import type { Link } from './address';

export interface Pose {
  position: [number, number, number];
  target: [number, number, number];
}

export interface Work {
  title: string;
  /** A scene of the gallery, or else its text. */
  scene?: string;
  text?: string;
  /** What in an address names that text. */
  link?: Link;
  set: Record<string, number>;
  /** What the editor has, where that is not the scene on screen. */
  draft?: string;
  /** What was being written when a text that was refused, the draft, came into the editor; "": nothing was. */
  behind?: string | undefined;
  /** The editor is open. */
  writing?: boolean;
  /** Where a person has moved the camera. */
  camera?: Pose;
}

/** What is longer as JSON is not kept in the browser [characters]. */
const longest = 1_000_000;
const week = 7 * 24 * 3600 * 1000;
const place = 'work';

/** The text of a scene that was on screen. */
export function textOf(work: Work): string | undefined {
  return work.text ?? (work.scene === undefined ? undefined : knownText(work.scene));
}

/** Something that is nowhere else: a text of one's own. */
export function isOwn(work: Work): boolean {
  return work.draft !== undefined || (work.text !== undefined && work.link === undefined);
}

/** With what a person wrote, where a text that was refused is in its place. */
export function written({ behind, draft, ...work }: Work): Work {
  const own = behind === '' ? undefined : (behind ?? draft);
  return own === undefined ? work : { ...work, draft: own };
}

/** A work that came back from the browser, if it is one. */
export function asWork(value: unknown): Work | null {
  if (typeof value !== 'object' || value === null) return null;
  const work = value as Work;
  const isText = (one: unknown): boolean => one === undefined || typeof one === 'string';
  if (typeof work.set !== 'object' || work.set === null || ![work.scene, work.text, work.draft].every(isText))
    return null;
  if (work.camera && ![work.camera.position, work.camera.target].every(isPlace)) return null;
  // The gallery may no longer have it.
  return work.text === undefined && !hasScene(work.scene ?? '') ? null : work;
}

function isPlace(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

export function isShort(work: Work): boolean {
  return JSON.stringify(work).length <= longest;
}

interface Kept {
  /** Of the entry of a browser's history that keeps it: each tab keeps its own. */
  id: string;
  now: number;
  work: Work;
}

/** So many texts of one's own are kept for later visits, the newest first. */
const most = 3;
function kept(now: number): Kept[] {
  try {
    const all = JSON.parse(remembered(place) ?? '[]') as Kept[];
    return all.filter((one) => now - one.now < week && asWork(one.work));
  } catch {
    return [];
  }
}

/** Keeps a text of one's own for a later visit, in the place of what the entry `id` kept before. */
export function keepLast(seen: Work, now: number, id: string): void {
  const work = written(seen);
  if (!isOwn(work) || !isShort(work)) return;
  const others = kept(now).filter((one) => one.id !== id);
  remember(place, JSON.stringify([{ id, now, work }, ...others].slice(0, most)));
}

/** What was kept within a week, the newest first. */
export function lastWorks(now: number): Work[] {
  return kept(now).map(({ work }) => work);
}

/** The newest is given up. */
export function dropLast(now: number): void {
  remember(place, JSON.stringify(kept(now).slice(1)));
}
