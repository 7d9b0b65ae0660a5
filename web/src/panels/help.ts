// The list of keys and of what the pointer does.
import { h, iconButton } from '../ui/dom';
import type { KeyAction } from '../ui/keys';

const pointer: [string, string][] = [
  ['Drag a rod, a link or a shell', 'pull it'],
  ['Drag beside it', 'look around'],
  ['Right drag, two fingers', 'move the view'],
  ['Wheel, pinch', 'nearer or farther'],
];
const viewKeys: [string, string][] = [
  ['Shift + arrows', 'look around (with the view focused)'],
  ['+ −', 'nearer or farther (with the view focused)'],
];

export class Help {
  readonly element: HTMLDialogElement;
  private readonly version = h('p', { class: 'quiet' });

  constructor(actions: KeyAction[], openGuide: () => void) {
    const row = ([keys, words]: [string, string]): HTMLElement[] => [
      h('dt', {}, h('kbd', {}, keys)),
      h('dd', {}, words),
    ];
    const keys = actions.map(({ shown, words }): [string, string] => [shown, words]);
    const toGuide = (): void => {
      this.element.close();
      openGuide();
    };
    const guide = h('button', { type: 'button', id: 'help-guide', on: { click: toGuide } }, 'Open the guide');
    this.element = h(
      'dialog',
      { class: 'help', id: 'help', aria: { label: 'Keys and pointer' } },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', {}, 'Keys and pointer'),
        iconButton('close', 'Close', () => this.element.close()),
      ),
      h('dl', {}, ...[...keys, ...viewKeys, ...pointer].flatMap(row)),
      h('div', { class: 'help-foot' }, guide, this.version),
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  setVersion(version: string): void {
    this.version.textContent = `Tendril ${version}`;
  }

  show(): void {
    this.element.showModal();
  }
}
