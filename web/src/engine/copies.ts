// Copies of what the engine shows as views over its own memory, so that they can be sent away.
import type { DrawingData } from './protocol';

export function copyDrawing(drawing: DrawingData): DrawingData {
  return {
    ...drawing,
    halfAxes: drawing.halfAxes.slice(),
    round: drawing.round.slice(),
    segments: drawing.segments.slice(),
    triangles: drawing.triangles.slice(),
  };
}

export function transferables(drawing: DrawingData): Transferable[] {
  return [drawing.halfAxes.buffer, drawing.round.buffer, drawing.segments.buffer, drawing.triangles.buffer];
}
