// The parameters of a scene: sliders, menus and number fields with units, each saying whether it acts at once.
import type { Parameter } from '@tendril/engine';
import { entry, parseQuantity, prettyUnit, quantity, range } from '../text/units';
import { h } from '../ui/dom';

const sliderSteps = 1000;

/** Made to be changed: a slider, a menu, or at least described. The rest are numbers that the scene needs. */
function isForPlay({ hasRange, choices, derived, label, name }: Parameter): boolean {
  return !derived && (hasRange || choices.length > 0 || (label !== '' && label !== name));
}

/** What the sign beside some of them means, where it is seen. */
function noteOn(list: Parameter[]): HTMLElement[] {
  if (!list.some((p) => !p.live && !p.derived)) return [];
  const sign = h('span', { class: 'restarts', aria: { hidden: 'true' } }, '↺');
  return [h('p', { class: 'quiet restarts-note' }, sign, ' starts the run again; the others act while it runs.')];
}

interface Row {
  element: HTMLElement;
  show: Show;
}

/** `always`: also in a control that has the focus, which otherwise keeps what a person is giving it. */
type Show = (parameter: Parameter, always: boolean) => void;

export class Parameters {
  readonly element = h('div', { class: 'parameters' });
  private rows = new Map<string, Row>();
  /** Values come from elsewhere, not from the control that has the focus. */
  private follows = false;

  constructor(private readonly change: (name: string, value: number, held?: boolean) => void) {}

  setScene(parameters: Parameter[]): void {
    this.rows = new Map(parameters.map((parameter) => [parameter.name, this.makeRow(parameter)]));
    const rowsOf = (list: Parameter[]): HTMLElement[] =>
      list.map(({ name }) => this.rows.get(name)?.element).filter((element) => element !== undefined);
    if (parameters.length === 0) {
      this.element.replaceChildren(
        h(
          'p',
          { class: 'quiet' },
          'This scene has no parameters. In its text (press E) what has a name, min and max is a slider.',
        ),
      );
      return;
    }
    const first = parameters.filter(isForPlay);
    const rest = parameters.filter((parameter) => !isForPlay(parameter));
    const summary = h('summary', {}, first.length > 0 ? `Other values (${rest.length})` : 'Values');
    const more = h('details', { class: 'more', open: first.length === 0 }, summary, ...rowsOf(rest), ...noteOn(rest));
    this.element.replaceChildren(...rowsOf(first), ...noteOn(first), ...(rest.length > 0 ? [more] : []));
  }

  update(parameters: Parameter[]): void {
    for (const parameter of parameters) this.rows.get(parameter.name)?.show(parameter, this.follows);
  }

  /** A number that is being typed counts as if the person had left the field; the values to come are not theirs. */
  settle(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.matches('input.number')) activeElement.blur();
    this.follows = true;
  }

  /** Words under the parameter that the engine refused; empty to clear. */
  refuse(name: string, message: string): void {
    const row = this.rows.get(name)?.element;
    const note = row?.querySelector<HTMLElement>('.refusal');
    if (note) note.textContent = message;
    for (const input of row?.querySelectorAll('input, select') ?? []) {
      if (message && note) {
        input.setAttribute('aria-invalid', 'true');
        input.setAttribute('aria-describedby', note.id);
      } else {
        input.removeAttribute('aria-invalid');
        input.removeAttribute('aria-describedby');
      }
    }
  }

  /** Clears what was refused, but where the refused value still stands in the field. */
  forgive(): void {
    for (const [name, { element }] of this.rows) {
      if (!element.contains(document.activeElement)) this.refuse(name, '');
    }
  }

  private makeRow(parameter: Parameter): Row {
    const { name, label, unit, live, derived } = parameter;
    const id = `parameter-${name}`;
    const element = h('div', { class: 'parameter', data: { name } });
    // The name alone is read aloud, and that a change starts the run again; signs are for the eyes.
    const unread = { hidden: 'true' };
    const title = h('div', { class: 'parameter-label' }, h('label', { htmlFor: id }, label || name));
    if (label && label !== name) title.append(h('span', { class: 'symbol', aria: unread }, name));
    const restarts = !live && !derived;
    if (restarts) title.append(h('span', { class: 'restarts', title: 'Starts the run again', aria: unread }, '↺'));
    const refusal = h('p', { class: 'refusal', role: 'alert' });
    const send: Send = (value, held) => {
      this.refuse(name, '');
      this.follows = false;
      this.change(name, value, held);
    };
    const refuse = (message: string): void => this.refuse(name, message);
    refusal.id = `${id}-refusal`;
    const control = derived
      ? derivedControl(id, unit)
      : parameter.choices.length > 0
        ? choiceControl(id, parameter, send)
        : parameter.hasRange
          ? sliderControl(id, parameter, send, refuse)
          : fieldControl(id, label || name, unit, send, refuse);
    for (const node of control.nodes) if (restarts) node.setAttribute('aria-description', 'starts the run again');
    element.append(title, ...control.nodes, control.note ?? '', refusal);
    control.show(parameter, true);
    return { element, show: control.show };
  }
}

/** `held`: of the same drag as the value before it. */
type Send = (value: number, held?: boolean) => void;

