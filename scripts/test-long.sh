#!/usr/bin/env bash
# What takes too long for every change: the scenes in scenes/long, and fuzzing of the loader (FUZZ_SECONDS, 300).
. "$(dirname "$0")/env.sh"
set -o pipefail
scripts/setup.sh native fuzz test
. scripts/stages.sh

native() { cmake --preset native && cmake --build --preset native; }
fuzzer() { cmake --preset fuzz && cmake --build --preset fuzz; }
fuzz() { scripts/fuzz.sh "${FUZZ_SECONDS:-300}"; }

if ls scenes/long/*.json >/dev/null 2>&1 && build native-build native; then
  tests long ctest ctest --preset native-long
fi
if build fuzz-build fuzzer; then
  build fuzz fuzz && passed=$((passed + 1))
fi
finish
