// The part of the page that changes the text of a scene, with the library that it needs.
import { Chunk } from '../ui/chunk';

export const textEdits = new Chunk(() => import('../text/textEdits'));
