// Runs a program that Emscripten made in Node: `node node-runner.cjs PROGRAM.js ARGUMENTS`.
// Older Emscripten takes Node's own fetch for a browser's and then cannot find its .wasm file, so fetch goes first.
const path = require('node:path');
delete globalThis.fetch;
process.argv.splice(1, 1);
require(path.resolve(process.argv[1]));
