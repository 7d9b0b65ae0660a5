// One plot, as large as the window has room for.
import type { Group, Series } from '../text/series';
import { h, iconButton } from '../ui/dom';
import { Plot } from './plot';
import type { RunLook } from './plotChart';
import type { PlotCursor } from './plotCursor';

export class PlotDialog {
  readonly element: HTMLDialogElement;
  plot: Plot | null = null;

  constructor() {
    this.element = h('dialog', { class: 'plot-large' });
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
    this.element.addEventListener('close', () => this.empty());
  }

  show(group: Group, stack: number[], run: RunLook, cursor: PlotCursor, series: Series): void {
    const { element } = this;
    this.empty();
    const plot = new Plot(group, stack, run, cursor, {
      height: () => plot.holder.clientHeight,
      font: 13,
      large: true,
      more: () => element.close(),
    });
    const close = iconButton('close', 'Close', () => element.close());
    plot.title.setAttribute('role', 'heading');
    plot.title.setAttribute('aria-level', '2');
    element.setAttribute('aria-label', group.title);
    element.replaceChildren(h('div', { class: 'dialog-head' }, plot.title, plot.note, plot.keys, close), plot.holder);
    element.showModal();
    this.plot = plot;
    plot.draw(series, true);
    plot.holder.focus();
  }

  private empty(): void {
    this.plot?.destroy();
    this.plot = null;
  }
}
