// The machine laid open: the equations of a simulation about its state at the time, over the facade's MachineHandle.
import {
  requireNumber,
  requireNumbers,
  requireOptions,
  requireText,
  requireTexts,
  requireWhole,
} from './arguments.mjs';
import { Owned } from './owned.mjs';

export class Machine {
  #owned;

  constructor(core, parts, simulation) {
    this.#owned = new Owned(new core.MachineHandle(), parts, 'machine', (handle) => handle.open(simulation));
  }

  #call(work) {
    return this.#owned.call(work);
  }

  coordinates() {
    return this.#call((handle) => handle.coordinates());
  }

  inputs() {
    return this.#call((handle) => handle.inputs());
  }

  omitted() {
    return this.#call((handle) => handle.omitted());
  }

  state() {
    return this.#call((handle) => handle.state());
  }

  setState(q, v = []) {
    requireNumbers(q, 'the coordinates');
    requireNumbers(v, 'the rates');
    this.#call((handle) => handle.setState(q, v));
  }

  kinematics(place) {
    return this.#call((handle) => handle.kinematics(requireText(place, 'the place')));
  }

  linearize(options = {}) {
    const {
      inputs = [],
      outputs = [],
      space = true,
    } = requireOptions(options, 'linearize', ['inputs', 'outputs', 'space']);
    requireTexts(inputs, 'inputs');
    requireTexts(outputs, 'outputs');
    return this.#call((handle) => handle.linearize(inputs, outputs, Boolean(space)));
  }

  jacobian(columns, options = {}) {
    requireTexts(columns, 'the columns');
    const { rates = false } = requireOptions(options, 'jacobian', ['rates']);
    return this.#call((handle) => handle.jacobian(columns, Boolean(rates)));
  }

  values() {
    return this.#call((handle) => handle.values());
  }

  displace(moves, rates = []) {
    requireNumbers(moves, 'the moves');
    requireNumbers(rates, 'the rates');
    this.#call((handle) => handle.displace(moves, rates));
  }

  solveFor(values, options = {}) {
    const { tolerance = 1e-10 } = requireOptions(options, 'solveFor', ['tolerance']);
    const columns = Object.keys(values);
    for (const column of columns) requireNumber(values[column], `"${column}"`);
    this.#call((handle) => handle.solveFor(columns, Object.values(values), requireNumber(tolerance, 'the tolerance')));
  }

  modes(count = 10) {
    return this.#call((handle) => handle.modes(requireWhole(count, 'the count')));
  }

  criticalLoads(count = 4) {
    return this.#call((handle) => handle.criticalLoads(requireWhole(count, 'the count')));
  }

  shaped(shape, size) {
    requireNumbers(shape, 'the shape');
    return this.#call((handle) => handle.shaped(shape, requireNumber(size, 'the size')));
  }

  dispose() {
    this.#owned.dispose();
  }
}
