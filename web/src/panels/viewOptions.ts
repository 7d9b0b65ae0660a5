// How the view draws: colours, thickness, symbols, and framing.
import type { Field } from '../engine/protocol';
import { h, icon, iconButton } from '../ui/dom';
import { popover } from '../ui/menu';

export interface ViewOptionsEvents {
  field(field: Field | null): void;
  thickness(factor: number | null): void;
  symbols(shown: boolean): void;
  frame(): void;
}

export function viewOptions(events: ViewOptionsEvents): HTMLElement {
  const field = h(
    'select',
    { id: 'colour-by' },
    h('option', { value: '' }, 'by name'),
    h('option', { value: 'curvature' }, 'by curvature'),
    h('option', { value: 'strain' }, 'by axial strain'),
    h('option', { value: 'energy' }, 'by elastic energy'),
  );
  field.addEventListener('change', () => events.field((field.value || null) as Field | null));
  const thickness = h(
    'select',
    { id: 'thickness' },
    h('option', { value: '' }, 'so that it can be seen'),
    ...[1, 2, 5, 10, 20].map((n) => h('option', { value: String(n) }, n === 1 ? 'true to size' : `${n}× thicker`)),
  );
  thickness.addEventListener('change', () => events.thickness(thickness.value ? Number(thickness.value) : null));
  const symbols = h('input', { type: 'checkbox', id: 'symbols', checked: true });
  symbols.addEventListener('change', () => events.symbols(symbols.checked));
  const panel = h(
    'div',
    { class: 'menu options' },
    h('label', { htmlFor: 'colour-by' }, 'Colour'),
    field,
    h('label', { htmlFor: 'thickness' }, 'Thickness'),
    thickness,
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
  return h('div', { class: 'view-tools' }, popover(button, panel), frame);
}