interface Control {
  nodes: HTMLElement[];
  note?: HTMLElement;
  show: Show;
}

function derivedControl(id: string, unit: string): Control {
  const output = h('output', { id, class: 'derived', title: 'Follows from other parameters' });
  return {
    nodes: [output],
    show: ({ value }) => {
      output.value = quantity(value, unit);
      output.dataset.value = String(value);
    },
  };
}

function choiceControl(id: string, parameter: Parameter, send: (value: number) => void): Control {
  const select = h('select', { id });
  for (const { label, value } of parameter.choices) {
    select.append(
      h('option', { value: String(value) }, /^[-+\d.e]+$/i.test(label) ? entry(value, parameter.unit) : label),
    );
  }
  /** Of a link: none of the choices. */
  const other = h('option', { hidden: true });
  select.addEventListener('change', () => send(Number(select.value)));
  return {
    nodes: [select],
    show: ({ value }) => {
      select.value = String(value);
      if (select.selectedIndex < 0 || other.selected) {
        other.value = String(value);
        other.textContent = entry(value, parameter.unit).replace('-', '−');
        select.append(other);
        other.selected = true;
      } else other.remove();
      select.dataset.value = String(value);
    },
  };
}

/** What is wrong with what was typed; `value`: as parseQuantity reads it. */
function refusal(value: Exclude<ReturnType<typeof parseQuantity>, number>, typed: string, unit: string): string {
  if (value === 'two numbers')
    return `may be ${typed.replace(',', '')} or ${typed.replace(',', '.')}: write one of them`;
  return value ? `is ${value} to be represented` : `is not a number${unit ? ` in ${prettyUnit(unit)}` : ''}`;
}

function fieldControl(
  id: string,
  label: string,
  unit: string,
  send: (value: number) => void,
  refuse: (message: string) => void,
): Control {
  const input = h('input', {
    id,
    type: 'text',
    inputMode: 'text',
    autocomplete: 'off',
    spellcheck: false,
    class: 'number',
  });
  input.setAttribute('aria-label', unit ? `${label}, in ${prettyUnit(unit)}` : label);
  /** What is in force, or was sent to be. */
  let present = 0;
  const write = (): void => {
    input.value = entry(present, unit);
  };
  input.addEventListener('change', () => {
    const value = parseQuantity(input.value, unit);
    if (typeof value === 'number') {
      present = value;
      send(value);
    } else {
      refuse(`"${input.value}" ${refusal(value, input.value, unit)}.`);
    }
  });
  input.addEventListener('blur', () => {
    if (!input.hasAttribute('aria-invalid')) write();
  });
  return {
    nodes: [input],
    show: ({ value }, always) => {
      present = value;
      input.dataset.value = String(value);
      if (always || document.activeElement !== input) write();
      input.classList.toggle('long', input.value.length > 11);
    },
  };
}

function sliderControl(id: string, parameter: Parameter, send: Send, refuse: (message: string) => void): Control {
  const { unit, label, name, min, max } = parameter;
  const scale = sliderScale(parameter);
  const slider = h('input', { id, type: 'range', min: '0', max: String(scale.steps), step: '1' });
  const field = fieldControl(`${id}-value`, label || name, unit, send, refuse);
  const beyond = h('p', { class: 'beyond', role: 'status' });
  // A drag changes when it ends; a key does at once.
  let moves = 0;
  slider.addEventListener('input', () => send(scale.value(Number(slider.value)), moves++ > 0));
  slider.addEventListener('change', () => {
    moves = 0;
  });
  return {
    nodes: [field.nodes[0], slider],
    note: beyond,
    show: (present, always) => {
      const { value } = present;
      beyond.textContent = value < min || value > max ? `Its slider goes ${range(min, max, unit)}.` : '';
      field.show(present, always);
      if (always || document.activeElement !== slider) slider.value = String(scale.place(present.value));
      slider.style.setProperty('--part', String(Number(slider.value) / scale.steps));
      slider.setAttribute('aria-valuetext', quantity(present.value, unit));
    },
  };
}

/** Places of a slider, 0 to `steps`, and the values they stand for. */
export function sliderScale({ min, max, step, logarithmic }: Parameter): {
  steps: number;
  value(place: number): number;
  place(value: number): number;
} {
  if (logarithmic && min > 0) {
    const span = Math.log(max / min);
    return {
      steps: sliderSteps,
      value: (place) => {
        if (place >= sliderSteps) return max;
        return place <= 0 ? min : Number((min * Math.exp((span * place) / sliderSteps)).toPrecision(4));
      },
      place: (value) => Math.round((sliderSteps * Math.log(Math.min(Math.max(value, min), max) / min)) / span),
    };
  }
  const steps = step > 0 ? Math.max(1, Math.round((max - min) / step)) : sliderSteps;
  const digits = Math.max(4, Math.ceil(Math.log10(steps)) + 2);
  return {
    steps,
    value: (place) => (place >= steps ? max : Number((min + ((max - min) * place) / steps).toPrecision(digits))),
    place: (value) => Math.round((steps * (Math.min(Math.max(value, min), max) - min)) / (max - min)),
  };
}
