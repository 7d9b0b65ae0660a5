// Colors that canvases need as values; style sheets hold the same ones.

export interface Theme {
  text: string;
  faint: string;
  line: string;
  surface: string;
  /** Of the run before. */
  past: string;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: read('--text'),
    faint: read('--text-soft'),
    line: read('--line'),
    surface: read('--surface'),
    past: read('--past'),
  };
}

const darkScheme = '(prefers-color-scheme: dark)';

export function isDark(): boolean {
  return matchMedia(darkScheme).matches;
}

export function onThemeChange(handler: () => void): void {
  matchMedia(darkScheme).addEventListener('change', handler);
}
