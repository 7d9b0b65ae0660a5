// What the page has to say: short notes that go, and messages that stay until they are read or solved.
import { h, iconButton } from '../ui/dom';

export interface Action {
  label: string;
  /** What most will want. */
  primary?: boolean;
  action: () => void;
}

interface Kept {
  node: HTMLElement;
  title: HTMLElement;
  labels: string;
  actions: Action[];
}

export class Messages {
  readonly element = h('div', { class: 'messages' });
  private readonly polite = h('div', { role: 'status', class: 'messages-list' });
  private readonly urgent = h('div', { role: 'alert', class: 'messages-list' });
  private readonly lists = h('div', { class: 'messages-lists' }, this.urgent, this.polite);
  private readonly kept = new Map<string, Kept>();
  private readonly notes = new Map<string, HTMLElement>();

  constructor() {
    this.element.append(this.lists);
  }

  /** Goes by itself; one that is still there is not said again. */
  note(text: string, seconds = 4): void {
    if (this.notes.has(text)) return;
    const node = h('div', { class: 'message note' }, h('p', {}, text));
    this.notes.set(text, node);
    this.place(this.polite, node);
    setTimeout(() => {
      if (this.notes.get(text) === node) this.unsay((one) => one === text);
    }, seconds * 1000);
  }

  /** Takes notes away that another message makes needless. */
  unsay(needless: (text: string) => boolean): void {
    for (const [text, node] of this.notes) {
      if (!needless(text)) continue;
      node.remove();
      this.notes.delete(text);
    }
  }

  /** Stays; a new one under the same key takes its place. `closes`: a person may take it away. */
  keep(
    key: string,
    tone: 'info' | 'trouble',
    title: string,
    text: string,
    actions: Action[] = [],
    closes = true,
  ): void {
    const labels = `${tone} ${text} ${actions.map(({ label }) => label).join(' ')}`;
    const old = this.kept.get(key);
    if (old?.labels === labels) {
      // Only the title counts on: buttons under a pointer stay.
      old.title.textContent = title;
      old.actions = actions;
      return;
    }
    this.clear(key);
    const buttons = actions.map(({ label, primary }, i) =>
      h(
        'button',
        {
          type: 'button',
          class: primary ? 'primary' : '',
          on: { click: () => this.kept.get(key)?.actions[i].action() },
        },
        label,
      ),
    );
    const strong = h('strong', {}, title);
    const node = h(
      'div',
      { class: `message ${tone}`, data: { key } },
      h('div', { class: 'message-text' }, strong, text ? h('p', {}, text) : null),
      ...buttons,
      closes && iconButton('close', 'Close this message', () => this.clear(key)),
    );
    this.kept.set(key, { node, title: strong, labels, actions });
    this.place(tone === 'trouble' ? this.urgent : this.polite, node);
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }

  clear(key: string): void {
    this.kept.get(key)?.node.remove();
    this.kept.delete(key);
  }

  /** Where there are more than have room, the newest is in sight. */
  private place(list: HTMLElement, node: HTMLElement): void {
    list.append(node);
    this.lists.scrollTop = node.offsetTop;
  }
}
