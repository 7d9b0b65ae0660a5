// The panel beside the view: about the scene, its parameters, plots, values and checks.
// On a phone it is a sheet under the view with one tab for each.
import type { SceneInfo } from '@tendril/engine';
import { h } from '../ui/dom';
import type { Late } from '../ui/late';
import type { About } from './about';
import type { Checks } from './checks';
import type { Lede } from './lede';
import type { Modes } from './modes';
import type { Parameters } from './parameters';
import type { Plots } from './plots';
import type { Values } from './values';

interface Tab {
  id: string;
  button: HTMLButtonElement;
  section: HTMLElement;
}

export class Side {
  readonly element: HTMLElement;
  private readonly tabs: Tab[] = [];
  private readonly strip = h('div', { class: 'tabs', role: 'tablist', aria: { label: 'About the scene' } });

  constructor(
    private readonly lede: Lede,
    parameters: Parameters,
    private readonly plots: Late<Plots>,
    values: Values,
    modes: Late<Modes>,
    checks: Checks,
    private readonly about: Late<About>,
  ) {
    this.element = h('aside', { class: 'side', aria: { label: 'Parameters, plots and values' } }, this.strip);
    this.add('parameters', 'Parameters', parameters.element, checks.element);
    this.tabs[0].section.prepend(lede.element);
    this.add('plots', 'Plots', plots.element);
    this.add('values', 'Values', values.element, modes.element);
    this.add('about', 'About', about.element);
    about.element.classList.add('about');
    about.element.tabIndex = -1;
    this.choose(0);
    // Where there is hardly room for the view, the sheet is closed at first.
    const tiny = matchMedia('(max-width: 560px) and (max-height: 420px)');
    const close = (): void => {
      this.element.classList.toggle('closed', tiny.matches);
    };
    tiny.addEventListener('change', close);
    close();
    const phone = matchMedia('(max-width: 760px)');
    const adapt = (): void => this.setRoles(phone.matches);
    phone.addEventListener('change', adapt);
    adapt();
  }

  setScene(info: SceneInfo): void {
    this.lede.setScene(info);
    this.about.tell('scene', (about) => about.setScene(info));
  }

  /** Brings all that is said about the scene into sight. */
  showAbout(): void {
    this.element.classList.remove('closed');
    this.choose(this.tabs.length - 1);
    this.about.come();
    this.about.element.scrollIntoView({ block: 'nearest' });
    this.about.element.focus({ preventScroll: true });
  }

  private add(id: string, title: string, ...content: HTMLElement[]): void {
    const index = this.tabs.length;
    const button = h('button', { type: 'button', id: `tab-${id}` }, title);
    button.setAttribute('aria-controls', `panel-${id}`);
    button.addEventListener('click', () => this.press(index));
    button.addEventListener('keydown', (event) => {
      const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (move === 0) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (index + move + this.tabs.length) % this.tabs.length;
      this.choose(next);
      this.tabs[next].button.focus();
    });
    const section = h('section', { id: `panel-${id}`, class: 'panel' }, h('h2', {}, title), ...content);
    this.strip.append(button);
    this.element.append(section);
    this.tabs.push({ id, button, section });
  }

  /** Pressing the chosen tab again closes or opens the sheet. */
  private press(index: number): void {
    if (this.tabs[index].section.classList.contains('chosen')) this.element.classList.toggle('closed');
    else this.element.classList.remove('closed');
    this.choose(index);
    if (this.tabs[index].id === 'plots') this.plots.come();
    if (this.tabs[index].id === 'about') this.about.come();
  }

  private choose(index: number): void {
    this.tabs.forEach(({ button, section }, i) => {
      section.classList.toggle('chosen', i === index);
      button.setAttribute('aria-selected', String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    this.plots.now?.changed();
  }

  private setRoles(phone: boolean): void {
    for (const { id, button, section } of this.tabs) {
      if (phone) {
        button.setAttribute('role', 'tab');
        section.setAttribute('role', 'tabpanel');
        section.setAttribute('aria-labelledby', `tab-${id}`);
      } else {
        button.removeAttribute('role');
        section.removeAttribute('role');
        section.removeAttribute('aria-labelledby');
      }
    }
    this.strip.hidden = !phone;
    this.plots.now?.changed();
  }
}
