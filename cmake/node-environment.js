// Linked into the test program for Node: Emscripten's getenv would not see the environment otherwise, and GoogleTest
// reads from it which shard it is.
Module['preRun'] = () => Object.assign(ENV, process.env);
