// What theory says of the four tests for simulators of Romero et al. (2021), for the checks of heavy-elastica, bend-twist,
// lateral-buckling and stick-slip: prints the values that docs/validation.md lists. Shares no code with the engine. Lengths
// are in units of the rod's, forces of EI/L^2.
if (process.argv.length > 2) {
  console.error('Usage: node scripts/four-tests.mjs (takes no arguments)');
  process.exit(2);
}

/** Solves a small dense system by elimination with pivots. */
function solve(matrix, right) {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let j = i; j < n; j++) if (Math.abs(rows[j][i]) > Math.abs(rows[pivot][i])) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const f = rows[j][i] / rows[i][i];
      for (let k = i; k <= n; k++) rows[j][k] -= f * rows[i][k];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/** Newton's method with central differences. */
function root(f, start) {
  let x = [...start];
  for (let iteration = 0; iteration < 60; iteration++) {
    const columns = x.map((v, i) => {
      const h = 1e-5 * Math.max(1, Math.abs(v));
      const at = (d) => f(x.map((w, j) => (j === i ? w + d : w)));
      const up = at(h);
      const down = at(-h);
      return up.map((u, k) => (u - down[k]) / (2 * h));
    });
    const r = f(x);
    const step = solve(
      r.map((_, k) => columns.map((c) => c[k])),
      r.map((v) => -v),
    );
    x = x.map((v, i) => v + step[i]);
    if (Math.max(...step.map(Math.abs)) < 1e-11) break;
  }
  return x;
}

/** Runge and Kutta's method over s from 0 to 1. */
function integrate(f, start, parts = 1000) {
  let y = start;
  const h = 1 / parts;
  const shift = (d, k) => y.map((v, j) => v + d * k[j]);
  for (let i = 0; i < parts; i++) {
    const s = i * h;
    const a = f(s, y);
    const b = f(s + h / 2, shift(h / 2, a));
    const c = f(s + h / 2, shift(h / 2, b));
    const d = f(s + h, shift(h, c));
    y = y.map((v, j) => v + (h / 6) * (a[j] + 2 * b[j] + 2 * c[j] + d[j]));
  }
  return y;
}

