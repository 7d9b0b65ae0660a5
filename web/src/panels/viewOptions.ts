// How the view draws: colors, thickness, edges of shells, symbols, joints, tendons, what vines show, quality, and framing.
// What is chosen stays for later scenes; the quality for later visits too.
import type { DrawingData, Field } from '../engine/protocol';
import { h, icon, iconButton } from '../ui/dom';
import { popover } from '../ui/menu';
import { remember, remembered } from '../ui/remembered';
import { canExaggerate } from '../view/exaggeration';
import { type BodyKind, choiceWords, fields, hasFields } from '../view/fields';
import type { QualityChoice } from '../view/quality';
import type { VinesShown } from '../view/vines';

export interface ViewOptionsEvents {
  field(field: Field | null): void;
  thickness(factor: number | null): void;
  exaggeration(factor: number | null): void;
  wireframe(shown: boolean): void;
  symbols(shown: boolean): void;
  linkwork(shown: { joints?: boolean; tendons?: boolean }): void;
  vines(shown: Partial<VinesShown>): void;
  quality(choice: QualityChoice): void;
  frame(): void;
}

const qualities: [QualityChoice, string][] = [
  ['auto', 'automatic'],
  ['best', 'best'],
  ['fast', 'fast'],
];

export class ViewOptions {
  readonly element: HTMLElement;
  private readonly field = h('select', { id: 'color-by' }, h('option', { value: '' }, 'by name'));
  private readonly thickness = h(
    'select',
    { id: 'thickness' },
    h('option', { value: '' }, 'so that it can be seen'),
    ...[1, 2, 5, 10, 20].map((n) => h('option', { value: String(n) }, n === 1 ? 'true to size' : `${n}× thicker`)),
  );
  private readonly exaggeration = h(
    'select',
    { id: 'exaggeration' },
    h('option', { value: '' }),
    ...[1, 2, 5, 10, 20, 50, 100].map((n) =>
      h('option', { value: String(n) }, n === 1 ? 'true to size' : `drawn ${n}×`),
    ),
  );
  private readonly wireframe = h('input', { type: 'checkbox', id: 'wireframe' });
  private readonly symbols = h('input', { type: 'checkbox', id: 'symbols', checked: true });
  private readonly joints = h('input', { type: 'checkbox', id: 'joints', checked: true });
  private readonly tendons = h('input', { type: 'checkbox', id: 'tendons', checked: true });
  private readonly vineBodies = h('input', { type: 'checkbox', id: 'vine-bodies' });
  private readonly vineForces = h('input', { type: 'checkbox', id: 'vine-forces' });
  private readonly vinePath = h('input', { type: 'checkbox', id: 'vine-path', checked: true });
  private readonly quality = h(
    'select',
    { id: 'quality', title: 'Automatic: fewer pixels and no shadows while the machine cannot keep up' },
    ...qualities.map(([value, words]) => h('option', { value }, words)),
  );
  private readonly ofFields: HTMLElement[];
  private readonly ofTubes: HTMLElement[];
  private readonly ofDeflection: HTMLElement[];
  private readonly ofJoints: HTMLElement[];
  private readonly ofTendons: HTMLElement[];
  private readonly ofShells: HTMLElement[];
  private readonly ofVines: HTMLElement[];

  constructor(private readonly events: ViewOptionsEvents) {
    const { exaggeration } = this;
    exaggeration.addEventListener('change', () =>
      events.exaggeration(exaggeration.value ? Number(exaggeration.value) : null),
    );
    const { field, thickness, wireframe, symbols, joints, tendons, vineBodies, vineForces, vinePath } = this;
    for (const name of fields) field.append(h('option', { value: name }));
    field.addEventListener('change', () => events.field((field.value || null) as Field | null));
    thickness.addEventListener('change', () => events.thickness(thickness.value ? Number(thickness.value) : null));
    wireframe.addEventListener('change', () => events.wireframe(wireframe.checked));
    symbols.addEventListener('change', () => events.symbols(symbols.checked));
    joints.addEventListener('change', () => events.linkwork({ joints: joints.checked }));
    tendons.addEventListener('change', () => events.linkwork({ tendons: tendons.checked }));
    vineBodies.addEventListener('change', () => events.vines({ bodies: vineBodies.checked }));
    vineForces.addEventListener('change', () => events.vines({ forces: vineForces.checked }));
    vinePath.addEventListener('change', () => events.vines({ path: vinePath.checked }));
    const { quality } = this;
    quality.addEventListener('change', () => {
      remember('quality', quality.value);
      events.quality(quality.value as QualityChoice);
    });
    this.ofVines = [
      ...[h('label', { htmlFor: 'vine-bodies' }, 'Bodies of vines'), vineBodies],
      ...[h('label', { htmlFor: 'vine-forces' }, 'Contact forces'), vineForces],
      ...[h('label', { htmlFor: 'vine-path' }, 'Path of the tip'), vinePath],
    ];
    this.ofFields = [h('label', { htmlFor: 'color-by' }, 'Color'), field];
    this.ofJoints = [h('label', { htmlFor: 'joints' }, 'Joints'), joints];
    this.ofTendons = [h('label', { htmlFor: 'tendons' }, 'Tendons'), tendons];
    this.ofTubes = [h('label', { htmlFor: 'thickness' }, 'Thickness'), thickness];
    this.ofDeflection = [h('label', { htmlFor: 'exaggeration' }, 'Deflection'), exaggeration];
    this.ofShells = [h('label', { htmlFor: 'wireframe' }, 'Edges of shells'), wireframe];
    const panel = h(
      'div',
      { class: 'menu options' },
      ...this.ofFields,
      ...this.ofTubes,
      ...this.ofDeflection,
      ...this.ofShells,
      ...this.ofJoints,
      ...this.ofTendons,
      ...this.ofVines,
      h('label', { htmlFor: 'symbols' }, 'Supports and loads'),
      symbols,
      h('label', { htmlFor: 'quality' }, 'Picture quality'),
      quality,
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
    this.setScene(['rod'], { parts: [], joints: [], tendons: [] });
  }

  /** Names the fields as the scene's bodies call for, and shows what concerns them. */
  setScene(kinds: BodyKind[], drawing: Pick<DrawingData, 'parts' | 'joints' | 'tendons'>, exaggerate?: unknown): void {
    const { joints, tendons } = drawing;
    const asked = typeof exaggerate === 'number' && exaggerate > 1;
    this.exaggeration.options[0].textContent = asked ? `as the scene asks, ${exaggerate}×` : 'as the scene asks';
    for (const option of this.field.options) {
      if (option.value) option.textContent = `by ${choiceWords(option.value as Field, kinds)}`;
    }
    const show = (parts: HTMLElement[], shown: boolean): void => {
      for (const part of parts) part.hidden = !shown;
    };
    show(this.ofFields, hasFields(kinds));
    show(
      this.ofTubes,
      kinds.some((kind) => kind !== 'shell'),
    );
    show(this.ofDeflection, canExaggerate(drawing));
    show(this.ofShells, kinds.includes('shell'));
    show(this.ofJoints, joints.length > 0);
    show(this.ofTendons, tendons.length > 0);
    show(this.ofVines, kinds.includes('vine'));
  }

  /** What was chosen in an earlier visit. */
  restore(): void {
    const known = qualities.find(([value]) => value === remembered('quality'));
    if (!known) return;
    this.quality.value = known[0];
    this.events.quality(known[0]);
  }

  toggleWireframe(): void {
    this.wireframe.checked = !this.wireframe.checked;
    this.events.wireframe(this.wireframe.checked);
  }
}
