// The lowest modes about a simulation's state, as the page shows them.
import type { EngineError, Simulation } from '@tendril/engine';
import { sentence } from '../text/troubleWords';
import type { ModesReply } from './protocol';

/** Of the structure's size, by which shapes are asked for: so little that points move in proportion. */
const little = 1e-4;

export function modesOf(sim: Simulation, count: number): ModesReply {
  const reply: ModesReply = { type: 'modes', time: sim.time, modes: [], words: '', omitted: [] };
  try {
    const machine = sim.machine();
    try {
      reply.omitted = machine.omitted();
      reply.modes = machine.modes(count).map(({ shape, ...mode }) => {
        const there = machine.shaped(shape, little);
        const back = machine.shaped(shape, -little);
        return { ...mode, away: there.map((value, i) => (value - back[i]) / (2 * little)) };
      });
    } finally {
      machine.dispose();
    }
  } catch (error) {
    const { code, message } = error as EngineError;
    if (code !== 3) throw error;
    reply.words = sentence(message);
  }
  return reply;
}
