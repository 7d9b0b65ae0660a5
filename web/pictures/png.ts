// PNG files of pictures with alpha.
import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './raster';

export function png({ width, height, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  // Each row begins with its filter: differences to the pixel above.
  const row = 4 * width;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; ++y) {
    rows[y * (row + 1)] = 2;
    for (let i = 0; i < row; ++i)
      rows[y * (row + 1) + 1 + i] = pixels[y * row + i] - (y > 0 ? pixels[(y - 1) * row + i] : 0);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
