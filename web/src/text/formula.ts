// Formulas between dollar signs. The library that sets them comes when the first one is shown; until then, and where it could
// not be fetched, they are shown as they are written.
import { Chunk } from '../ui/chunk';
import { inDollars } from './dollars';

export const formulaChunk = new Chunk(() => import('./mathml'));

/** `source`: in TeX. `display`: in a line of its own. */
export function formula(source: string, display = false): HTMLElement {
  const node = document.createElement('span');
  node.className = display ? 'math display' : 'math';
  node.textContent = source;
  formulaChunk.get().then(
    ({ mathml }) => {
      const set = mathml(source, display);
      if (set) node.replaceChildren(set);
    },
    () => {},
  );
  return node;
}

/** A line of plain text with its formulas set. */
export function withFormulas(line: string): Node[] {
  return line
    .split(inDollars)
    .map((part, i) => (i % 2 === 1 ? formula(part) : document.createTextNode(part)))
    .filter((node) => node.textContent !== '');
}
