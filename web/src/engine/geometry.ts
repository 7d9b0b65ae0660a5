// Geometry texts, of MAT-DiSMech ("*Nodes", "*Edges", "*Triangles") or Wavefront ("v 0 0 0", "f 1 2 3"), are taken
// wherever a scene's text is.
import type { Engine, EngineError, Problem } from '@tendril/engine';

const start = /^\uFEFF?(?:\s|#[^\n]*(?:\n|$))*(?:\*|(?:v|vn|vt|vp|f|l|p|o|g|s|mtllib|usemtl)(?:[ \t]|\r?\n|$))/;

/** Only comments ("#") stand before a geometry's first "*" or Wavefront statement; no scene starts like that. */
export function isGeometry(text: string): boolean {
  return start.test(text);
}

/** The text itself, or the scene that a geometry becomes. Throws an EngineError with the geometry's problems. */
export function sceneText(engine: Engine, text: string): string {
  return isGeometry(text) ? engine.importGeometry(text) : text;
}

export function validate(engine: Engine, text: string): { problems: Problem[]; warnings: Problem[] } {
  try {
    return engine.validate(sceneText(engine, text));
  } catch (error) {
    const { problems } = error as EngineError;
    if (!problems) throw error;
    return { problems, warnings: [] };
  }
}
