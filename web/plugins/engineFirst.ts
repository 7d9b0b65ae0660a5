// The engine is the largest part of the page, so the document asks for it, before any script has come: the first part of its
// WebAssembly by a link whose answer the page takes over, its worker by start.js. The worker asks for the second part.
import type { Plugin } from 'vite';

export function engineFirst(): Plugin {
  return {
    name: 'engine-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const files = Object.keys(bundle ?? {});
        const worker = files.find((name) => /(^|\/)worker-[\w-]+\.js$/.test(name));
        const rest = files.find((name) => /(^|\/)tendril-rest-[\w-]+\.wasm$/.test(name));
        const wasm = files.find((name) => name.endsWith('.wasm') && name !== rest);
        if (!worker) throw new Error('The worker is not among the files of the page.');
        return [
          { tag: 'meta', attrs: { name: 'engine-worker', content: `./${worker}` }, injectTo: 'head-prepend' as const },
          // An engine without WebAssembly is a double, for tests.
          ...(wasm && rest
            ? [
                {
                  tag: 'meta',
                  attrs: { name: 'engine-rest', content: `./${rest}` },
                  injectTo: 'head-prepend' as const,
                },
                {
                  tag: 'link',
                  attrs: {
                    id: 'engine-wasm',
                    rel: 'preload',
                    as: 'fetch',
                    crossorigin: true,
                    href: `./${wasm}`,
                  },
                  injectTo: 'head-prepend' as const,
                },
              ]
            : []),
        ];
      },
    },
  };
}
