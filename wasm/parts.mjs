// The engine's WebAssembly is two modules with one memory: what most scenes of rods and shells call comes first, the rest when
// a scene needs it. split.mjs divides them.

/** Whether a scene's text speaks of what the first part alone cannot run. Few other scenes need the second one. */
export const needsRest = (text) => /"(linkages|vines)"\s*:/.test(text);

/** What both parts of one build carry; parts of two builds would call each other's functions by wrong names. */
export function buildOf(module) {
  const [section] = WebAssembly.Module.customSections(module, 'tendril.build');
  return section ? new TextDecoder().decode(section) : undefined;
}

export function requireSameBuild(first, rest) {
  if (buildOf(rest) !== buildOf(first)) throw new TypeError('rest is not of the same build as wasm');
}

/** Joins the second part to the running first one, whose functions and memory it shares. */
function join(exports, first, brought) {
  const rest = brought instanceof WebAssembly.Module ? brought : new WebAssembly.Module(brought);
  requireSameBuild(first, rest);
  new WebAssembly.Instance(rest, { first: exports });
}

/**
 * Instantiates the first part. In its table stand placeholders for the functions of the
 * second, which takes their places: the first one that is called brings it.
 */
export async function instantiate(first, imports, bringRest) {
  let table;
  let exports;
  let joined = false;
  const placeholder =
    (_, index) =>
    (...values) => {
      if (!joined) join(exports, first, bringRest());
      joined = true;
      return table.get(Number(index))(...values);
    };
  const placeholders = new Proxy({}, { get: placeholder });
  const instance = await WebAssembly.instantiate(first, { ...imports, rest: placeholders });
  exports = instance.exports;
  table = Object.values(exports).find((one) => one instanceof WebAssembly.Table);
  return instance;
}
