// Keys that work anywhere on the page, except where a person types or a control uses them itself.

export interface KeyAction {
  keys: string[];
  shown: string;
  words: string;
  action: () => void;
}

export function listenToKeys(actions: KeyAction[]): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // A field of a dialog that has just closed keeps the focus for a moment.
    const typing =
      target.closest('input, select, textarea, [contenteditable]') && !target.closest('dialog:not([open])');
    if (document.querySelector('dialog[open]') || typing) return;
    if ((event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary')) return;
    const found = actions.find(({ keys }) =>
      keys.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key),
    );
    if (!found || (event.repeat && found.keys[0] === ' ')) return;
    event.preventDefault();
    found.action();
  });
}
