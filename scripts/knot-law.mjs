// The pull on an open overhand knot against the law of thin rods (Audoly, Clauvelin, Neukirch 2007): rods of the same
// bending stiffness and different thickness, with and without friction. Runs build/native/tendril on
// scenes/overhand-knot.json and writes docs/pictures/knot-law.csv and .svg; a test of the engine holds what thin rods
// tend to (tests/engine/validation/self_contact_knot_test.cpp).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.argv.length > 2) {
  console.error('Usage: node scripts/knot-law.mjs (takes no arguments; needs the program: make native)');
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const sigma = 0.492;
const thickness = [
  { h: 2e-4, edges: 800 },
  { h: 4e-4, edges: 400 },
  { h: 8e-4, edges: 400 },
  { h: 1.6e-3, edges: 400 },
];
const frictions = [
  { mu: 0, color: '#1d6f8a' },
  { mu: 0.1, color: '#d55e00' },
  { mu: 0.3, color: '#7a4fa3' },
];
const EI = (1.8e6 * Math.PI * 1.6e-3 ** 4) / 4;

/** The scene with a thinner layer of contact; the knot comes to rest for two seconds before a slow pull. */
function scene() {
  let text = readFileSync(`${root}scenes/overhand-knot.json`, 'utf8');
  const change = (from, to) => {
    if (!text.includes(from)) throw new Error(`the scene does not hold ${from}`);
    text = text.replaceAll(from, to);
  };
  change('(t < 0.5 ? 0 : t < 1 ? (t - 0.5)^2 : t - 0.75)', '(t < 2 ? 0 : t < 2.5 ? (t - 2)^2 : t - 2.25)');
  change('"distance": "=0.2*h"', '"distance": "=0.05*h"');
  change('"stiffness": "=2*E"', '"stiffness": "=5760/h"');
  change('"density": 1180', '"density": "=1180*(1.6e-3/h)^2"');
  return text;
}

/** Means over the pull: sqrt(h/R), and the pull over EI/(2 R^2). */
function knot(text, { h, edges }, mu) {
  const folder = mkdtempSync(join(tmpdir(), 'knot-'));
  const sets = Object.entries({ h, edges, mu, E: 1.8e6 * (1.6e-3 / h) ** 4, speed: 0.003, air: 0.1 });
  try {
    execFileSync(
      `${root}build/native/tendril`,
      ['run', '-', '--until', '6', '--out', folder, ...sets.flatMap(([k, v]) => ['--set', `${k}=${v}`])],
      { input: text, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    const [head, ...lines] = readFileSync(join(folder, 'probes.csv'), 'utf8').trim().split('\n');
    const names = head.split(',');
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], Number(cell)])));
    const pulled = rows.filter(({ t }) => t >= 2.6);
    const mean = (f) => pulled.reduce((sum, row) => sum + f(row), 0) / pulled.length;
    return { eps: mean(({ R }) => Math.sqrt(h / R)), pull: mean(({ R, pull }) => (pull * 2 * R ** 2) / EI) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const law = (mu, eps) => 1 + (2 * mu * sigma) / eps;
const text = scene();
const rows = frictions.flatMap(({ mu }) => thickness.map((rod) => ({ mu, h: rod.h, ...knot(text, rod, mu) })));
writeFileSync(
  `${root}docs/pictures/knot-law.csv`,
  'mu,h_m,sqrt_h_over_R,pull_over_EI_2R2,law\n' +
    rows
      .map((r) => `${r.mu},${r.h},${r.eps.toFixed(5)},${r.pull.toFixed(4)},${law(r.mu, r.eps).toFixed(4)}\n`)
      .join(''),
);

const width = 760,
  height = 400,
  left = 62,
  right = 20,
  top = 60,
  bottom = 62,
  widest = 0.22,
  high = 12;
const x = (eps) => left + (eps / widest) * (width - left - right);
const y = (pull) => top + (1 - pull / high) * (height - top - bottom);
let svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" role="img" aria-labelledby="t d">
  <title id="t">The pull on an overhand knot and the law of thin rods</title>
  <desc id="d">The pull over EI/(2 R^2) against the square root of h/R, without friction and with coefficients of 0.1 and 0.3. Dots are computed, lines the law of thin rods; the thinner the rod, the nearer. The numbers are in knot-law.csv.</desc>
  <rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>\n`;
for (let v = 0; v <= high; v += 2)
  svg += `  <path d="M${left} ${y(v).toFixed(1)}H${width - right}" stroke="${v ? '#d9dde1' : '#20262c'}"/><text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end" fill="#20262c">${v}</text>\n`;
for (let v = 0; v < widest; v += 0.05)
  svg += `  <path d="M${x(v).toFixed(1)} ${y(0).toFixed(1)}v5" stroke="#20262c"/><text x="${x(v).toFixed(1)}" y="${height - bottom + 20}" text-anchor="middle" fill="#20262c">${v.toFixed(2)}</text>\n`;
svg += `  <text x="16" y="${(top + height - bottom) / 2}" transform="rotate(-90 16 ${(top + height - bottom) / 2})" text-anchor="middle" fill="#20262c">pull / (EI/2R²)</text>
  <text x="${(left + width - right) / 2}" y="${height - 16}" text-anchor="middle" fill="#20262c">√(h/R): thickness of the rod against the size of the loop</text>\n`;
frictions.forEach(({ mu, color }, k) => {
  const points = [];
  for (let eps = widest; eps > 0.02; eps -= 0.002)
    if (law(mu, eps) <= high) points.push(`${x(eps).toFixed(1)} ${y(law(mu, eps)).toFixed(1)}`);
  svg += `  <path d="M${points.join('L')}" fill="none" stroke="${color}" stroke-width="2"/>\n`;
  for (const r of rows.filter((row) => row.mu === mu))
    svg += `  <circle cx="${x(r.eps).toFixed(1)}" cy="${y(r.pull).toFixed(1)}" r="5" fill="${color}"><title>friction ${mu}, h ${r.h} m: ${r.pull.toFixed(3)}, law ${law(mu, r.eps).toFixed(3)}</title></circle>\n`;
  svg += `  <circle cx="${left + 8 + k * 150}" cy="28" r="5" fill="${color}"/><text x="${left + 22 + k * 150}" y="32" fill="#20262c">${mu ? `friction ${mu}` : 'no friction'}</text>\n`;
});
svg += `  <text x="${width - right}" y="32" text-anchor="end" fill="#20262c">dots: computed; lines: thin rods</text>\n</svg>\n`;
writeFileSync(`${root}docs/pictures/knot-law.svg`, svg);
for (const r of rows) console.log(r.mu, r.h, r.eps.toFixed(4), r.pull.toFixed(4), law(r.mu, r.eps).toFixed(4));
