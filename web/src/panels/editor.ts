// The scene's text: an editor in a shadow root (its styles need no exception from the content policy), loaded when idle.
// Problems are shown where they are, in the loader's words.
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Problem } from '@tendril/engine';
import { differenceOf } from '../text/difference';

export interface EditorEvents {
  changed(text: string): void;
  /** Undo or redo in the editor. */
  stepped(from: string, to: string): void;
  run(): void;
}

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'var(--select)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-lintRange-error': { backgroundColor: 'var(--trouble-soft)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--text-soft)', fontStyle: 'italic' },
]);

export class SceneEditor {
  private readonly view: EditorView;
  private silent = false;

  constructor(
    host: HTMLElement,
    private readonly events: EditorEvents,
  ) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const holder = document.createElement('div');
    holder.style.height = '100%';
    root.replaceChildren(holder);
    this.view = new EditorView({ root, parent: holder, state: this.newState('') });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text with a fresh editing history. */
  setText(text: string): void {
    if (text === this.text) return;
    this.silent = true;
    this.view.setState(this.newState(text));
    this.silent = false;
  }

  /** Another text as one step of the editing history: undo brings back what a person has written. */
  replaceText(text: string): void {
    const changes = differenceOf(this.text, text.replace(/\r\n?/g, '\n'));
    if (!changes) return;
    this.silent = true;
    this.view.dispatch({ changes, annotations: isolateHistory.of('full') });
    this.silent = false;
  }

  show(problems: Problem[], warnings: Problem[]): void {
    const { length } = this.view.state.doc;
    const toDiagnostic =
      (severity: 'error' | 'warning') =>
      (problem: Problem): Diagnostic => {
        const from = Math.min(Math.max(problem.from, 0), length);
        return { from, to: Math.min(Math.max(problem.to, from), length), severity, message: problem.message };
      };
    const all = [...problems.map(toDiagnostic('error')), ...warnings.map(toDiagnostic('warning'))];
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        all.sort((a, b) => a.from - b.from),
      ),
    );
  }

  goTo(offset: number): void {
    const at = Math.min(Math.max(offset, 0), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  private newState(text: string): EditorState {
    const run = {
      key: 'Mod-Enter',
      run: () => {
        this.events.run();
        return true;
      },
    };
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        lintGutter(),
        json(),
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({ 'aria-label': 'Scene text', tabindex: '0' }),
        keymap.of([run, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || this.silent) return;
          this.events.changed(this.text);
          const steps = update.transactions.some((one) => one.isUserEvent('undo') || one.isUserEvent('redo'));
          if (steps) this.events.stepped(update.startState.doc.toString(), this.text);
        }),
      ],
    });
  }
}
