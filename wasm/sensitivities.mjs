// Runs with the derivatives of what they measure, and residuals of runs for optimizers, over the facade's handles.
import {
  requireNumber,
  requireNumbers,
  requireOptions,
  requireText,
  requireTexts,
  requireValues,
} from './arguments.mjs';
import { Owned } from './owned.mjs';

export class Sensitivities {
  #owned;
  #with;
  #columns;

  constructor(core, parts, sceneText, options = {}) {
    requireText(sceneText, 'the scene');
    const {
      with: names = [],
      overrides = {},
      scales = {},
    } = requireOptions(options, 'sensitivities', ['with', 'overrides', 'scales']);
    this.#with = [...requireTexts(names, 'with')];
    const given = [
      ...requireValues(overrides, 'the overrides', 'override'),
      this.#with,
      ...requireValues(scales, 'the scales', 'scale'),
    ];
    this.#owned = new Owned(new core.SensitivitiesHandle(), parts, 'run with derivatives', (handle) =>
      handle.open(sceneText, ...given),
    );
  }

  #call(work) {
    return this.#owned.call(work);
  }

  #names() {
    this.#columns ??= this.info().columns.map(({ name }) => name);
    return this.#columns;
  }

  get with() {
    return [...this.#with];
  }

  get time() {
    return this.#call((handle) => handle.time());
  }

  get duration() {
    return this.#call((handle) => handle.duration());
  }

  get finished() {
    return this.#call((handle) => handle.finished());
  }

  info() {
    const info = this.#call((handle) => handle.info());
    info.view = JSON.parse(info.view);
    return info;
  }

  step() {
    return this.#call((handle) => handle.step());
  }

  advance(seconds) {
    requireNumber(seconds, 'seconds');
    return this.#call((handle) => handle.advance(seconds, Infinity));
  }

  advanceFor(seconds, budget) {
    requireNumber(seconds, 'seconds');
    requireNumber(budget, 'budget');
    return this.#call((handle) => handle.advance(seconds, budget));
  }

  probes() {
    const names = this.#names();
    const values = this.probeValues();
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  }

  probeValues() {
    return this.#call((handle) => handle.probeValues());
  }

  slopes(parameter) {
    const index = this.#with.indexOf(requireText(parameter, 'the parameter'));
    if (index < 0)
      throw new TypeError(`nothing is differentiated by "${parameter}": with has ${this.#with.join(', ') || 'none'}`);
    return this.#call((handle) => handle.slopes(index));
  }

  gradients() {
    const out = Object.fromEntries(this.#names().map((name) => [name, {}]));
    for (const parameter of this.#with) {
      const slopes = this.slopes(parameter);
      for (const [index, name] of this.#names().entries()) out[name][parameter] = slopes[index];
    }
    return out;
  }

  doubts() {
    return this.#call((handle) => handle.doubts());
  }

  dispose() {
    this.#owned.dispose();
  }
}

export class Residuals {
  #owned;

  constructor(core, parts, sceneText, options = {}) {
    requireText(sceneText, 'the scene');
    const known = ['with', 'of', 'data', 'sigma', 'overrides', 'scales'];
    const {
      with: names = [],
      of = [],
      data = [],
      sigma = [],
      overrides = {},
      scales = {},
    } = requireOptions(options, 'residuals', known);
    const given = [
      ...requireValues(overrides, 'the overrides', 'override'),
      [...requireTexts(names, 'with')],
      ...requireValues(scales, 'the scales', 'scale'),
      [...requireTexts(of, 'of')],
      requireNumbers(data, 'data'),
      requireNumbers(sigma, 'sigma'),
    ];
    this.#owned = new Owned(new core.ResidualsHandle(), parts, 'function of residuals', (handle) =>
      handle.open(sceneText, ...given),
    );
  }

  #call(work) {
    return this.#owned.call(work);
  }

  get with() {
    return this.#call((handle) => handle.with());
  }

  get of() {
    return this.#call((handle) => handle.of());
  }

  get start() {
    return this.#call((handle) => handle.start());
  }

  residual(x) {
    requireNumbers(x, 'x');
    return this.#call((handle) => handle.residual(x));
  }

  jacobian(x) {
    requireNumbers(x, 'x');
    return this.#call((handle) => handle.jacobian(x));
  }

  vjp(x, v) {
    requireNumbers(x, 'x');
    requireNumbers(v, 'v');
    return this.#call((handle) => handle.vjp(x, v));
  }

  doubts() {
    return this.#call((handle) => handle.doubts());
  }

  dispose() {
    this.#owned.dispose();
  }
}
