// Serves a built page from a sub-path with the strict content policy as a header too, as careful hosts do.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' https:",
  "worker-src 'self'",
].join('; ');

/** @returns {Promise<{url: string, close: () => void}>} `extra`: paths below the page's and their texts. */
export async function serve(folder, extra = {}) {
  const base = '/course/tendril/';
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length) || 'index.html') : '..';
    try {
      if (inside.startsWith('..')) throw new Error('outside');
      const body = Object.hasOwn(extra, inside) ? extra[inside] : await readFile(join(folder, inside));
      const type = types[extname(inside)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}${base}`, close: () => server.close() };
}
