// The walls of the house (arrows.json): reads every #include of engine/, include/ and wasm/ and reports what crosses a wall.
// Also reports what Emscripten's library lacks, I/O in the engine, and addresses of one person's machine in any file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const code = /\.(cpp|h|h\.in)$/;
const angled = /^\s*#\s*include\s*<([^>]+)>/;
const quoted = /^\s*#\s*include\s*"([^"]+)"/;
// A person's home folder, with the name of the person behind it.
const home = /(?:\/(?:home|Users)\/[A-Za-z0-9_.-]+\/|(?<![\w.}])\/root\/|[A-Z]:\\\\?Users\\)/;

/** The source with comments and the insides of strings blanked out, line by line as before; includes keep their names. */
export function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|R"\(([\s\S]*?)\)"|"(?:\\.|[^"\\\n])*"/g, (match, _raw, offset) => {
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    if (match.startsWith('"') && /^\s*#\s*include\s*$/.test(text.slice(lineStart, offset))) return match;
    return match.replace(/[^\n]/g, ' ');
  });
}

function layerOf(file) {
  const parts = file.split('/');
  if (parts[0] === 'engine' && parts.length > 2) return parts[1];
  if (parts[0] === 'include') return 'include';
  return parts[0] === 'wasm' ? 'wasm' : undefined;
}

function checkQuoted(name, layer, table, files) {
  const isPublic = files.has(`include/${name}`) || files.has(`include/${name}.in`);
  if (layer === 'include') {
    return isPublic ? undefined : `includes "${name}", but is public, and that header is not installed`;
  }
  if (isPublic && !table.public[name]) return `includes "${name}", whose room arrows.json does not name under "public"`;
  // A public header counts as one of the room that it speaks for.
  const target = isPublic ? table.public[name] : name.split('/')[0];
  if (layer === 'wasm' && files.has(`wasm/${name}`)) return undefined; // the module's own
  if (!isPublic && !files.has(`engine/${name}`))
    return `includes "${name}", which is not a file under engine/ or include/: includes are rooted there`;
  if (target === layer) return undefined;
  if (!table.arrows[layer]) return `lies in a folder that arrows.json does not know: ${layer}`;
  if (!table.arrows[layer].includes(target)) return `includes "${name}": ${layer} may not know ${target}`;
  return undefined;
}

function checkAngled(name, file, layer, table) {
  if (table.headers.everywhere.includes(name)) return `includes <${name}>, which Emscripten's library lacks`;
  if (layer !== 'cli' && layer !== 'wasm' && table.headers.engineOutsideCli.includes(name)) {
    return `includes <${name}>: the engine does no I/O, reads no clock and has one generator of its own`;
  }
  if (layer === 'include' && !/^[a-z_]+$/.test(name)) {
    return `includes <${name}>, but is public, and public headers need nothing beside the standard library`;
  }
  if (name.startsWith('emscripten') && layer !== 'wasm') return `includes <${name}>: only wasm/ knows Emscripten`;
  if (name.startsWith('nlohmann/') && layer !== 'cli' && !(layer === 'scene' && file.endsWith('.cpp'))) {
    return `includes <${name}>: only .cpp files of scene/ and the program read JSON`;
  }
  if (name.startsWith('CLI/') && file !== 'engine/cli/arguments.cpp') {
    return `includes <${name}>, which takes seconds to compile: engine/cli/arguments.cpp alone reads a call's words`;
  }
  if (
    name.startsWith('Eigen/') &&
    !['Eigen/Core', 'Eigen/Geometry', 'Eigen/SparseCore'].includes(name) &&
    file.endsWith('.h')
  ) {
    return `includes <${name}>: decompositions stay in the .cpp files that need them`;
  }
  return undefined;
}

/** A namespace with nothing but forward declarations in it, on one line or several. */
const forwardOnly = /^namespace tendril[\w:]* \{(?:\s*(?:struct|class|enum class) \w+;)*\s*\}/;

/** What a folder declares is in its own namespace: another folder says where a name comes from. */
function checkNamespace(file, layer, text, table) {
  const wanted = table.namespaces[file.slice('engine/'.length)] ?? table.namespaces[layer] ?? `tendril::${layer}`;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const opened = /^(?:inline )?namespace (tendril[\w:]*) \{/.exec(line)?.[1];
    if (!opened || opened === wanted || opened.startsWith(`${wanted}::`)) continue;
    if (!forwardOnly.test(lines.slice(index).join('\n'))) {
      return [{ line: index + 1, message: `opens namespace ${opened}; in this folder it is ${wanted}` }];
    }
  }
  return [];
}

/** Crossings in one C++ file, as {line, message}. */
function checkCode(file, text, table, files) {
  const layer = layerOf(file);
  const found = layer === 'wasm' ? [] : checkNamespace(file, layer, withoutComments(text), table);
  const lists = [table.words.everywhere];
  if (layer !== 'cli' && layer !== 'wasm') lists.push(table.words.engineOutsideCli);
  withoutComments(text)
    .split('\n')
    .forEach((line, index) => {
      const report = (message) => message && found.push({ line: index + 1, message });
      const quotedName = quoted.exec(line)?.[1];
      const angledName = angled.exec(line)?.[1];
      if (quotedName) report(checkQuoted(quotedName, layer, table, files));
      if (angledName) report(checkAngled(angledName, file, layer, table));
      for (const word of lists.flat()) {
        const at = line.indexOf(word);
        // "printf(" must not find "snprintf(", which writes to memory.
        if (at >= 0 && !/\w/.test(at > 0 ? line[at - 1] : ''))
          report(`uses ${word.replace('(', '')}, which is not allowed here`);
      }
      for (const [word, owner] of Object.entries(table.owners)) {
        const at = line.indexOf(word);
        if (at >= 0 && file !== owner && !/\w/.test(at > 0 ? line[at - 1] : ''))
          report(`uses ${word.replace('(', '')}, which is for ${owner} alone`);
      }
    });
  return found;
}

/**
 * Everything that crosses a wall among `files` (paths relative to `root`), as "file:line: what".
 * @param {string} root folder of the project
 * @param {string[]} files
 * @param {object} table content of arrows.json
 */
export function checkWalls(root, files, table) {
  const known = new Set(files);
  const found = [];
  const spaces = new Map();
  for (const file of files) {
    const bytes = readFileSync(join(root, file));
    if (bytes.includes(0)) continue; // a picture
    const text = bytes.toString('utf8');
    text.split('\n').forEach((line, index) => {
      const match = home.exec(line);
      if (match) found.push(`${file}:${index + 1}: names a folder of one machine, ${match[0]}`);
    });
    // Tests are compiled several at a time: what a file declares is its own by the name of its namespace.
    const own = /^tests\/.*_test\.cpp$/.test(file) ? /^namespace (\w+_test) \{/m.exec(text)?.[1] : undefined;
    if (own && spaces.has(own)) found.push(`${file}:1: shares the namespace ${own} with ${spaces.get(own)}`);
    if (own) spaces.set(own, file);
    if (!code.test(file) || layerOf(file) === undefined) continue;
    for (const { line, message } of checkCode(file, text, table, known)) found.push(`${file}:${line}: ${message}`);
  }
  return found;
}
