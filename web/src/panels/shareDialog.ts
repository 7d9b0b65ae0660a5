// Shows the link to the scene on screen and its values: copied at once where the browser allows it, else to be copied by hand.
// What was written and not run is said, and can be taken in.
import { compresses, encode } from '../share/codec';
import { copy } from '../share/files';
import { longestLink, type Shared } from '../share/limits';
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
  private readonly withEdits = h('input', { type: 'checkbox', id: 'share-edits' });
  private readonly edits = h(
    'div',
    { class: 'share-edits' },
    h('p', {}, 'You have changed the text and not run it.'),
    h('label', {}, this.withEdits, ' Share the changed text. Without this the link holds the scene on screen.'),
  );
  private make: (withEdits: boolean) => Shared = () => ({ scene: '', set: {} });

  constructor() {
    this.withEdits.addEventListener('change', () => void this.showLink());
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
      this.edits,
      h('div', { class: 'share-row' }, this.field, again),
      this.words,
      this.size,
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  /** `make` gives what the link holds, with the changed text or without; `unrun`: there is a changed text. */
  async show(make: (withEdits: boolean) => Shared, unrun: boolean): Promise<void> {
    this.make = make;
    this.withEdits.checked = false;
    this.edits.hidden = !unrun;
    this.field.value = '';
    this.element.showModal();
    await this.showLink();
  }

  private async showLink(): Promise<void> {
    this.words.textContent = '';
    const address = new URL(location.href);
    address.search = '';
    address.hash = await encode(this.make(this.withEdits.checked));
    const link = address.href;
    this.field.value = link;
    if (link.length > longestLink) {
      this.field.value = '';
      this.size.textContent = '';
      this.words.textContent = 'This scene is too large for a link: take it along as a file.';
      return;
    }
    const long = compresses() ? '' : ': long, because this browser cannot compress. Another one makes shorter links.';
    this.size.textContent = `${count(link.length)} characters${long}`;
    await this.copyLink();
  }

  private async copyLink(): Promise<void> {
    this.field.select();
    const done = await copy(this.field.value);
    this.words.textContent = done ? 'Copied.' : 'Copy it from the field: the browser does not allow the page to do it.';
  }
}
