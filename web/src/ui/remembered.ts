// What a person has chosen once stays chosen in this browser, where it lets the page remember.

const prefix = 'tendril.';

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Private windows and strict settings: it holds until the page is closed.
  }
}

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}
