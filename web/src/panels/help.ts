// The list of keys and of what the pointer does.
import { h, iconButton } from '../ui/dom';
import type { KeyAction } from '../ui/keys';
import type { PadKey } from '../ui/padWords';

const pointer: [string, string][] = [
  ['Drag a rod, link, vine or shell', 'pull it'],
  ['Drag the load of a static scene', 'show it under more or less load'],
  ['Drag an obstacle', 'move it, while the run stands'],
  ['Drag beside it', 'look around'],
  ['Right drag, two fingers', 'move the view'],
  ['Wheel, pinch', 'nearer or farther'],
  ['Mouse or finger on a plot', 'its values there, in all plots'],
  ['Double click on a plot', 'show it large, and small again'],
];
const whatItIs =
  'Tendril simulates soft robots and slender structures, here in your browser. Pull things, change values, read the plots; every scene is a text that you can edit.';
const playRule =
  'While the scene plays these keys are its own, but in a text field and where you went with Tab. Space starts the scene too.';
const viewKeys: [string, string][] = [
  ['Shift + arrows', 'look around (with the view focused)'],
  ['+ −', 'nearer or farther (with the view focused)'],
  ['Escape, then Tab', 'leave the text of the scene, where Tab indents; Escape twice closes it'],
];

export class Help {
  readonly element: HTMLDialogElement;
  private readonly list = h('dl');
  private readonly pointing = h('dl', { class: 'help-pointer' });
  private readonly rule = h('p', { class: 'quiet' }, playRule);
  private readonly version = h('p', { class: 'quiet' });

  constructor(
    private readonly actions: KeyAction[],
    openGuide: () => void,
  ) {
    const toGuide = (): void => {
      this.element.close();
      openGuide();
    };
    const guide = h('button', { type: 'button', id: 'help-guide', on: { click: toGuide } }, 'Open the guide');
    const licenses = h('a', { href: './notices.txt', target: '_blank', rel: 'noopener' }, 'Licenses');
    this.element = h(
      'dialog',
      { class: 'help', id: 'help', aria: { label: 'Keys and pointer' } },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', {}, 'Keys and pointer'),
        iconButton('close', 'Close', () => this.element.close()),
      ),
      h('p', {}, whatItIs),
      this.rule,
      this.list,
      this.pointing,
      h('div', { class: 'help-foot' }, guide, this.version, licenses),
    );
    this.setPlayKeys([]);
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  /** Keys that the scene uses itself come first; what they do otherwise holds while the run stands. */
  setPlayKeys(playKeys: PadKey[]): void {
    const own = new Set(playKeys.map(({ cap }) => cap));
    const held = playKeys.map(({ cap, action, values }): [string, string] => [cap, `held: ${action} (${values})`]);
    this.rule.hidden = playKeys.length === 0;
    const space = own.has('Space');
    const row = ([keys, words]: [string, string]): HTMLElement[] => [
      h('dt', {}, h('kbd', {}, keys)),
      h('dd', {}, words),
    ];
    const usual = this.actions.map(({ shown, words }): [string, string] => {
      if (space && shown.startsWith('Space, ')) return [shown.slice('Space, '.length), words];
      return [shown, own.has(shown) ? `${words}, while the run stands` : words];
    });
    this.list.replaceChildren(...[...held, ...usual, ...viewKeys].flatMap(row));
    this.pointing.replaceChildren(...pointer.flatMap(([what, words]) => [h('dt', {}, what), h('dd', {}, words)]));
  }

  setVersion(version: string): void {
    this.version.textContent = `Tendril ${version}`;
  }

  show(): void {
    this.element.showModal();
  }
}
