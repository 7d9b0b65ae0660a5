// JSON with comments, for the gallery's index and the editor's colors only: the engine alone decides what a scene means.

const stringOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The value, or null where the text is no JSON. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text));
  } catch {
    return null;
  }
}

/** Where comments begin and end: offsets into the text, in order. */
export function commentsOf(text: string): { from: number; to: number }[] {
  return [...text.matchAll(stringOrComment)]
    .filter(([token]) => token[0] === '/')
    .map(({ index, 0: token }) => ({ from: index, to: index + token.length }));
}

function withoutComments(text: string): string {
  return text.replace(stringOrComment, (token) => (token[0] === '"' ? token : ' '));
}
