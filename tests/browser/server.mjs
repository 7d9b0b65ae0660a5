// Serves a built page from a sub-path with the strict content policy as a header too, as careful hosts do.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

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

/** What static hosts compress. */
const texts = /^(text|application)\//;

/**
 * @returns {Promise<{url: string, close: () => void, sent: {path: string, bytes: number}[]}>}
 * `extra`: paths below the page's and their texts. `line`: { latency [ms], rate [bytes/s] } of a slow line, which all requests
 * share, those of workers too (the browser's own throttle leaves these out), and over which files go compressed.
 */
export async function serve(folder, extra = {}, line = null) {
  const sent = [];
  /** Files that were compressed before. */
  const ready = new Map();
  const throttle = line && shared(line.rate);
  const base = '/course/tendril/';
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length) || 'index.html') : '..';
    try {
      if (inside.startsWith('..')) throw new Error('outside');
      const body = Object.hasOwn(extra, inside) ? extra[inside] : await readFile(join(folder, inside));
      const type = types[extname(inside)] ?? 'application/octet-stream';
      const headers = { 'Content-Type': type, 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' };
      const squeezed = throttle && texts.test(type);
      if (squeezed && !ready.has(inside)) ready.set(inside, gzipSync(body));
      const whole = squeezed ? ready.get(inside) : body;
      sent.push({ path: inside, bytes: whole.length });
      if (throttle) await new Promise((done) => setTimeout(done, line.latency));
      response.writeHead(200, { ...headers, ...(squeezed ? { 'Content-Encoding': 'gzip' } : {}) });
      if (throttle) await pipeline(Readable.from(throttle(whole)), response);
      else response.end(whole);
    } catch {
      if (response.headersSent) return;
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}${base}`, close: () => server.close(), sent };
}

/** Gives bytes piece by piece; who asks at the same time waits in one queue. */
function shared(rate) {
  const piece = 4096;
  /** Timers that come late do not make the line slower [ms]. */
  const late = 200;
  let free = 0;
  return async function* (bytes) {
    for (let at = 0; at < bytes.length; at += piece) {
      const part = bytes.subarray(at, at + piece);
      free = Math.max(free, performance.now() - late) + (1000 * part.length) / rate;
      await new Promise((done) => setTimeout(done, free - performance.now()));
      yield part;
    }
  };
}
