// Files in and out: choosing, dropping, saving, and the clipboard.
import { h } from '../ui/dom';
import { largestScene } from './limits';

/** A file or address that cannot be read; the message says why. */
export class Unreadable extends Error {}

export function chooseFile(): Promise<File | null> {
  const input = h('input', { type: 'file', accept: '.json,.jsonc,.txt,.obj,application/json,text/plain,model/obj' });
  return new Promise((done) => {
    input.addEventListener('change', () => done(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => done(null));
    input.click();
  });
}

export async function readFile(file: File): Promise<string> {
  if (file.size > largestScene) throw new Unreadable(`"${file.name}" is larger than ${megabytes()}.`);
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Neither.
  }
  throw new Unreadable(`"${file.name}" is not a text file: scenes are .json files.`);
}

/** Calls `take` for a file dropped anywhere on the page, and others that came with it. */
export function onDrop(take: (file: File, others: File[]) => void): void {
  const holdsFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    document.documentElement.classList.add('dropping');
  });
  const end = (): void => document.documentElement.classList.remove('dropping');
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) end();
  });
  document.addEventListener('drop', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    end();
    const [file, ...others] = event.dataTransfer?.files ?? [];
    if (file) take(file, others);
  });
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** True if the text reached the clipboard. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A file name from a title. */
export function fileName(title: string, ending: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${plain.slice(0, 60) || 'scene'}${ending}`;
}

export function megabytes(): string {
  return `${largestScene / 1024 / 1024} MB`;
}
