// The module's JavaScript half: loads the WebAssembly and gives the classes of engine.d.mts over the C++ facade.
import {
  requireNumber,
  requireOptions,
  requirePlace,
  requireText,
  requireValues,
  requireVector,
  requireWhole,
  textOf,
} from './arguments.mjs';
import { runChecks } from './check.mjs';
import { unwrap } from './failures.mjs';
import { Machine } from './machine.mjs';
import { bytesOf, instantiate, requireFirst, requireRestOf } from './parts.mjs';
import { Residuals, Sensitivities } from './sensitivities.mjs';
import createCore from './tendril.mjs';

export { needsRest } from './parts.mjs';

class Simulation {
  #core;
  #text;
  #handle;
  #columns;
  #parts;
  /** The last whole state, after a call that ended half way for want of the second part. */
  #before = null;
  /** What was said, so that a run which went back does not repeat itself. */
  #said = new Set();
  #grabbed = null;

  constructor(core, parts, sceneText, overrides) {
    this.#core = core;
    this.#parts = parts;
    parts.settle();
    this.#text = requireText(sceneText, 'the scene');
    const [names, values] = requireValues(overrides, 'the overrides', 'override');
    this.#handle = new core.Handle();
    try {
      unwrap(this.#handle.open(sceneText, names, values));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get #open() {
    if (!this.#handle) throw new Error('this simulation was disposed of');
    this.#parts.settle();
    if (this.#before) {
      unwrap(this.#handle.restore(this.#before));
      if (this.#grabbed) unwrap(this.#handle.grab(...this.#grabbed));
      this.#before = null;
    }
    return this.#handle;
  }

  /** A call that changes the state: as long as it can fail for want of the second part, such a failure undoes it whole. */
  #change(work) {
    const handle = this.#open;
    const before = this.#parts.mayFail() ? unwrap(handle.save()) : null;
    try {
      return work(handle);
    } catch (error) {
      if (this.#parts.interrupted()) this.#before = before;
      throw error;
    }
  }

  #progress(work) {
    const progress = unwrap(this.#change(work));
    progress.warnings = progress.warnings.filter((warning) => !this.#said.has(warning));
    for (const warning of progress.warnings) this.#said.add(warning);
    return progress;
  }

  get time() {
    return this.#open.time();
  }

  get duration() {
    return this.#open.duration();
  }

  get finished() {
    return this.#open.finished();
  }

  info() {
    const info = unwrap(this.#open.info());
    info.view = JSON.parse(info.view);
    return info;
  }

  step() {
    return this.#progress((handle) => handle.step());
  }

  advance(seconds) {
    requireNumber(seconds, 'seconds');
    return this.#progress((handle) => handle.advance(seconds));
  }

  advanceFor(seconds, budget) {
    requireNumber(seconds, 'seconds');
    requireNumber(budget, 'budget');
    return this.#progress((handle) => handle.advanceFor(seconds, budget));
  }

  reset() {
    unwrap(this.#open.reset());
    this.#said.clear();
  }

  drawing() {
    return unwrap(this.#open.drawing());
  }

  snapshot() {
    return unwrap(this.#open.snapshot());
  }

  probes() {
    this.#columns ??= this.info().columns.map(({ name }) => name);
    const values = this.probeValues();
    return Object.fromEntries(this.#columns.map((name, index) => [name, values[index]]));
  }

  probeValues() {
    return unwrap(this.#open.probeValues());
  }

  checks() {
    return unwrap(this.#open.checks());
  }

  set(name, value) {
    requireText(name, 'the name');
    requireNumber(value, `"${name}"`);
    const live = unwrap(this.#change((handle) => handle.set(name, value)));
    if (!live) this.#said.clear();
    return live;
  }

  save() {
    return unwrap(this.#open.save());
  }

  restore(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('restore takes the Uint8Array that save() gave');
    unwrap(this.#open.restore(bytes));
    this.#said.clear();
    this.#grabbed = null;
  }

  grab(point, target) {
    requireVector(target, 'the target');
    const [x, y, z] = target;
    requireWhole(point, 'the point');
    unwrap(this.#change((handle) => handle.grab(point, x, y, z)));
    this.#grabbed = [point, x, y, z];
  }

  release() {
    unwrap(this.#open.release());
    this.#grabbed = null;
  }

  machine() {
    return new Machine(this.#core, this.#parts, this.#open);
  }

  sensitivities(options = {}) {
    requireOptions(options, 'sensitivities', ['with', 'scales']);
    const free = this.info().parameters.filter(({ derived }) => !derived);
    const overrides = Object.fromEntries(free.map(({ name, value }) => [name, value]));
    return new Sensitivities(this.#core, this.#parts, this.#text, { ...options, overrides });
  }

  dispose() {
    this.#handle?.delete();
    this.#handle = undefined;
  }
}

/** The WebAssembly that `given` names, holds or brings, compiled. */
async function compile(given, option) {
  if (given instanceof WebAssembly.Module) return given;
  const bytes = bytesOf(given);
  if (bytes) return compileBytes(bytes, option);
  const isResponse = typeof Response !== 'undefined' && given instanceof Response;
  if (!isResponse && typeof given !== 'string' && !(given instanceof URL))
    throw new TypeError(`${option} must be a URL, bytes, a Response or a WebAssembly.Module`);
  const response = isResponse ? given : await fetch(given);
  if (!response.ok) throw new Error(`${response.url || 'the WebAssembly'}: the server answered ${response.status}`);
  // Some servers do not know the type.
  if (!response.headers.get('Content-Type')?.startsWith('application/wasm'))
    return compileBytes(new Uint8Array(await response.arrayBuffer()), option);
  return WebAssembly.compileStreaming(response);
}

async function compileBytes(bytes, option) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new TypeError(`${option} is no WebAssembly: ${error.message}`);
  }
}

/** The text behind an address. */
export async function readScene(address) {
  const response = await fetch(requirePlace(address));
  if (!response.ok) throw new Error(`${address}: the server answered ${response.status}`);
  return textOf(new Uint8Array(await response.arrayBuffer()), address);
}

export function checkAll(engine, scenes, options) {
  return runChecks(readScene, engine, scenes, options);
}

/** `sure`, for node.mjs: the function `rest` does not throw. */
export async function loadEngine(options = {}, sure = typeof options?.rest !== 'function') {
  const { wasm = new URL('tendril.wasm', import.meta.url), rest = new URL('tendril-rest.wasm', import.meta.url) } =
    requireOptions(options, 'loadEngine', ['wasm', 'rest']);
  const [first, bringRest] = await Promise.all([
    compile(wasm, 'wasm'),
    typeof rest === 'function' ? rest : compile(rest, 'rest').then((compiled) => () => compiled),
  ]);
  requireFirst(first);
  if (typeof rest !== 'function') requireRestOf(first, bringRest());
  let parts;
  let fail;
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  const instantiateWasm = (imports, done) => {
    instantiate(first, imports, bringRest).then(({ instance, settle, isJoined, interrupted }) => {
      parts = { settle, interrupted, mayFail: () => !sure && !isJoined() };
      done(instance, first);
    }, fail);
    return {};
  };
  const core = await Promise.race([createCore({ instantiateWasm }), failed]);
  /** A call of the module, when no other runs. */
  const call = (work) => {
    parts.settle();
    return unwrap(work());
  };
  return {
    version: core.version(),
    simulation: (sceneText, overrides = {}) => new Simulation(core, parts, sceneText, overrides),
    sensitivities: (sceneText, options) => new Sensitivities(core, parts, sceneText, options),
    residuals: (sceneText, options) => new Residuals(core, parts, sceneText, options),
    validate: (sceneText) => call(() => core.validate(requireText(sceneText, 'the scene'))),
    expand: (sceneText) => call(() => core.expand(requireText(sceneText, 'the scene'))),
    importGeometry: (text) => call(() => core.importGeometry(requireText(text, 'the geometry'))),
    schema: () => call(() => core.schema()),
  };
}
