// The picture of the scene that is asked for, before anything else is there. Scenes that are not of the gallery have none.
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
})();
