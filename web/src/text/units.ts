// Numbers with units for people: SI prefixes, three or four digits, never an exponent of a machine.
// And back: what a person types, with or without prefix and unit, as a number in SI.

const prefixes: [string, number][] = [
  ['T', 1e12],
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
  ['', 1],
  ['m', 1e-3],
  ['µ', 1e-6],
  ['n', 1e-9],
  ['p', 1e-12],
];
const prefixFactor: Record<string, number> = { ...Object.fromEntries(prefixes), u: 1e-6, μ: 1e-6 };
const takesPrefix = /^(Pa|m|s|N|J|Hz|W|V|g)(?![\^²³A-Za-z])/;
const superscripts: Record<string, string> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

/** "m/s^2" as "m/s²", "Pa s" as "Pa·s"; "1", of a pure number, as nothing. */
export function prettyUnit(unit: string): string {
  if (unit === '1') return '';
  return unit.replace(/\^(-?\d)/g, (_, digits: string) => superscript(digits)).replace(/(?<=\S)[ *](?=\S)/g, '·');
}

function superscript(text: string): string {
  return [...text].map((c) => superscripts[c] ?? c).join('');
}

/** The factor and the text of the unit that suit values of this size. */
export function scaleFor(size: number, unit: string): { factor: number; unit: string } {
  let base = unit;
  let baseFactor = 1;
  if (/^kg(?![A-Za-z^²³])/.test(unit) && !unit.includes('/')) {
    base = unit.slice(1);
    baseFactor = 1e-3;
  }
  if (!takesPrefix.test(base)) return { factor: 1, unit: prettyUnit(unit) };
  const scaled = Math.abs(size) / baseFactor;
  // "0.4 Hz" reads better than "400 mHz".
  if (base === 'Hz' && scaled < 1) return { factor: 1, unit: 'Hz' };
  // Beyond the prefixes a power of ten says more than one times "p" or "T".
  if (!(scaled >= 1e-13 && scaled < 1e16)) return { factor: 1, unit: prettyUnit(unit) };
  const [prefix, factor] = prefixes.find(([, f]) => scaled >= f * 0.99999) ?? prefixes[prefixes.length - 1];
  return { factor: factor * baseFactor, unit: prefix + prettyUnit(base) };
}

/** "10⁻⁷". */
export function powerOfTen(exponent: number): string {
  return `10${superscript(String(exponent))}`;
}

