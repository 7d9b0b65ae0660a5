// The engine's WebAssembly is two modules with one memory: what most scenes of rods and shells call comes first, the rest when
// a scene needs it. split.mjs divides them.

/**
 * Whether a scene's text speaks of what the first part alone cannot run: linkages, vines, potentials, and velocities,
 * tangents or normals in formulas. Few other scenes need the second one.
 */
export const needsRest = (text) => /"(linkages|vines|potential)"\s*:|"=[^"]*\b[vtn][xyz]\b/.test(text);

/** Which part this is, and of which build; parts of two builds would call each other's functions by wrong names. */
function markOf(module) {
  const [section] = WebAssembly.Module.customSections(module, 'tendril.part');
  const [part, build] = section ? new TextDecoder().decode(section).split(' ') : [];
  return { part, build };
}

export function requireFirst(module) {
  if (markOf(module).part !== 'first') throw new TypeError("wasm is not the engine's tendril.wasm");
}

export function requireRestOf(first, module) {
  const { part, build } = markOf(module);
  if (part !== 'rest') throw new TypeError("rest is not the engine's tendril-rest.wasm");
  if (build !== markOf(first).build) throw new TypeError('rest is not of the same build as wasm');
}

/** The bytes in a buffer or in a view of one; undefined of anything else. */
export function bytesOf(given) {
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : undefined;
}

function compiled(brought) {
  if (brought instanceof WebAssembly.Module) return brought;
  const bytes = bytesOf(brought);
  if (bytes) return new WebAssembly.Module(bytes);
  const what = brought instanceof Promise ? 'a Promise' : typeof brought;
  throw new TypeError(`the function rest must return bytes or a WebAssembly.Module at once, not ${what}`);
}

/** Joins the second part to the running first one, whose functions and memory it shares. */
function join(exports, first, brought) {
  const rest = compiled(brought);
  requireRestOf(first, rest);
  new WebAssembly.Instance(rest, { first: exports });
}

/**
 * Instantiates the first part. In its table stand placeholders for the functions of the
 * second, which takes their places: the first one that is called brings it. Where that throws, the functions on the way out
 * leave their frames on the engine's stack and what they worked on half done: the call was `interrupted`. `settle`, called
 * when none of them runs, clears the stack.
 */
export async function instantiate(first, imports, bringRest) {
  let table;
  let exports;
  let joined = false;
  let left = false;
  const placeholder =
    (_, index) =>
    (...values) => {
      if (!joined) {
        // Functions on the way out may ask again, and be given it.
        const before = left;
        left = true;
        join(exports, first, bringRest());
        left = before;
      }
      joined = true;
      return table.get(Number(index))(...values);
    };
  const placeholders = new Proxy({}, { get: placeholder });
  const instance = await WebAssembly.instantiate(first, { ...imports, rest: placeholders });
  exports = instance.exports;
  const all = Object.values(exports);
  table = all.find((one) => one instanceof WebAssembly.Table);
  // The second part uses one global variable of the first: the stack pointer.
  const globals = all.filter((one) => one instanceof WebAssembly.Global);
  if (globals.length !== 1)
    throw new Error(`the first part shares ${globals.length} global variables, not the stack pointer alone`);
  const [stack] = globals;
  const top = stack.value;
  const settle = () => {
    if (!left) return;
    left = false;
    stack.value = top;
  };
  return { instance, settle, isJoined: () => joined, interrupted: () => left };
}
