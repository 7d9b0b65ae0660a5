// A formula in TeX as MathML. The library's markup is copied element by element, from a list: formulas come from anyone, and
// the page's policy forbids style attributes, which become properties of the elements' styles here.
import temml from 'temml';
import 'temml/dist/Temml-Local.css';
import '../styles/formulas.css';

const namespace = 'http://www.w3.org/1998/Math/MathML';
const elements = new Set(
  (
    'math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub ' +
    'msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
);
const attributes = new Set(
  (
    'accent accentunder class columnalign columnlines columnspacing columnspan depth dir display displaystyle fence form height ' +
    'largeop linebreak linethickness lspace mathcolor mathbackground mathsize mathvariant maxsize minsize movablelimits notation ' +
    'rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width'
  ).split(' '),
);

/** null: the library cannot read it. */
export function mathml(source: string, display: boolean): Element | null {
  const markup = markupOf(source, display);
  // Elements without a namespace: nothing in this document is live.
  const root = markup && new DOMParser().parseFromString(markup, 'application/xml').documentElement;
  return root && root.localName === 'math' ? copyOf(root) : null;
}

/** '' where the library cannot read it. */
export function markupOf(source: string, display: boolean): string {
  try {
    return temml.renderToString(source, { displayMode: display, throwOnError: true, trust: false, wrap: 'tex' });
  } catch {
    return '';
  }
}

function copyOf(from: Element): Element {
  const node = document.createElementNS(
    namespace,
    elements.has(from.localName) ? from.localName : 'mrow',
  ) as MathMLElement;
  for (const { name, value } of from.attributes) {
    if (name === 'style') setStyle(node.style, value);
    else if (attributes.has(name)) node.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child instanceof Element) node.append(copyOf(child));
    else if (child instanceof Text) node.append(child.data);
  }
  return node;
}

/** What could fetch something is left out. */
function setStyle(style: CSSStyleDeclaration, text: string): void {
  for (const declaration of text.split(';')) {
    const [name, value = ''] = declaration.split(':');
    if (!value.includes('(')) style.setProperty(name.trim(), value.trim());
  }
}
