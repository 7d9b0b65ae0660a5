// What the module's tests share: where the built package and program are, and small scenes.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const root = place('.');
export const packageFolder = place('build/wasm/package');
export const program = place('build/native/tendril');
export const scenesFolder = place('scenes');

if (!existsSync(`${packageFolder}/tendril.wasm`)) throw new Error('the module is not built: run "make wasm" first');

export const { checkAll, loadEngine, needsRest, readScene } = await import(`${packageFolder}/node.mjs`);

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

/** A turning hub with a soft limb that a tendon bends, beside a rod where `rod` says so. */
export function hybridArm({ rod = false } = {}) {
  const rods = `"rods": {"whip": {"material": "rubber", "section": {"circle": {"radius": 2e-3}}, "segments": 8,
                    "path": {"line": {"from": [0, 1, 0], "to": [0.2, 1, 0]}}}},
  "constraints": [{"clamp": "whip:first"}],`;
  return `{
  "format": "tendril/1",
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 1e4}},
  ${rod ? rods : ''}
  "linkages": {"arm": {
    "links": {
      "hub": {"joint": {"revolute": {"axis": "z", "angle": "=2*t"}},
              "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.02 - 0.01*u"}}, "material": "rubber",
                                 "strains": {"bendY": 2, "bendZ": 2}}}, "look": {"color": "#3a7"}}},
    "cables": {"c1": {"through": ["limb"], "path": {"constant": [0, 0.008]}, "tension": "=5*ramp(t, 0, 0.1)"}}}},
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": 0.01, "duration": 1},
  "probes": {"tip": {"position": "arm:tip"}, "turn": {"jointAngle": "arm/hub"}, "length": {"cable": "arm/c1"},
             "energy": {"energy": "elastic"}${rod ? ', "whip": {"position": "whip:last"}, "gap": {"distance": ["whip:last", "arm:tip"]}' : ''}}
}`;
}
