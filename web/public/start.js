// A plain script, which runs where the page's own cannot: it says so where nothing else would. Until that comes, it starts the
// engine's worker.
(() => {
  const say = (title, text, retry) => {
    if (document.querySelector('main')) return;
    const show = () => {
      const box = document.querySelector('#start');
      if (!box) return;
      document.querySelector('#welcome')?.remove();
      box.querySelector('strong').textContent = title;
      box.querySelector('p').textContent = text;
      box.querySelector('button').hidden = !retry;
      box.hidden = false;
    };
    // A body that is being read may not have come to the box yet.
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
    else show();
  };
  document.addEventListener('DOMContentLoaded', () => {
    document.querySelector('#start button')?.addEventListener('click', () => location.reload());
  });
  if (location.protocol === 'file:') {
    say(
      'This page does not run from a file.',
      'Browsers do not let a file load the simulation. Serve the folder that this file is in, and open the address that the server prints: "npx vite preview" or "python3 -m http.server" in that folder will do. In the project, "make run" does it all.',
      false,
    );
  }
  // The engine's worker, which the page's own script takes over: asked for now, it is there when that has come.
  const engine = document.querySelector('meta[name="engine-worker"]');
  if (engine && location.protocol !== 'file:') {
    try {
      window.engineWorker = new Worker(engine.content, { type: 'module' });
      window.engineWorker.onerror = () => {
        window.engineWorker = null;
      };
    } catch {
      // Without it there is no engine: the page says so.
    }
  }
  // Scripts that do not arrive tell nobody but the window, on the way down.
  addEventListener(
    'error',
    ({ target }) => {
      const needed =
        target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
      if (location.protocol === 'file:' || !needed) return;
      say('Tendril could not be loaded.', 'A part of the page did not arrive. Is there a connection?', true);
    },
    true,
  );
})();
