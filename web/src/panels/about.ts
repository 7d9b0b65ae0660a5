// All that is said about the scene: its description, and how large it is.
import type { SceneInfo } from '@tendril/engine';
import { markdown } from '../text/markdown';
import { count, quantity } from '../text/units';
import { h } from '../ui/dom';

export class About {
  readonly element = h('div', { class: 'about' });

  setScene(info: SceneInfo): void {
    const unknowns = `${count(info.degreesOfFreedom)} degrees of freedom`;
    const step = info.static ? 'static' : `steps of ${quantity(info.dt, 's')}`;
    this.element.replaceChildren(markdown(info.description), h('p', { class: 'quiet' }, `${unknowns}, ${step}`));
  }
}
