// Shows the link to the present scene and its values: copied at once where the browser allows it, else to be copied by hand.
import { copy } from '../share/files';
import { count } from '../text/units';
import { h, iconButton } from '../ui/dom';

export class ShareDialog {
  readonly element: HTMLDialogElement;
  private readonly field = h('input', {
    type: 'text',
    readOnly: true,
    id: 'share-link',
    aria: { label: 'Link to this scene' },
  });
  private readonly words = h('p', { role: 'status', id: 'share-state' });
  private readonly size = h('p', { class: 'quiet' });

  constructor() {
    const again = h('button', { type: 'button', class: 'primary' }, 'Copy');
    again.addEventListener('click', () => void this.copyLink());
    this.element = h(
      'dialog',
      { class: 'share', aria: { label: 'Share' } },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', {}, 'Share'),
        iconButton('close', 'Close', () => this.element.close()),
      ),
      h('p', {}, 'The link holds the whole scene with the present values. Nothing is stored anywhere else.'),
      h('div', { class: 'share-row' }, this.field, again),
      this.words,
      this.size,
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  async show(link: string): Promise<void> {
    this.field.value = link;
    this.words.textContent = '';
    this.size.textContent = `${count(link.length)} characters`;
    this.element.showModal();
    await this.copyLink();
  }

  private async copyLink(): Promise<void> {
    this.field.select();
    const done = await copy(this.field.value);
    this.words.textContent = done ? 'Copied.' : 'Copy it from the field: the browser does not allow the page to do it.';
  }
}
