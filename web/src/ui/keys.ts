// Keys that work anywhere on the page, except where a person types or a control uses them itself.

export interface KeyAction {
  /** As `event.key` has them, letters without shift in lower case. */
  keys: string[];
  /** Control, or the command key of a Mac. */
  with?: 'ctrl';
  shown: string;
  words: string;
  action: () => void;
}

/** Fields that have a history of what was typed in them. */
const written = 'input[type="text"], input[type="search"], textarea, [contenteditable]';

export function listenToKeys(actions: KeyAction[]): void {
  document.addEventListener('keydown', (event) => {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey) return;
    const target = event.target as HTMLElement;
    // A field of a dialog that has just closed keeps the focus for a moment.
    const taken = ctrl ? written : 'input, select, textarea, [contenteditable]';
    const typing = target.closest(taken) && !target.closest('dialog:not([open])');
    if (document.querySelector('dialog[open]') || typing) return;
    if ((event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary')) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = ctrl && event.shiftKey ? letter.toUpperCase() : letter;
    const found = actions.find((one) => (one.with === 'ctrl') === ctrl && one.keys.includes(key));
    if (!found || (event.repeat && found.keys[0] === ' ')) return;
    event.preventDefault();
    found.action();
  });
}
