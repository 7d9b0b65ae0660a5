// JSON with comments, for the gallery's index, the editor's colors and changes of a scene's text: the engine alone decides what a
// scene means.
import { findNodeAtLocation, type JSONPath, type Node, type ParseError, parse, parseTree, visit } from 'jsonc-parser';

/** The value, or null where the text is no JSON. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(text, errors);
  return errors.length === 0 ? value : null;
}

/** Where comments begin and end: offsets into the text, in order. */
export function commentsOf(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  visit(text, { onComment: (from, length) => found.push({ from, to: from + length }) });
  return found;
}

/** Finds values by their paths of keys; undefined where there is none. Texts that are no JSON are read as far as possible. */
export function finderIn(text: string): (path: JSONPath) => Node | undefined {
  const root = parseTree(text);
  return (path) => root && findNodeAtLocation(root, path);
}

/** As it is written. */
export const writtenAt = (text: string, { offset, length }: Node): string => text.slice(offset, offset + length);
