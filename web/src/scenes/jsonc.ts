// JSON with comments, for the gallery's index only: the engine alone decides what a scene means.

/** The value, or null where the text is no JSON. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text));
  } catch {
    return null;
  }
}

function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (token) => (token[0] === '"' ? token : ' '));
}
