// Geometry texts of MAT-DiSMech ("*Nodes", "*Edges") are taken wherever a scene's text is.
import type { Engine, EngineError, Problem } from '@tendril/engine';

/** Only comments ("#") stand before a geometry's first "*"; no scene starts like that. */
export function isGeometry(text: string): boolean {
  return /^\uFEFF?(?:\s|#[^\n]*(?:\n|$))*\*/.test(text);
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
