// How the page is built: relative addresses, so that it runs from any static folder, and a strict content policy.
// The engine's module comes from the WASM build; TENDRIL_ENGINE names another folder or file that offers the same.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { galleryPictures } from './pictures/plugin';
import { engineFirst } from './plugins/engineFirst';
import { leanThree } from './plugins/leanThree';
import { notices } from './plugins/notices';
import { plainFormulas } from './plugins/plainFormulas';
import { sceneTexts } from './plugins/scenes';

const root = import.meta.dirname;

const enginePath = resolve(root, process.env.TENDRIL_ENGINE ?? '../build/wasm/package');

function engineModule(): string {
  const path = enginePath;
  if (!existsSync(path)) {
    throw new Error(`The engine's module is missing at ${path}: build it first (make wasm), or set TENDRIL_ENGINE.`);
  }
  return statSync(path).isDirectory() ? resolve(path, 'engine.mjs') : path;
}

/** The folder whose module runs in Node too, for the pictures; null for another engine. */
function enginePackage(): string | null {
  return existsSync(resolve(enginePath, 'node.mjs')) ? enginePath : null;
}

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' https:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes the policy into the built page only: the development server injects styles that it forbids. */
function contentPolicy(): Plugin {
  return {
    name: 'content-policy',
    apply: 'build',
    // It stands before all that it speaks of.
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
      ],
    },
  };
}

export default defineConfig(({ mode }) => ({
  root,
  base: './',
  plugins: [
    sceneTexts(resolve(root, '../scenes')),
    plainFormulas(),
    ...(mode === 'test'
      ? []
      : [leanThree(), engineFirst(), galleryPictures(root, enginePackage()), notices(enginePackage())]),
    contentPolicy(),
  ],
  resolve: {
    alias: mode === 'test' ? {} : { '@tendril/engine': engineModule() },
  },
  server: { fs: { allow: [resolve(root, '..')] } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // Most of it is the 3D library. What the first script may weigh is tested: tests/browser/firstLoad.test.mjs.
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
  },
  // No test measures time: a busy machine may take long.
  test: { include: ['tests/**/*.test.ts'], testTimeout: 120_000 },
}));
