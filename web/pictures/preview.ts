// A scene's look after a short run of its own, for its picture in the gallery.
import type { Engine, EngineError, Simulation } from '@tendril/engine';
import { copyDrawing } from '../src/engine/copies';
import { bytesOf, countsOf, fill, type Moment, viewsOf } from '../src/engine/moment';
import type { DrawingData } from '../src/engine/protocol';
import { Exaggeration } from '../src/view/exaggeration';
import type { RestShape } from '../src/view/surface';

export interface Preview {
  drawing: DrawingData;
  moment: Moment;
  rest: RestShape;
  touching: boolean;
  view: Record<string, unknown>;
}

/** A dynamic run is shown after this part of its time, and at most after so much of it [s]. */
const part = 0.35;
const longest = 20;
/** An equilibrium is worth waiting for: so many times the budget. */
const patience = 5;

/** Runs for about `budget` seconds of wall time; null where the text is no scene. */
export function preview(engine: Engine, text: string, budget: number): Preview | null {
  let sim: Simulation | null = null;
  try {
    sim = engine.simulation(text);
    const info = sim.info();
    const rest = sim.snapshot().positions.slice();
    const goal = info.static ? info.duration : Math.min(info.duration * part, longest);
    try {
      if (goal > 0) sim.advanceFor(goal, info.static ? patience * budget : budget);
    } catch (error) {
      if ((error as EngineError).code !== 3) throw error;
    }
    const drawing = copyDrawing(sim.drawing());
    const now = sim.snapshot();
    const counts = countsOf(drawing, now);
    const moment = viewsOf(new ArrayBuffer(bytesOf(counts, false)), counts);
    fill(moment, now);
    const exaggeration = new Exaggeration();
    exaggeration.setRest(drawing, rest);
    exaggeration.ask(info.view.exaggerate);
    moment.positions = exaggeration.drawn(moment.positions, false);
    const places = rest.length === moment.positions.length ? rest : moment.positions;
    return { drawing, moment, rest: { places, driven: info.acting.driven }, touching: info.mayTouch, view: info.view };
  } catch {
    return null;
  } finally {
    sim?.dispose();
  }
}
