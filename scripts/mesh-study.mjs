// The mesh study of the MAT-DiSMech paper (figure 13): a cantilever plate on five meshes, by hinges and by mid-edge normals,
// with the paper's clamp and an exact one. Runs build/native/tendril and writes docs/pictures/mesh-study.csv and .svg; a
// test of the engine holds the numbers (tests/engine/validation/shell_mesh_study_test.cpp).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (process.argv.length > 2) {
  console.error('Usage: node scripts/mesh-study.mjs (takes no arguments; needs the program: make native)');
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const meshes = ['equilateral', 'equilateral-aligned', 'right-isosceles', 'random', 'nonuniform'];
const models = ['hinge', 'midedge'];
const clamps = ['paper', 'exact'];
const edges = [5e-3, 2.5e-3, 1.25e-3];
const beam = 5.7925149e-4; // 2 GPa, 0.09 m, 1 mm, 1200 kg/m^3, 9.81 m/s^2: the elastica under its own weight

/** The plate: 0.09 m hang free. The paper's clamp fixes the nodes of another 0.01 m (and, with mid-edge, its edges' xi). */
function scene(mesh, model, clamp, edge) {
  const exact = clamp === 'exact';
  const where = exact ? 'x < 1e-9' : 'x < 0.01 + 1e-9';
  return {
    format: 'tendril/1',
    materials: { sheet: { youngs: 2e9, poisson: 0.5, density: 1200 } },
    shells: {
      plate: {
        thickness: 1e-3,
        bending: model,
        mesh: {
          rectangle: {
            corner: [0, -0.01, 0],
            along: [exact ? 0.09 : 0.1, 0, 0],
            across: [0, 0.02, 0],
            edge,
            pattern: mesh,
          },
        },
      },
    },
    constraints: [{ [exact || model === 'midedge' ? 'clamp' : 'fix']: { of: 'plate', where } }],
    environment: { gravity: [0, 0, -9.81] },
    solver: { mode: 'static' },
    probes: { tip: { position: { of: 'plate', where: `x > ${exact ? 0.09 : 0.1} - 1e-9` } } },
  };
}

function drop(...args) {
  const out = execFileSync(`${root}build/native/tendril`, ['run', '-', '--json'], {
    input: JSON.stringify(scene(...args)),
  });
  return -JSON.parse(out).probes['tip.z'];
}

const rows = [];
for (const edge of edges)
  for (const mesh of meshes)
    for (const model of models)
      for (const clamp of clamps) rows.push({ edge, mesh, model, clamp, drop: drop(mesh, model, clamp, edge) });
writeFileSync(
  `${root}docs/pictures/mesh-study.csv`,
  'edge_m,mesh,model,clamp,tip_drop_m,over_beam\n' +
    rows
      .map((r) => `${r.edge},${r.mesh},${r.model},${r.clamp},${r.drop.toPrecision(9)},${(r.drop / beam).toFixed(4)}\n`)
      .join(''),
);

const value = (edge, mesh, model, clamp) =>
  rows.find((r) => r.edge === edge && r.mesh === mesh && r.model === model && r.clamp === clamp).drop / beam;
const series = [
  { model: 'hinge', clamp: 'paper', color: '#f4a261', label: "hinge, the paper's clamp" },
  { model: 'hinge', clamp: 'exact', color: '#d55e00', label: 'hinge, exact clamp' },
  { model: 'midedge', clamp: 'paper', color: '#8ecae6', label: "mid-edge, the paper's clamp" },
  { model: 'midedge', clamp: 'exact', color: '#1d6f8a', label: 'mid-edge, exact clamp' },
];
const width = 760,
  height = 380,
  left = 62,
  right = 20,
  top = 76,
  bottom = 56,
  low = 0.6,
  high = 1.4;
const y = (v) => top + ((high - v) / (high - low)) * (height - top - bottom);
const group = (width - left - right) / meshes.length;
const shown = edges[1];
let svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" role="img" aria-labelledby="t d">
  <title id="t">Tip deflection of a cantilever plate on five meshes</title>
  <desc id="d">Tip deflection over beam theory, edges of 2.5 mm. Mid-edge normals with an exact clamp give the same on all five meshes; hinges do not. The numbers are in mesh-study.csv.</desc>
  <rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>\n`;
for (let v = low; v <= high + 1e-9; v += 0.1)
  svg += `  <path d="M${left} ${y(v).toFixed(1)}H${width - right}" stroke="${Math.abs(v - 1) < 1e-9 ? '#20262c' : '#d9dde1'}"/><text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end" fill="#20262c">${v.toFixed(1)}</text>\n`;
svg += `  <text x="16" y="${(top + height - bottom) / 2}" transform="rotate(-90 16 ${(top + height - bottom) / 2})" text-anchor="middle" fill="#20262c">tip deflection / beam theory</text>\n`;
series.forEach((s, k) => {
  const x = left + (k % 2) * 330,
    line = 24 + Math.floor(k / 2) * 22;
  svg += `  <rect x="${x}" y="${line - 11}" width="14" height="14" fill="${s.color}"/><text x="${x + 22}" y="${line + 1}" fill="#20262c">${s.label}</text>\n`;
});
meshes.forEach((mesh, i) => {
  const bar = (group - 24) / series.length;
  series.forEach((s, k) => {
    const v = value(shown, mesh, s.model, s.clamp),
      x = left + i * group + 12 + k * bar;
    svg += `  <rect x="${x.toFixed(1)}" y="${y(v).toFixed(1)}" width="${(bar - 3).toFixed(1)}" height="${(y(low) - y(v)).toFixed(1)}" fill="${s.color}"><title>${mesh}, ${s.label}: ${v.toFixed(4)}</title></rect>\n`;
  });
  svg += `  <text x="${(left + (i + 0.5) * group).toFixed(1)}" y="${height - bottom + 22}" text-anchor="middle" fill="#20262c">${mesh}</text>\n`;
});
svg += `  <text x="${width - right}" y="${height - 10}" text-anchor="end" fill="#20262c" font-size="12">E 2 GPa, Poisson's ratio 0.5, edges of 2.5 mm; the line at 1 is beam theory</text>\n</svg>\n`;
writeFileSync(`${root}docs/pictures/mesh-study.svg`, svg);
for (const s of series)
  console.log(
    s.label.padEnd(30),
    ...meshes.map((m) => edges.map((e) => value(e, m, s.model, s.clamp).toFixed(3)).join('/')),
  );
