// A scene and its parameter values as text that fits in a link's fragment, and back:
// "v1." + base64url(deflate-raw(JSON)). Reading stops at fixed sizes, whatever a link claims to hold.

import { largestScene, longestLink, type Shared } from './limits';

export const prefix = 'v1.';

/** A link that cannot be read; the message says why. */
export class BadLink extends Error {}

export async function encode(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (!compresses()) return prefix + toBase64url(stored(bytes));
  const squeezed = await collect(through(bytes, new CompressionStream('deflate-raw')), Infinity);
  return prefix + toBase64url(squeezed);
}

/** Browsers before 2023 cannot compress: their links are longer, and read everywhere. */
export const compresses = (): boolean => typeof CompressionStream !== 'undefined';

/** Deflate's own form for what is not compressed: blocks, each with its length and that again, inverted. */
function stored(bytes: Uint8Array): Uint8Array {
  const most = 0xffff;
  const count = Math.max(1, Math.ceil(bytes.length / most));
  const out = new Uint8Array(bytes.length + 5 * count);
  for (let block = 0, at = 0; block < count; ++block) {
    const part = bytes.subarray(block * most, (block + 1) * most);
    const { length } = part;
    out.set([Number(block === count - 1), length & 255, length >> 8, ~length & 255, (~length >> 8) & 255], at);
    out.set(part, at + 5);
    at += 5 + length;
  }
  return out;
}

/** The other way round; null: it is compressed. */
function unstored(bytes: Uint8Array): Uint8Array | null {
  const parts: number[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const [head, low, high] = bytes.subarray(at, at + 3);
    if (head > 1) return null;
    const end = at + 5 + low + 256 * high;
    for (let i = at + 5; i < end; ++i) parts.push(bytes[i]);
    if (head === 1) return Uint8Array.from(parts);
    at = end;
  }
  return null;
}

export async function decode(fragment: string): Promise<Shared> {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
  if (!text.startsWith(prefix)) throw new BadLink('This link was made by another version of Tendril.');
  if (text.length > longestLink) throw new BadLink(`This link is longer than ${longestLink} characters.`);
  const squeezed = fromBase64url(text.slice(prefix.length));
  let bytes: Uint8Array;
  if (typeof DecompressionStream === 'undefined') {
    const plain = unstored(squeezed);
    if (!plain) throw new BadLink('This browser is too old to unpack links: it needs an update to open this one.');
    return check(plain);
  }
  try {
    bytes = await collect(through(squeezed, new DecompressionStream('deflate-raw')), largestScene);
  } catch (error) {
    if (error instanceof BadLink) throw error;
    throw new BadLink('This link is damaged: its end may be missing.');
  }
  return check(bytes);
}

function check(bytes: Uint8Array): Shared {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadLink('This link is damaged: what it holds is not a scene.');
  }
  const { scene, set } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof scene !== 'string') throw new BadLink('This link holds no scene.');
  const clean: Record<string, number> = {};
  if (typeof set === 'object' && set !== null) {
    for (const [name, number] of Object.entries(set)) {
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof number === 'number' && Number.isFinite(number)) {
        clean[name] = number;
      }
    }
  }
  return { scene, set: clean };
}

function through(bytes: Uint8Array, stream: GenericTransformStream): ReadableStream<Uint8Array> {
  return new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** Reads to the end, or throws as soon as more than `most` bytes have come. */
async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new BadLink(`This link holds more than ${most / 1024 / 1024} MB.`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new BadLink('This link is damaged: it has characters that no link has.');
  try {
    const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(raw, (c) => c.charCodeAt(0));
  } catch {
    throw new BadLink('This link is damaged: its end may be missing.');
  }
}
