// What stands in the place of the view where the browser has no WebGL2.
import { h } from '../ui/dom';

export function noGraphics(): HTMLElement {
  const title = h('strong', {}, 'This browser shows no 3D graphics (WebGL2) here.');
  const words =
    'The simulation runs all the same: see its plots and values. Another browser, or hardware acceleration switched on in its settings, would show the picture.';
  return h('div', { class: 'no-graphics', role: 'status' }, title, h('p', {}, words));
}
