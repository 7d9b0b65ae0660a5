// The few formulas that descriptions hold between dollar signs, as text with raised and lowered parts:
// Greek letters, operators, fractions and roots on one line. Anything unknown is shown as it is written.

const symbols: Record<string, string> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  varepsilon: 'ε',
  zeta: 'ζ',
  eta: 'η',
  theta: 'θ',
  kappa: 'κ',
  lambda: 'λ',
  mu: 'µ',
  nu: 'ν',
  xi: 'ξ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  varphi: 'φ',
  chi: 'χ',
  psi: 'ψ',
  omega: 'ω',
  Gamma: 'Γ',
  Delta: 'Δ',
  Theta: 'Θ',
  Lambda: 'Λ',
  Sigma: 'Σ',
  Phi: 'Φ',
  Omega: 'Ω',
  cdot: '·',
  times: '×',
  pm: '±',
  approx: '≈',
  sim: '~',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  ll: '≪',
  gg: '≫',
  to: '→',
  infty: '∞',
  partial: '∂',
  int: '∫',
  sum: '∑',
  sqrt: '√',
  quad: ' ',
  circ: '°',
  ldots: '…',
  dots: '…',
};
/** Set on the letter before them. */
const accents: Record<string, string> = {
  bar: '\u0304',
  hat: '\u0302',
  dot: '\u0307',
  ddot: '\u0308',
  tilde: '\u0303',
};
const functions =
  /^(sin|cos|tan|exp|log|ln|sinh|cosh|tanh|min|max|atan|arctan|arcsin|arccos|artanh|text|mathrm|left|right)$/;

export interface Piece {
  text: string;
  shift: 'none' | 'up' | 'down';
}

/** Pieces of a formula in reading order. */
export function mathPieces(source: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (text: string, shift: Piece['shift']): void => {
    const last = pieces.at(-1);
    if (last?.shift === shift) last.text += text;
    else if (text) pieces.push({ text, shift });
  };
  let at = 0;
  while (at < source.length) {
    const c = source[at];
    if (c === '^' || c === '_') {
      const [group, end] = argument(source, at + 1);
      add(flat(group), c === '^' ? 'up' : 'down');
      at = end;
    } else {
      const [text, end] = plainToken(source, at);
      add(text, 'none');
      at = end;
    }
  }
  return pieces;
}

/** A formula as plain text: "P_cr = π² E I / 4 L²" without the shifts. */
export function flat(source: string): string {
  return mathPieces(source)
    .map(({ text, shift }) => (shift === 'up' ? (raised[text] ?? `^${text}`) : text))
    .join('');
}

const raised: Record<string, string> = { 2: '²', 3: '³', 4: '⁴', '-1': '⁻¹', '-2': '⁻²', '°': '°' };

function plainToken(source: string, at: number): [string, number] {
  const command = /^\\([A-Za-z]+)\s*/.exec(source.slice(at));
  if (!command) {
    if (source[at] === '\\') return [' ', at + 2];
    return [source[at] === '{' || source[at] === '}' ? '' : source[at].replace('-', '−'), at + 1];
  }
  const name = command[1];
  const after = at + command[0].length;
  if (name === 'frac' || name === 'tfrac' || name === 'dfrac') {
    const [top, middle] = argument(source, after);
    const [bottom, end] = argument(source, middle);
    const wrap = (text: string): string => (/[\s+−·*/-]/.test(text) ? `(${text})` : text);
    return [`${wrap(flat(top))}/${wrap(flat(bottom))}`, end];
  }
  if (name === 'sqrt') {
    const [inside, end] = argument(source, after);
    return [`√(${flat(inside)})`, end];
  }
  if (Object.hasOwn(accents, name)) {
    const [inside, end] = argument(source, after);
    return [flat(inside) + accents[name], end];
  }
  if (name === 'operatorname') {
    const [inside, end] = argument(source, after);
    const space = /^\s*/.exec(source.slice(end));
    return [`${inside} `, end + (space?.[0].length ?? 0)];
  }
  if (functions.test(name)) return [/^(text|mathrm|left|right)$/.test(name) ? '' : `${name} `, after];
  return [symbols[name] ?? `\\${name}`, after];
}

/** What stands in braces at a place, or one character or command; and where it ends. */
function argument(source: string, at: number): [string, number] {
  if (source[at] !== '{') {
    const command = /^\\[A-Za-z]+/.exec(source.slice(at));
    const length = command ? command[0].length : 1;
    return [source.slice(at, at + length), at + length];
  }
  let depth = 0;
  for (let end = at; end < source.length; ++end) {
    if (source[end] === '{') depth += 1;
    if (source[end] === '}') depth -= 1;
    if (depth === 0) return [source.slice(at + 1, end), end + 1];
  }
  return [source.slice(at + 1), source.length];
}
