// Short ways to make page elements, and the icons.

type Child = Node | string | null | undefined | false;
type Props<T> = Partial<Omit<T, 'style' | 'dataset'>> & {
  class?: string;
  data?: Record<string, string>;
  aria?: Record<string, string>;
  role?: string;
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
};

/** `h('button', {class: 'primary', on: {click}}, 'Run')`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  const { class: className, data, aria, role, on, ...rest } = props as Props<HTMLElement>;
  if (className) node.className = className;
  if (role) node.setAttribute('role', role);
  for (const [key, value] of Object.entries(data ?? {})) node.dataset[key] = value;
  for (const [key, value] of Object.entries(aria ?? {})) node.setAttribute(`aria-${key}`, value);
  for (const [type, handler] of Object.entries(on ?? {})) node.addEventListener(type, handler as EventListener);
  Object.assign(node, rest);
  for (const child of children) if (child) node.append(child);
  return node;
}

const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  step: 'M5 5v14l9.5-7zM16 5h3v14h-3z',
  reset: 'M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7 6l5-4z',
  loop: 'M7 7h9V4l5 4.5-5 4.5v-3H7a2 2 0 0 0-2 2v1H3v-1a5 5 0 0 1 4-5M17 17H8v3l-5-4.5L8 11v3h9a2 2 0 0 0 2-2v-1h2v1a5 5 0 0 1-4 5',
  undo: 'M9 5 4 9.5 9 14v-3h5a3.5 3.5 0 0 1 0 7H9v2h5a5.5 5.5 0 0 0 0-11H9z',
  redo: 'm15 5 5 4.5-5 4.5v-3h-5a3.5 3.5 0 0 0 0 7h5v2h-5a5.5 5.5 0 0 1 0-11h5z',
  close: 'm6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z',
  frame: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  code: 'm8.5 6 1.4 1.4L5.3 12l4.6 4.6L8.5 18l-6-6zm7 0 6 6-6 6-1.4-1.4 4.6-4.6-4.6-4.6z',
  share: 'M12 2.5 17 7.5l-1.4 1.4L13 6.3V15h-2V6.3L8.4 8.9 7 7.5zM5 11h3v2H7v6h10v-6h-1v-2h3v10H5z',
  down: 'M11 4h2v8.7l2.6-2.6L17 11.5l-5 5-5-5 1.4-1.4 2.6 2.6zM5 18h14v2H5z',
  eye: 'M12 5c5 0 8.5 4 10 7-1.5 3-5 7-10 7S3.5 15 2 12c1.5-3 5-7 10-7m0 2c-3.7 0-6.3 2.7-7.7 5C5.7 14.3 8.3 17 12 17s6.3-2.7 7.7-5C18.3 9.7 15.7 7 12 7m0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6',
  book: 'M12 6c-2-1.4-4.6-2-8-2v14c3.4 0 6 .6 8 2 2-1.4 4.6-2 8-2V4c-3.4 0-6 .6-8 2m-1 1.6v9.6c-1.4-.6-3-1-5-1.1v-10c2 .1 3.7.6 5 1.5m2 9.6V7.6c1.3-.9 3-1.4 5-1.5v10c-2 .1-3.6.5-5 1.1',
  enlarge: 'M13 4h7v7h-2V7.4l-4.3 4.3-1.4-1.4L16.6 6H13zM4 13h2v3.6l4.3-4.3 1.4 1.4L7.4 18H11v2H4z',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its words are its label and its tip. */
export function iconButton(name: IconName, label: string, click: () => void, extra = ''): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: `icon-button ${extra}`, title: label, aria: { label }, on: { click } },
    icon(name),
  );
}
