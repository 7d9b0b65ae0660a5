#!/usr/bin/env bash
# What takes too long for every change: the tests and scenes labeled long, laws against fresh random scenes (PROPERTY_SECONDS for all
# of them, 1200), WASM against native on fresh ones (AGREEMENT_SECONDS, 300; the seeds begin with the day), and fuzzing of the
# loader (FUZZ_SECONDS, 300).
. "$(dirname "$0")/env.sh"
set -o pipefail
scripts/setup.sh native wasm fuzz test
. scripts/env.sh
. scripts/stages.sh

native() { cmake --preset native && cmake --build --preset native; }
fuzzer() { cmake --preset fuzz && cmake --build --preset fuzz; }
# Every law gets the same share of the time; a test may hold several.
properties() {
  local laws
  laws=$(TENDRIL_PROPERTY_SECONDS=0 build/native/tests/tendril_properties | grep -c ': 0 of 0 scenes')
  TENDRIL_PROPERTY_SECONDS=$(awk "BEGIN { print ${PROPERTY_SECONDS:-1200} / $laws }") TENDRIL_PROPERTY_SEED=$(date +%Y%m%d)00 \
    build/native/tests/tendril_properties
}
wasm() { cmake --preset wasm && cmake --build --preset wasm; }
# Six kinds of scenes.
agreement() {
  TENDRIL_PROPERTY_SECONDS=$((${AGREEMENT_SECONDS:-300} / 6)) TENDRIL_PROPERTY_SEED=$(date +%Y%m%d)00 node --test tests/module/random.test.mjs
}
fuzz() { scripts/fuzz.sh "${FUZZ_SECONDS:-300}"; }

if build native-build native; then
  tests long ctest ctest --preset native-long
  build properties properties && passed=$((passed + 1))
  if build wasm-build wasm; then
    tests module node agreement
  fi
fi
if build fuzz-build fuzzer; then
  build fuzz fuzz && passed=$((passed + 1))
fi
finish
