// The present value of every probe column as a table, for reading exactly, by people and by programs that read pages.
import type { Column } from '@tendril/engine';
import { readings } from '../text/readings';
import type { Series } from '../text/series';
import { h } from '../ui/dom';

const refreshEvery = 200;

export class Values {
  readonly element: HTMLElement;
  private readonly body = h('tbody');
  private cells: HTMLElement[] = [];
  private looks: Column[] = [];
  private series: Series | null = null;
  private timer = 0;

  constructor() {
    const head = h('tr', {}, h('th', { scope: 'col' }, 'Probe'), h('th', { scope: 'col' }, 'Value'));
    const table = h(
      'table',
      { class: 'values', id: 'values' },
      h('caption', {}, 'Probes now'),
      h('thead', {}, head),
      this.body,
    );
    this.element = h('div', { class: 'values-box' }, table);
  }

  /** By the names that formulas and tables use; what readers see instead in plots stands beside. */
  setScene(series: Series, looks: Column[]): void {
    this.series = series;
    this.looks = looks;
    this.cells = series.columns.map(() => h('td'));
    const rows = series.columns.map((column, i) => {
      const first = looks[i - 1]?.probe !== looks[i].probe;
      const words = first && looks[i].label && h('span', { class: 'value-label' }, looks[i].label);
      return h('tr', {}, h('th', { scope: 'row' }, column, words), this.cells[i]);
    });
    const none = h('tr', {}, h('td', { class: 'quiet' }, 'The scene has no probes.'));
    this.body.replaceChildren(...(rows.length > 0 ? rows : [none]));
    this.show();
  }

  changed(): void {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.show();
    }, refreshEvery);
  }

  private show(): void {
    const { series } = this;
    if (!series) return;
    const values = this.cells.map((_, i) => series.last(i));
    const texts = readings(this.looks, values);
    this.cells.forEach((cell, i) => {
      cell.textContent = texts[i];
      cell.dataset.column = series.columns[i];
      cell.dataset.value = String(values[i]);
    });
  }
}