/** The largest x between `low`, where `holds` does, and `high`, where it does not. */
function bisect(holds, low, high) {
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Heavy elastica: theta'' = -G (1 - s) cos(theta), theta(0) = theta'(1) = 0. Shot from the tip, by how far it is from
 * hanging straight down: from the clamp, what a chain does at its end depends too much on the first curvature.
 */
function cantilever(G) {
  const clamp = (offset) =>
    integrate(
      (u, y) => [y[1], -G * u * Math.cos(y[0]), Math.cos(y[0]), Math.sin(y[0])],
      [Math.PI / 2 - Math.exp(offset), 0, 0, 0],
    );
  const [, , width, drop] = clamp(bisect((offset) => clamp(offset)[0] > 0, Math.log(1e-9), Math.log(Math.PI / 2)));
  return drop / width;
}

const cells = 1000;

/** The plane curl: theta'' = G (1 - s) sin(theta), theta(0) = 0, theta'(1) = K, by differences, from a shape nearby. */
function curl(G, K, near) {
  const h = 1 / cells;
  const theta = near ? [...near] : new Array(cells + 1).fill(0);
  for (let iteration = 0; iteration < 60; iteration++) {
    const [a, b, c, r] = [[], [], [], []];
    for (let i = 1; i < cells; i++) {
      const w = G * (1 - i * h);
      r.push((theta[i + 1] - 2 * theta[i] + theta[i - 1]) / h ** 2 - w * Math.sin(theta[i]));
      a.push(1 / h ** 2);
      b.push(-2 / h ** 2 - w * Math.cos(theta[i]));
      c.push(1 / h ** 2);
    }
    r.push((K - (theta[cells] - theta[cells - 1]) / h) / (h / 2));
    a.push(2 / h ** 2);
    b.push(-2 / h ** 2);
    for (let i = 1; i < cells; i++) {
      const m = a[i] / b[i - 1];
      b[i] -= m * c[i - 1];
      r[i] -= m * r[i - 1];
    }
    const step = new Array(cells);
    for (let i = cells - 1; i >= 0; i--) step[i] = (-r[i] - (i + 1 < cells ? c[i] * step[i + 1] : 0)) / b[i];
    const most = Math.max(...step.map(Math.abs));
    for (let i = 0; i < cells; i++) theta[i + 1] += Math.min(1, 0.5 / most) * step[i];
    if (most < 1e-11) break;
  }
  return theta;
}

/**
 * Whether the plane curl is stable against leaving its plane: the tangent tilts by phi, the rod turns about it by psi, and
 * the second variation is phi'^2 + (K theta' - theta'^2 + G (1 - s) cos theta) phi^2 - 2 K phi' psi + K theta' psi^2
 * + C (psi' + theta' phi)^2. Linear elements; the pivots of a banded elimination tell the signs.
 */
function stable(G, K, C, theta) {
  const h = 1 / cells;
  const n = 2 * cells;
  const rows = Array.from({ length: n }, () => new Float64Array(4));
  for (let e = 0; e < cells; e++) {
    const bend = (theta[e + 1] - theta[e]) / h;
    const weight = G * (1 - (e + 0.5) * h) * Math.cos((theta[e] + theta[e + 1]) / 2);
    const phi = [0.5, 0, 0.5, 0];
    const psi = [0, 0.5, 0, 0.5];
    const dPhi = [-1 / h, 0, 1 / h, 0];
    const twist = [0, -1 / h, 0, 1 / h].map((v, i) => v + bend * phi[i]);
    for (let i = 0; i < 4; i++)
      for (let j = 0; j <= i; j++) {
        const [row, column] = [2 * e - 2 + i, 2 * e - 2 + j];
        if (column < 0) continue;
        const second =
          dPhi[i] * dPhi[j] +
          (K * bend - bend ** 2 + weight) * phi[i] * phi[j] -
          K * (dPhi[i] * psi[j] + psi[i] * dPhi[j]) +
          K * bend * psi[i] * psi[j] +
          C * twist[i] * twist[j];
        rows[row][row - column] += h * second;
      }
  }
  for (let i = 0; i < n; i++)
    for (let k = Math.min(3, i); k >= 0; k--) {
      let v = rows[i][k];
      for (let m = 1; m + k <= 3 && i - k - m >= 0; m++) v -= rows[i][k + m] * rows[i - k][m] * rows[i - k - m][0];
      if (k === 0 && v < 0) return false;
      rows[i][k] = k === 0 ? v : v / rows[i - k][0];
    }
  return true;
}

/** The least natural curvature at which the curl leaves its plane. */
function bendTwist(G, C) {
  let theta = null;
  for (let K = 0.25; K <= 20; K += 0.25) {
    const next = curl(G, K, theta);
    if (!stable(G, K, C, next)) {
      const before = theta;
      return bisect((k) => stable(G, k, C, curl(G, k, before)), K - 0.25, K);
    }
    theta = next;
  }
  return null;
}

/**
 * Weight at which a blade on edge falls over, for GJ = 2 EI: psi'^2 + width^2/24 psi''^2 against (1 - s)^4/4 psi^2 with
 * cubic Hermite elements. A width of 0 is Prandtl's blade, which may warp in the wall.
 */
function lateral(width) {
  const parts = 60;
  const h = 1 / parts;
  const n = 2 * (parts + 1);
  const square = () => Array.from({ length: n }, () => new Float64Array(n));
  const [stiffness, mass] = [square(), square()];
  const points = [-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664];
  const weights = [0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366, 0.236926885056189];
  for (let e = 0; e < parts; e++)
    for (let g = 0; g < 5; g++) {
      const x = (points[g] + 1) / 2;
      const w = (weights[g] / 2) * h;
      const P = [
        1 - 3 * x ** 2 + 2 * x ** 3,
        h * (x - 2 * x ** 2 + x ** 3),
        3 * x ** 2 - 2 * x ** 3,
        h * (x ** 3 - x ** 2),
      ];
      const D = [(-6 * x + 6 * x ** 2) / h, 1 - 4 * x + 3 * x ** 2, (6 * x - 6 * x ** 2) / h, 3 * x ** 2 - 2 * x];
      const DD = [(-6 + 12 * x) / h ** 2, (-4 + 6 * x) / h, (6 - 12 * x) / h ** 2, (6 * x - 2) / h];
      for (let i = 0; i < 4; i++)
        for (let j = 0; j < 4; j++) {
          stiffness[2 * e + i][2 * e + j] += w * (D[i] * D[j] + (width ** 2 / 24) * DD[i] * DD[j]);
          mass[2 * e + i][2 * e + j] += (w * (1 - (e + x) * h) ** 4 * P[i] * P[j]) / 4;
        }
    }
  const free = Array.from({ length: n }, (_, i) => i).filter((i) => i > (width > 0 ? 1 : 0));
  const inner = (A, x, y) =>
    free.reduce((sum, i, a) => sum + x[a] * free.reduce((t, j, b) => t + A[i][j] * y[b], 0), 0);
  const K = free.map((i) => free.map((j) => stiffness[i][j]));
  let x = free.map(() => 1);
  for (let iteration = 0; iteration < 12; iteration++) {
    x = solve(
      K,
      free.map((i) => free.reduce((sum, j, b) => sum + mass[i][j] * x[b], 0)),
    );
    const size = Math.hypot(...x);
    x = x.map((v) => v / size);
  }
  return Math.sqrt((2 * inner(stiffness, x, x)) / inner(mass, x, x));
}

/** Clamped upright and pinned at its foot: curvature at the clamp, forces along and across, for a lowering by `eps`. */
function pinned(eps, near) {
  const end = (k, T, N) =>
    integrate(
      (_, y) => [y[1], -(T * Math.cos(y[0]) + N * Math.sin(y[0])), Math.sin(y[0]), Math.cos(y[0])],
      [0, k, 0, 0],
      400,
    );
  return root(([k, T, N]) => {
    const [, moment, aside, height] = end(k, T, N);
    return [moment, aside, height - (1 - eps)];
  }, near);
}

/** The friction that the foot asks for, and the load, at a lowering; followed from the buckled column. */
function foot(eps) {
  let x = [0.9, 0.91, 20.27];
  for (let e = 0.01; e < eps; e += 0.01) x = pinned(e, x);
  const [, T, N] = pinned(eps, x);
  return { ratio: Math.abs(T / N), load: N };
}

console.log('cantilever: drop over width');
for (const G of [0.1, 1, 10, 100]) console.log(`  w L^3/EI = ${G}: ${cantilever(G).toPrecision(7)}`);
console.log('bend-twist: natural curvature times length, GJ/EI = 2/3');
for (const G of [10, 50, 100, 200])
  console.log(`  w L^3/EI = ${G}: ${bendTwist(G, 2 / 3)?.toFixed(4) ?? 'plane up to 20'}`);
for (const [G, K] of [
  [10, 6],
  [50, 6],
  [100, 7.4],
  [200, 9],
]) {
  let theta = null;
  for (let i = 1; i <= 40; i++) theta = curl(G, (K * i) / 40, theta);
  const middles = theta.slice(1).map((v, i) => (v + theta[i]) / 2);
  const mean = (f) => middles.reduce((sum, v) => sum + f(v), 0) / cells;
  console.log(`  tip at ${G}, ${K}: ${mean(Math.sin).toFixed(6)}, ${(-mean(Math.cos)).toFixed(6)}`);
}
console.log('lateral buckling: w L^3/EI, GJ/EI = 2');
for (const width of [0, 0.1]) console.log(`  width ${width}: ${lateral(width).toFixed(3)}`);
console.log('stick-slip: lowering at which the foot slips');
for (const mu of [0.15, 0.2, 0.25, 0.3])
  console.log(`  friction ${mu}: ${bisect((eps) => foot(eps).ratio < mu, 0.02, 0.33).toFixed(6)}`);
for (const eps of [0.1, 0.2, 0.3]) {
  const { ratio, load } = foot(eps);
  console.log(`  lowered by ${eps}: friction ${ratio.toFixed(6)}, load ${load.toFixed(6)}`);
}
