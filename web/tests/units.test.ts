// Numbers for people: prefixes and digits, and reading back what is typed.
import { describe, expect, it } from 'vitest';
import { plotReadings, readings } from '../src/text/readings';
import {
  besideEachOther,
  clock,
  count,
  entry,
  niceBelow,
  parseQuantity,
  plain,
  prettyUnit,
  quantity,
  scaleFor,
  together,
} from '../src/text/units';

describe('quantity', () => {
  it.each([
    [2e6, 'Pa', '2.00 MPa'],
    [1.5e-3, 'm', '1.50 mm'],
    [-0.02759, 'm', '−27.6 mm'],
    [0, 'm', '0 m'],
    [6.36e-15, 'm^4', '6.36×10⁻¹⁵ m⁴'],
    [-1e-17, 'm', '−1.00×10⁻¹⁷ m'],
    [1e-300, 'Pa', '1.00×10⁻³⁰⁰ Pa'],
    [2e20, 'Pa', '2.00×10²⁰ Pa'],
    [999.9999999, 'm', '1.00 km'],
    [1000, 'm', '1.00 km'],
    [12, '1/m', '12.0 1/m'],
    [0.5, '', '0.500'],
    [12345.678, '', '12\u202f346'],
    [2.5e7, '', '2.50×10⁷'],
    [3.2e-6, 'rad', '3.20×10⁻⁶ rad'],
    [0.4, 'kg', '400 g'],
    [1200, 'kg/m^3', '1200 kg/m³'],
    [9.81, 'm/s^2', '9.81 m/s²'],
    [2e-4, 'N m^2', '200 µN·m²'],
    [0.004, 'm^2', '0.00400 m²'],
    [Number.NaN, 'm', '–'],
    [0.4, 'Hz', '0.400 Hz'],
    [2500, 'Hz', '2.50 kHz'],
  ])('%s %s is %s', (value, unit, text) => expect(quantity(value, unit)).toBe(text));

  it('of every probe is as it is; only components of one probe show their round-off as zero', () => {
    const columns = [0, 1, 2, 2, 3].map((probe, i) => ({ probe, unit: i < 2 ? 'Pa' : 'm' }));
    const texts = readings(columns, [2e11, 0.015, 3, -1e-17, 1e-15]);
    expect(texts).toEqual(['200.0 GPa', '15.00 mPa', '3.000 m', '0 m', '1.000×10⁻¹⁵ m']);
  });

  it('that is none is told as that, in the table and beside plots', () => {
    expect(readings([{ probe: 0, unit: 'm' }], [Number.NaN])).toEqual(['no value']);
    expect(plotReadings([Number.NaN, 2], [1, Number.NaN], 'm')).toEqual(['no value', '2.000 m', '1.000 m', 'no value']);
  });

  it('never shows an exponent of a machine', () => {
    for (let e = -15; e < 16; ++e) {
      for (const unit of ['', 'Pa', 'm', 'rad', 'kg', '1/m']) {
        expect(quantity(-1.2345 * 10 ** e, unit)).not.toMatch(/e[+-]?\d/);
        expect(plain(7.7 * 10 ** e)).not.toMatch(/e[+-]?\d/);
      }
    }
  });
});