/** A plain number with about `digits` significant digits: grouping from 10 000, powers of ten beyond. */
export function plain(value: number, digits = 3): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${minus(mantissa)}×10${superscript(String(Number(exponent)))}`;
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits))))));
  const [whole, fraction] = value.toFixed(Math.min(decimals, 12)).split('.');
  const grouped = whole.replace('-', '').length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') : whole;
  return minus(fraction ? `${grouped}.${fraction}` : grouped);
}

function minus(text: string): string {
  return text.replace('-', '−');
}

/** "2.00 MPa", "−1.50 mm", "0.400". */
export function quantity(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return plain(value);
  if (value === 0) return `0 ${prettyUnit(unit)}`.trim();
  const scale = scaleFor(value, unit);
  const text = plain(value / scale.factor, digits);
  return scale.unit ? `${text} ${scale.unit}` : text;
}

/** Several quantities of one unit, with as many decimals as the largest needs: noise beside it shows as zero. */
export function together(values: number[], unit: string): string[] {
  const largest = Math.max(...values.map((value) => (Number.isFinite(value) ? Math.abs(value) : 0)));
  if (values.length === 1 || largest === 0) return values.map((value) => quantity(value, unit));
  const scale = scaleFor(largest, unit);
  const size = largest / scale.factor;
  if (size >= 1e5 || size < 1e-3) return values.map((value) => quantity(value, unit));
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return values.map((value) => {
    if (!Number.isFinite(value)) return plain(value);
    const text = (value / scale.factor).toFixed(decimals);
    return `${minus(Number(text) === 0 ? '0' : text)}${scale.unit ? ` ${scale.unit}` : ''}`;
  });
}

/** Two lists of quantities that are compared: each as `together`, but in one unit. */
export function besideEachOther(values: number[], others: number[], unit: string): string[] {
  const factor = (list: number[]): number =>
    scaleFor(Math.max(...list.filter(Number.isFinite).map(Math.abs)), unit).factor;
  if (others.length === 0 || factor(values) === factor(others))
    return [...together(values, unit), ...together(others, unit)];
  return together([...values, ...others], unit);
}

/** As `quantity`, without trailing zeros and with as many digits as the number has, up to six: for entry fields. */
export function entry(value: number, unit: string): string {
  const scale = scaleFor(value, unit);
  const scaled = value / scale.factor;
  const size = Math.abs(scaled);
  const number =
    size !== 0 && (size >= 1e7 || size < 1e-4)
      ? scaled.toExponential(5).replace(/\.?0*e\+?/, 'e')
      : String(Number(scaled.toPrecision(6)));
  return scale.unit ? `${number} ${scale.unit}` : number;
}

/** "from 10 MPa to 70 GPa". */
export function range(low: number, high: number, unit: string): string {
  return `from ${entry(low, unit)} to ${entry(high, unit)}`.replace(/(?<= )-/g, '−');
}

/** What no number of a machine can be. */
export type OutOfReach = 'too small' | 'too large';

/** Whether what is written, in decimal digits, was lost where it became a number. */
export function outOfReach(written: string, number: number): OutOfReach | null {
  if (!Number.isFinite(number)) return 'too large';
  return number === 0 && /[1-9]/.test(written.split(/e/i)[0]) ? 'too small' : null;
}

/** "1,500": a comma parts thousands for some, decimals for others. */
const eitherWay = /^[-+]?[1-9]\d{0,2},\d{3}(?!\d)/;

/** What a person typed, in SI: "2e6", "2 MPa", "2M", "1,5 mm"; null where it is no number or another unit. */
export function parseQuantity(text: string, unit: string): number | OutOfReach | 'two numbers' | null {
  const tidy = text
    .trim()
    .replace(/−/g, '-')
    .replace(/[\u202f\u00a0]/g, ' ');
  const match = /^([-+]?(?:(?:\d{1,3}(?: \d{3})+|\d+)(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?)\s*(.*)$/i.exec(tidy);
  const factor = match && factorOf(match[2].trim(), prettyUnit(unit));
  if (!match || factor === null) return null;
  if (eitherWay.test(match[1])) return 'two numbers';
  const number = Number(match[1].replace(/ /g, '').replace(',', '.')) * factor;
  return outOfReach(match[1], number) ?? number;
}

/** Of a unit that is written, to the one that is wanted; null: it is another. */
function factorOf(written: string, wanted: string): number | null {
  if (written === '' || prettyUnit(written) === wanted) return 1;
  const gram = wanted === 'kg';
  const base = gram ? 'g' : wanted;
  const factor = gram ? 1e-3 : 1;
  if (gram && written === 'g') return factor;
  const prefix = written[0];
  const rest = prettyUnit(written.slice(1));
  // "5 m" of a force is no 5 mN.
  if (written === 'm' && wanted !== '') return null;
  const known = Object.hasOwn(prefixFactor, prefix) && (takesPrefix.test(base) || wanted === '');
  if (known && (rest === base || rest === '')) return prefixFactor[prefix] * (rest === '' && gram ? 1 : factor);
  return null;
}

/** A 1-2-5 number not above `value`. */
export function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** Seconds with digits that do not jump while time runs: "3.42 s". */
export function clock(seconds: number, duration: number): string {
  const scale = scaleFor(Math.max(duration, 1e-12), 's');
  const inUnit = duration >= 1000 ? { factor: 1, unit: 's' } : scale;
  const span = duration / inUnit.factor;
  const decimals = span >= 1000 ? 0 : span >= 100 ? 1 : 2;
  return `${(seconds / inUnit.factor).toFixed(decimals)} ${inUnit.unit}`;
}

/** A moment of a run as `clock` tells it, with more digits where it comes early: "0.050 s". */
export function moment(seconds: number, duration: number): string {
  const span = Math.max(duration, seconds);
  const told = clock(seconds, span);
  const first = Math.max(seconds, 1e-12) / scaleFor(span >= 1000 ? 1 : span, 's').factor;
  const decimals = Math.ceil(1 - Math.log10(first));
  const has = /\.(\d+)/.exec(told)?.[1].length ?? 0;
  if (seconds <= 0 || decimals <= has) return told;
  return decimals > 3 ? quantity(seconds, 's', 2) : `${first.toFixed(decimals)} ${told.split(' ')[1]}`;
}

/** Counts with thin spaces: "1 214". */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
