// Values that were set in another text, or that stand in an address: a scene takes those that it knows and allows.
import type { Engine, EngineError, Simulation } from '@tendril/engine';

/** A value that a scene does not take; `known`: the parameter is one of the scene's, which does not allow the value. */
export interface LeftOut {
  name: string;
  value: number;
  known: boolean;
  /** In the engine's words. */
  message: string;
}

/** The scene with all values of `set` that it takes. Throws where it cannot run without them either. */
export function withTakenValues(
  engine: Engine,
  text: string,
  set: Record<string, number>,
): { sim: Simulation; left: LeftOut[] } {
  try {
    return { sim: engine.simulation(text, set), left: [] };
  } catch (error) {
    if (Object.keys(set).length === 0) throw error;
  }
  const plain = engine.simulation(text, {});
  const names = new Set(plain.info().parameters.flatMap(({ name, derived }) => (derived ? [] : [name])));
  plain.dispose();
  const taken: Record<string, number> = {};
  const left: LeftOut[] = [];
  for (const [name, value] of Object.entries(set)) {
    try {
      engine.simulation(text, { ...taken, [name]: value }).dispose();
      taken[name] = value;
    } catch (error) {
      left.push({ name, value, known: names.has(name), message: (error as EngineError).message });
    }
  }
  return { sim: engine.simulation(text, taken), left };
}
