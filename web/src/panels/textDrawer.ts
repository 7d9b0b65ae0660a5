// The drawer with the scene's text: opens on demand, checks what is typed, lists problems by line, and runs the text.
import type { Problem } from '@tendril/engine';
import { sameLines } from '../text/difference';
import { Chunk } from '../ui/chunk';
import { coming, missing } from '../ui/coming';
import { h, iconButton } from '../ui/dom';
import type { SceneEditor } from './editor';

export interface TextDrawerEvents {
  /** Asks for the problems of a text; the answer comes by `showProblems`. */
  validate(text: string): void;
  run(text: string): void;
  /** The text of the scene on screen; "" before the first. */
  running(): string;
  /** Whether what is written waits to be run. */
  marked(unrun: boolean): void;
  /** What was written and not run is given up. */
  discarded(): void;
  /** Undo or redo in the editor went from one text to another. */
  stepped(from: string, to: string): void;
  toggled(open: boolean): void;
  /** Something was written. */
  written(): void;
}

const validateAfter = 350;

export class TextDrawer {
  readonly element: HTMLElement;
  open = false;
  private readonly host = h('div', { class: 'editor-host' });
  private readonly list = h('ul', { class: 'problems', id: 'problems' });
  private readonly state = h('span', { class: 'editor-state', role: 'status' });
  private readonly runButton = h(
    'button',
    { type: 'button', id: 'run-text', title: 'Ctrl+Enter', on: { click: () => this.run() } },
    'Run this text',
  );
  private readonly discardButton = h(
    'button',
    { type: 'button', id: 'discard-text', on: { click: () => this.discard() } },
    'Discard changes',
  );
  private readonly changed = h('span', { class: 'unrun', role: 'status' });
  private readonly keys = h('small', { class: 'quiet keys-only', role: 'status' });
  private editor: SceneEditor | null = null;
  private readonly chunk = new Chunk(() => import('./editor'));
  private written = '';
  private timer = 0;
  private problems: Problem[] = [];
  private warnings: Problem[] = [];
  private returnFocus: HTMLElement | null = null;

  constructor(private readonly events: TextDrawerEvents) {
    this.discardButton.title = 'Back to the text that runs; undo in the text brings yours again';
    this.element = h(
      'aside',
      { class: 'drawer', id: 'scene-text', aria: { label: 'Scene text' } },
      h(
        'div',
        { class: 'drawer-head' },
        h('h2', {}, 'Scene text'),
        this.changed,
        this.state,
        iconButton('close', 'Close the scene text (Escape)', () => this.show(false)),
      ),
      this.host,
      this.list,
      h('div', { class: 'drawer-foot' }, this.runButton, this.discardButton, this.keys),
    );
    this.element.hidden = true;
    this.tellKeys(false);
    this.mark();
    this.element.addEventListener('keydown', (event) => {
      // The editor's search closes first, and Tab is freed.
      if (event.key === 'Escape' && !event.defaultPrevented) this.show(false);
      event.stopPropagation();
    });
  }

  /** Fetches the editor's code ahead of need. */
  prepare(): Promise<void> {
    return this.chunk.prepare();
  }

  /** What the editor has: perhaps ahead of the scene on screen. */
  get text(): string {
    return this.written;
  }

  /** `keep`: a change of what is there, as one step of the editor's history; otherwise that starts anew. */
  setText(text: string, keep = false): void {
    clearTimeout(this.timer);
    this.written = text;
    if (keep) this.editor?.replaceText(text);
    else this.editor?.setText(text);
    this.showProblems([], []);
    this.mark();
  }

  /** What is written is not what runs. */
  get unrun(): boolean {
    const running = this.events.running();
    return running === '' ? this.written.trim() !== '' : !sameLines(this.written, running);
  }

  /** Says so, or no longer. */
  mark(): void {
    const { unrun } = this;
    this.changed.textContent = unrun ? 'Changed, not run' : '';
    this.runButton.classList.toggle('primary', unrun);
    this.discardButton.hidden = !unrun;
    this.events.marked(unrun);
  }

  /** `focus`: what is typed next goes into the text. */
  show(open: boolean, focus = true): void {
    if (open === this.open) return;
    this.open = open;
    if (!open && this.element.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
    this.element.hidden = !open;
    this.events.toggled(open);
    if (open) {
      this.returnFocus = document.activeElement as HTMLElement | null;
      this.whenReady((editor) => {
        if (this.open && focus) editor.focus();
      });
    } else {
      this.returnFocus?.focus();
    }
  }

  showProblems(problems: Problem[], warnings: Problem[]): void {
    this.problems = problems;
    this.warnings = warnings;
    this.editor?.show(problems, warnings);
    const item = (problem: Problem, kind: string): HTMLElement => {
      const place = h('span', { class: 'place' }, `line ${problem.line}:${problem.column}`);
      const pointer = problem.pointer ? h('code', {}, problem.pointer) : null;
      const button = h('button', { type: 'button' }, place, ' ', pointer, ' ', problem.message);
      button.addEventListener('click', () => this.whenReady((editor) => editor.goTo(problem.from)));
      return h('li', { class: kind }, button);
    };
    this.list.replaceChildren(...problems.map((p) => item(p, 'error')), ...warnings.map((p) => item(p, 'warning')));
    const count = problems.length;
    this.state.textContent = count === 0 ? '' : `${count} ${count === 1 ? 'problem' : 'problems'}`;
  }

  /** Opens at the first problem. */
  showFirstProblem(): void {
    this.show(true);
    const first = this.problems[0];
    if (first) this.whenReady((editor) => editor.goTo(first.from));
  }

  private run(): void {
    this.events.run(this.text);
  }

  private discard(): void {
    this.events.discarded();
    this.bringBack(this.events.running());
    this.whenReady((editor) => editor.focus());
  }

  private tellKeys(free: boolean): void {
    this.keys.textContent = free
      ? 'Tab leaves the text now, Escape closes it.'
      : 'Ctrl+Enter runs it. Escape, then Tab, leaves the text.';
  }

  /** Without the editor's code this says so where the editor would be, with a way to ask for it again. */
  private whenReady(use: (editor: SceneEditor) => void): void {
    if (this.editor) {
      use(this.editor);
      return;
    }
    this.host.replaceChildren(coming('the editor'));
    this.chunk
      .get()
      .then(({ SceneEditor }) => {
        this.editor ??= this.make(SceneEditor);
        use(this.editor);
      })
      .catch(() => this.host.replaceChildren(missing('The editor', () => this.whenReady(use))));
  }

  private make(Editor: typeof SceneEditor): SceneEditor {
    const editor = new Editor(this.host, {
      changed: (text) => this.typed(text),
      stepped: (from, to) => this.events.stepped(from, to),
      run: () => this.run(),
      freed: (free) => this.tellKeys(free),
    });
    editor.setText(this.text);
    editor.show(this.problems, this.warnings);
    return editor;
  }

  /** Text that a person has written before, not run: it is checked as if it were typed. */
  bringBack(text: string): void {
    this.editor?.replaceText(text);
    this.typed(text);
  }

  private typed(text: string): void {
    this.written = text;
    this.mark();
    this.events.written();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.events.validate(text), validateAfter);
  }
}
