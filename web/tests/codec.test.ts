// Share links: what goes in comes out, and hostile links are refused with words and within the size limits.
import { describe, expect, it } from 'vitest';
import { BadLink, decode, encode, prefix } from '../src/share/codec';
import { largestScene, longestLink, looksShared } from '../src/share/limits';

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
}

const linkOf = async (text: string): Promise<string> =>
  prefix + base64url(await deflate(new TextEncoder().encode(text)));

describe('share link', () => {
  it('brings back the scene and the values, whatever the characters', async () => {
    const shared = { scene: '{"title": "Bögen, 弓, \u{1F9F6}"} // 100 %\n'.repeat(40), set: { E: 2.5e6, k_0: -1e-9 } };
    const link = await encode(shared);
    expect(link).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    expect(link.length).toBeLessThan(300);
    expect(await decode(link)).toEqual(shared);
    expect(await decode(`#${link}`)).toEqual(shared);
  });

  it('is told from other fragments', () => {
    expect(looksShared('#v1.abc')).toBe(true);
    expect(looksShared('#v27.abc')).toBe(true);
    expect(looksShared('#about')).toBe(false);
    expect(looksShared('')).toBe(false);
  });

  it('of another version is refused', async () => {
    await expect(decode('v2.AAAA')).rejects.toThrow(/another version/);
  });

  it('with characters that no link has is refused', async () => {
    await expect(decode('v1.ab c')).rejects.toThrow(BadLink);
    await expect(decode('v1.ab%3C')).rejects.toThrow(/damaged/);
  });

  it('cut short is refused', async () => {
    const link = await encode({ scene: JSON.stringify(Array.from({ length: 300 }, (_, i) => i * 7919)), set: {} });
    await expect(decode(link.slice(0, link.length - 20))).rejects.toThrow(/damaged/);
  });

  it('of random bytes is refused', async () => {
    for (let seed = 1; seed < 60; ++seed) {
      const bytes = Uint8Array.from(
        { length: 50 + seed },
        (_, i) => (Math.imul(seed * 2654435761, i + 17) >>> 13) & 255,
      );
      await expect(decode(prefix + base64url(bytes))).rejects.toThrow(BadLink);
    }
  });

  it('that inflates beyond the limit is refused before it is read whole', async () => {
    const before = performance.now();
    const small = prefix + base64url(await deflate(new Uint8Array(4 * largestScene)));
    expect(small.length).toBeLessThan(longestLink);
    await expect(decode(small)).rejects.toThrow(/more than 4 MB/);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('that is too long is refused unread', async () => {
    await expect(decode(prefix + 'A'.repeat(longestLink))).rejects.toThrow(/longer than/);
  });

  it('without a scene is refused, and values that are no numbers are left out', async () => {
    await expect(decode(await linkOf('[1, 2]'))).rejects.toThrow(/no scene/);
    await expect(decode(await linkOf('null'))).rejects.toThrow(/no scene/);
    await expect(decode(await linkOf('"v"'))).rejects.toThrow(/no scene/);
    await expect(decode(await linkOf('{"scene": 3}'))).rejects.toThrow(/no scene/);
    await expect(decode(await linkOf('not json'))).rejects.toThrow(/not a scene/);
    const odd = '{"scene": "{}", "set": {"a": 1, "b": "2", "c d": 3, "e": 1e999, "__proto__": {"x": 1}}}';
    expect(await decode(await linkOf(odd))).toEqual({ scene: '{}', set: { a: 1 } });
  });
});
