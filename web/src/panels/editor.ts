// The scene's text: an editor in a shadow root (its styles need no exception from the content policy), loaded when idle.
// Problems are shown where they are, in the loader's words.
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  simplifySelection,
} from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { closeSearchPanel, highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Problem } from '@tendril/engine';
import { commentsOf } from '../scenes/jsonc';
import { differenceOf } from '../text/difference';

export interface EditorEvents {
  changed(text: string): void;
  /** Undo or redo in the editor. */
  stepped(from: string, to: string): void;
  run(): void;
  /** Tab leaves the text from now on, or indents again. */
  freed(free: boolean): void;
}

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused': { outline: 'none' },
  // The text passes under it where it is scrolled sideways.
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'var(--select)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 34px 8px 10px', fontFamily: 'system-ui, sans-serif' },
  '.cm-panel.cm-search :is(input, button, label)': { margin: '2px 6px 2px 0', fontSize: '13px' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', minHeight: '28px' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': {
    top: '4px',
    right: '6px',
    width: '28px',
    height: '28px',
    margin: '0',
    color: 'var(--text)',
    fontSize: '18px',
    cursor: 'pointer',
  },
  '.cm-textfield': {
    boxSizing: 'border-box',
    height: '28px',
    padding: '2px 8px',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-button': {
    height: '28px',
    padding: '2px 10px',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundImage: 'none',
    backgroundColor: 'transparent',
    color: 'var(--text)',
    cursor: 'pointer',
  },
  '.cm-button:is(:hover, :active)': { backgroundImage: 'none', backgroundColor: 'var(--hover)' },
  '.cm-panel :focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-searchMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-comment, .cm-comment *': { color: 'var(--text-soft) !important', fontStyle: 'italic' },
  '.cm-lintRange-error': { backgroundColor: 'var(--trouble-soft)' },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-number)' },
]);

// The grammar is that of JSON, which has no comments.
const comment = Decoration.mark({ class: 'cm-comment' });
const commentsIn = ({ doc }: EditorState): DecorationSet =>
  Decoration.set(commentsOf(doc.toString()).map(({ from, to }) => comment.range(from, to)));
const comments = StateField.define<DecorationSet>({
  create: commentsIn,
  update: (before, { docChanged, state }) => (docChanged ? commentsIn(state) : before),
  provide: (field) => EditorView.decorations.from(field),
});

export class SceneEditor {
  private readonly view: EditorView;
  private silent = false;
  /** Tab leaves the text. */
  private free = false;

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

  private setFree(free: boolean): void {
    if (free === this.free) return;
    this.free = free;
    this.view.setTabFocusMode(free);
    this.events.freed(free);
  }

  private newState(text: string): EditorState {
    const run = {
      key: 'Mod-Enter',
      run: () => {
        this.events.run();
        return true;
      },
    };
    const leave = {
      key: 'Escape',
      run: (view: EditorView) => {
        // The second one goes to what is around the text.
        if (this.free) return false;
        if (closeSearchPanel(view)) return true;
        simplifySelection(view);
        this.setFree(true);
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
        syntaxHighlighting(colors),
        comments,
        look,
        EditorView.contentAttributes.of({
          'aria-label': 'Scene text',
          'aria-description': 'Tab indents. Escape, then Tab, leaves the text.',
          tabindex: '0',
        }),
        EditorView.domEventHandlers({ blur: () => this.setFree(false) }),
        keymap.of([run, leave, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || this.silent) return;
          this.setFree(false);
          this.events.changed(this.text);
          const steps = update.transactions.some((one) => one.isUserEvent('undo') || one.isUserEvent('redo'));
          if (steps) this.events.stepped(update.startState.doc.toString(), this.text);
        }),
      ],
    });
  }
}