describe('typed quantities', () => {
  it.each([
    ['2 MPa', 'Pa', 2e6],
    ['2M', 'Pa', 2e6],
    ['2e6', 'Pa', 2e6],
    ['2e6 Pa', 'Pa', 2e6],
    ['1,5 mm', 'm', 1.5e-3],
    ['0,125 m', 'm', 0.125],
    ['1,5000 m', 'm', 1.5],
    ['−3 µm', 'm', -3e-6],
    ['3 um', 'm', 3e-6],
    ['400 g', 'kg', 0.4],
    ['2 kg', 'kg', 2],
    ['12 346', '', 12346],
    ['0.2 rad', 'rad', 0.2],
    ['200 µN·m²', 'N m^2', 2e-4],
  ])('"%s" in %s', (text, unit, value) => expect(parseQuantity(text, unit)).toBeCloseTo(value, 12));

  it.each([
    ['abc', 'm'],
    ['', 'm'],
    ['3 s', 'm'],
    ['2 MPa', 'm'],
    ['5 m', 'N'],
    ['3 mrad', 'rad'],
    ['1 2 x', ''],
  ])('"%s" is refused in %s', (text, unit) => expect(parseQuantity(text, unit)).toBeNull());

  it.each([
    ['1e-400', 'Pa', 'too small'],
    ['-2e-320 nm', 'm', 'too small'],
    ['1e999', 'm', 'too large'],
    ['1e300 TPa', 'Pa', 'too large'],
    ['0', 'm', 0],
    ['0.0e-400', 'm', 0],
  ])('"%s" in %s is %s: nothing is lost without a word', (text, unit, found) =>
    expect(parseQuantity(text, unit)).toBe(found),
  );

  it('reads back what an entry field shows', () => {
    for (const unit of ['', 'Pa', 'm', 'kg', 'rad', 'N m^2', '1/m', 'kg/m^3']) {
      for (const value of [0, 1, -2.5e-3, 123456, 2e6, 3.25e-8, 7.125e9]) {
        const back = parseQuantity(entry(value, unit), unit);
        expect(back).toBeTypeOf('number');
        expect(Math.abs(Number(back) - value)).toBeLessThanOrEqual(1e-5 * Math.abs(value));
      }
    }
  });
  it.each(['1,500', '-20,000', '7,850 kg'])('"%s" may be read in two ways', (text) =>
    expect(parseQuantity(text, text.endsWith('kg') ? 'kg' : 'Pa')).toBe('two numbers'),
  );
});

it('units are written as people do', () => {
  expect(prettyUnit('N m^2')).toBe('N·m²');
  expect(prettyUnit('1/s^-2')).toBe('1/s⁻²');
  expect(scaleFor(3e-3, 'J/m')).toEqual({ factor: 1e-3, unit: 'mJ/m' });
  expect(scaleFor(3e6, 'm^2')).toEqual({ factor: 1, unit: 'm²' });
});

it('round lengths, clocks and counts', () => {
  expect([0.13, 0.2, 0.51, 7, 0.0999].map(niceBelow)).toEqual(
    [0.1, 0.2, 0.5, 5, 0.05].map((v) => expect.closeTo(v, 12)),
  );
  expect(clock(3.4159, 10)).toBe('3.42 s');
  expect(clock(0.0015, 0.02)).toBe('1.50 ms');
  expect(clock(12345, 20000)).toBe('12345 s');
  expect(count(1214)).toBe('1\u202f214');
});

it('quantities that are compared stand in one unit', () => {
  expect(besideEachOther([6e-3], [4e-3], 'm')).toEqual(['6.00 mm', '4.00 mm']);
  expect(besideEachOther([6e-3], [1.2], 'm')).toEqual(['0.006 m', '1.200 m']);
  expect(besideEachOther([0], [4e-3], 'm')).toEqual(['0 mm', '4.000 mm']);
  expect(besideEachOther([6e-3], [], 'm')).toEqual(['6.00 mm']);
  expect(besideEachOther([1, Number.NaN], [2e3, 3], 'J')).toEqual(['0.001 kJ', '–', '2.000 kJ', '0.003 kJ']);
});

it('quantities shown together share their unit, and noise is zero', () => {
  expect(together([0.0575, 4.26e-8, -0.0204], 'm')).toEqual(['57.50 mm', '0 mm', '−20.40 mm']);
  expect(together([0, 0], 'm')).toEqual(['0 m', '0 m']);
  expect(together([4.26e-8], 'm')).toEqual(['42.6 nm']);
  expect(together([2e7, 1], '')).toEqual(['2.00×10⁷', '1.00']);
  expect(together([Number.NaN, 0.5], 'J')).toEqual(['–', '500.0 mJ']);
});
