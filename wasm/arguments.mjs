// What calls take, checked at the door: a wrong argument is named, with what it is.

/** What kind of value this is, for messages. */
function kind(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value.then === 'function') return 'a promise: await it first';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? `"${value}"` : `${typeof value} ${String(value)}`;
}

const wrong = (what, must, value) => new TypeError(`${what} must be ${must}, not ${kind(value)}`);

export function requireNumber(value, what) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(what, 'a finite number', value);
  return value;
}

export function requireWhole(value, what) {
  if (!Number.isInteger(value)) throw wrong(what, 'a whole number', value);
  return value;
}

export function requireVector(value, what) {
  if (typeof value?.[Symbol.iterator] !== 'function' || value.length !== 3)
    throw wrong(what, 'a list of three numbers', value);
  for (const component of value) requireNumber(component, what);
  return value;
}

export function requireNumbers(list, what) {
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) throw wrong(what, 'a list of numbers', list);
  for (const number of list) requireNumber(number, what);
  return list;
}

export function requireTexts(list, what) {
  if (!Array.isArray(list)) throw wrong(what, 'a list of names', list);
  for (const text of list) requireText(text, `one of ${what}`);
  return list;
}

export function requireText(value, what) {
  if (typeof value !== 'string') throw wrong(what, 'a string', value);
  return value;
}

export function requireObject(value, what) {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain || typeof value.then === 'function') throw wrong(what, 'an object', value);
  return value;
}

/** The names and the numbers of an object of numbers; `each`, for messages: "override". */
export function requireValues(object, what, each) {
  const names = Object.keys(requireObject(object, what));
  return [names, names.map((name) => requireNumber(object[name], `${each} "${name}"`))];
}

/** The options of a call, none of which is unknown: a slip of the pen would silently do nothing. */
export function requireOptions(options, call, known) {
  requireObject(options, `the options of ${call}`);
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new TypeError(
        `unknown option "${name}": ${call} takes ${[known.slice(0, -1).join(', '), known.at(-1)].filter(Boolean).join(' and ')}`,
      );
  return options;
}

export function requirePlace(value) {
  if (typeof value !== 'string' && !(value instanceof URL))
    throw wrong('the place of a scene', 'a path or a URL', value);
  return value;
}

export function requireEngine(engine) {
  if (typeof engine?.simulation !== 'function') throw wrong('the engine', 'what loadEngine gives', engine);
  return engine;
}

export function requireScenes(scenes) {
  if (typeof scenes === 'string' || typeof scenes?.[Symbol.iterator] !== 'function')
    throw wrong('the scenes', 'a list of paths, URLs and texts', scenes);
  return scenes;
}

export function requireTitles(only) {
  if (!Array.isArray(only)) throw wrong('only', 'a list of titles', only);
  for (const title of only) requireText(title, 'a title of only');
  return only;
}

export function requireLimit(limit) {
  if (typeof limit !== 'number' || !(limit > 0)) throw wrong('limit', 'a number of seconds greater than 0', limit);
  return limit;
}

/** How many of the bytes are UTF-8, whole characters or the begin of one. */
function validLength(bytes) {
  const isValid = (length) => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [least, most] = [0, bytes.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (isValid(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** The text in the bytes of a file. Other encodings than UTF-8 are refused where they begin, as the program refuses them. */
export function textOf(bytes, name) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes.subarray(0, validLength(bytes)), { stream: true });
    const lines = before.split(/\r\n|\r|\n/);
    const [line, column] = [lines.length, [...lines.at(-1)].length + 1];
    const message = 'the text is not valid UTF-8 from here on: save the file as UTF-8';
    const error = new Error(`${name}:${line}:${column}: ${message}`);
    error.code = 2;
    error.problems = [{ message, pointer: '', line, column, from: before.length, to: before.length + 1 }];
    throw error;
  }
}
