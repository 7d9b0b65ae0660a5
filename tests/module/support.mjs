// What the module's tests share: where the built package and program are, and small scenes in the contract's format.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const root = place('.');
export const packageFolder = place('build/wasm/package');
export const program = place('build/native/tendril');
export const scenesFolder = place('scenes');

if (!existsSync(`${packageFolder}/tendril.wasm`)) throw new Error('the module is not built: run "make wasm" first');

export const { loadEngine } = await import(`${packageFolder}/node.mjs`);

/** A rubber cantilever that falls: E acts while it runs, `length` restarts it. */
export function cantilever({ segments = 20, duration = 1, dt = 0.01 } = {}) {
  return `{
  "format": "tendril/1",
  "title": "Cantilever",
  "description": "A *soft* arm.",
  "parameters": {"E": {"value": 1e6, "min": 1e5, "max": 1e8, "scale": "log", "unit": "Pa", "label": "Stiffness"}, "length": 0.2},
  "materials": {"rubber": {"youngs": "=E", "poisson": 0.5, "density": 1000}},
  "rods": {"arm": {"material": "rubber", "section": {"circle": {"radius": 2e-3}}, "segments": ${segments},
                   "path": {"line": {"from": [0, 0, 0], "to": ["=length", 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": ${dt}, "duration": ${duration}},
  "probes": {"tip": {"position": "arm:last"}, "bend": {"energy": "bend"}},
  "checks": [{"title": "falls", "at": "end", "expect": "tip.z < 0", "points": 2}],
  "view": {"speed": 0.5}
}`;
}
