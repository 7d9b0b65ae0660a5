// Reads the PNG files that the browser's screenshots are (8 bits, RGB or RGBA, not interlaced), and tells how varied
// a part of one is.
import { inflateSync } from 'node:zlib';

/** @returns {{width: number, height: number, pixel: (x: number, y: number) => number[]}} */
export function decodePng(bytes) {
  const view = Buffer.from(bytes);
  let at = 8;
  let width = 0;
  let height = 0;
  let channels = 0;
  const data = [];
  while (at < view.length) {
    const length = view.readUInt32BE(at);
    const type = view.toString('latin1', at + 4, at + 8);
    const body = view.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      if (body[8] !== 8 || body[12] !== 0 || (body[9] !== 2 && body[9] !== 6))
        throw new Error('unexpected kind of PNG');
      channels = body[9] === 6 ? 4 : 3;
    }
    if (type === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixel = (x, y) => [...rows.subarray((y * width + x) * channels, (y * width + x) * channels + 3)];
  return { width, height, pixel };
}

function unfilter(raw, stride, height, step) {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let i = 0; i < stride; ++i) {
      const left = i >= step ? out[y * stride + i - step] : 0;
      const up = y > 0 ? out[(y - 1) * stride + i] : 0;
      const corner = i >= step && y > 0 ? out[(y - 1) * stride + i - step] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * stride + i] = raw[y * (stride + 1) + 1 + i] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const p = left + up - corner;
  const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** How many different colors (in steps of 8), and how many strongly colored pixels, a screenshot has. */
export function variety(bytes) {
  const { width, height, pixel } = decodePng(bytes);
  const colors = new Set();
  let vivid = 0;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const [r, g, b] = pixel(x, y);
      colors.add(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3));
      if (Math.max(r, g, b) - Math.min(r, g, b) > 60) vivid += 1;
    }
  }
  return { colors: colors.size, vivid };
}

/** Pixels that differ clearly between two screenshots of one size. */
export function difference(one, other) {
  const a = decodePng(one);
  const b = decodePng(other);
  let changed = 0;
  for (let y = 0; y < Math.min(a.height, b.height); y += 2) {
    for (let x = 0; x < Math.min(a.width, b.width); x += 2) {
      const p = a.pixel(x, y);
      const q = b.pixel(x, y);
      if (Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]) + Math.abs(p[2] - q[2]) > 40) changed += 1;
    }
  }
  return changed;
}
