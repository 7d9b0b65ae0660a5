// The picture and the text of the scene that is asked for, before anything else is there. Scenes that are not of the gallery have
// neither.
(() => {
  const poster = document.querySelector('#poster');
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const scene = new URLSearchParams(location.search).get('scene');
  if (!poster || location.protocol === 'file:' || location.hash.startsWith('#v') || (scene && !/^[\w-]+$/.test(scene)))
    return;
  poster.addEventListener('load', () => {
    poster.hidden = false;
  });
  poster.src = `./pictures/${scene ?? 'poster'}-${theme}.png`;
  // A plain address with a state is one's own text, which the browser keeps.
  const first = document.querySelector('meta[name="first-scene"]');
  if (!first || (!scene && history.state)) return;
  const text = document.createElement('link');
  Object.assign(text, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous' });
  text.href = scene ? first.content.replace(/[\w-]+(?=\.json)/, scene) : first.content;
  document.head.append(text);
})();
