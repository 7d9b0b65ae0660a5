// How the view draws: colours, thickness, edges of shells, symbols, and framing. What is chosen stays for later scenes.
import type { Field } from '../engine/protocol';
import { h, icon, iconButton } from '../ui/dom';
import { popover } from '../ui/menu';
import { type BodyKind, choiceWords, fields } from '../view/fields';

export interface ViewOptionsEvents {
  field(field: Field | null): void;
  thickness(factor: number | null): void;
  wireframe(shown: boolean): void;
  symbols(shown: boolean): void;
  frame(): void;
}

export class ViewOptions {
  readonly element: HTMLElement;
  private readonly field = h('select', { id: 'colour-by' }, h('option', { value: '' }, 'by name'));
  private readonly thickness = h(
    'select',
    { id: 'thickness' },
    h('option', { value: '' }, 'so that it can be seen'),
    ...[1, 2, 5, 10, 20].map((n) => h('option', { value: String(n) }, n === 1 ? 'true to size' : `${n}× thicker`)),
  );
  private readonly wireframe = h('input', { type: 'checkbox', id: 'wireframe' });
  private readonly symbols = h('input', { type: 'checkbox', id: 'symbols', checked: true });
  private readonly ofRods: HTMLElement[];
  private readonly ofShells: HTMLElement[];

  constructor(private readonly events: ViewOptionsEvents) {
    const { field, thickness, wireframe, symbols } = this;
    for (const name of fields) field.append(h('option', { value: name }));
    field.addEventListener('change', () => events.field((field.value || null) as Field | null));
    thickness.addEventListener('change', () => events.thickness(thickness.value ? Number(thickness.value) : null));
    wireframe.addEventListener('change', () => events.wireframe(wireframe.checked));
    symbols.addEventListener('change', () => events.symbols(symbols.checked));
    this.ofRods = [h('label', { htmlFor: 'thickness' }, 'Thickness'), thickness];
    this.ofShells = [h('label', { htmlFor: 'wireframe' }, 'Edges of shells'), wireframe];
    const panel = h(
      'div',
      { class: 'menu options' },
      h('label', { htmlFor: 'colour-by' }, 'Colour'),
      field,
      ...this.ofRods,
      ...this.ofShells,
      h('label', { htmlFor: 'symbols' }, 'Supports and loads'),
      symbols,
    );
    const button = h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        id: 'view-options',
        title: 'How it is drawn',
        aria: { label: 'How it is drawn' },
      },
      icon('eye'),
    );
    const frame = iconButton('frame', 'Show everything (F)', () => events.frame());
    this.element = h('div', { class: 'view-tools' }, popover(button, panel), frame);
    this.setKinds(['rod']);
  }

  /** Names the fields as the scene's bodies call for, and shows what concerns them. */
  setKinds(kinds: BodyKind[]): void {
    for (const option of this.field.options) {
      if (option.value) option.textContent = `by ${choiceWords(option.value as Field, kinds)}`;
    }
    for (const part of this.ofRods) part.hidden = !kinds.includes('rod');
    for (const part of this.ofShells) part.hidden = !kinds.includes('shell');
  }

  toggleWireframe(): void {
    this.wireframe.checked = !this.wireframe.checked;
    this.events.wireframe(this.wireframe.checked);
  }
}
