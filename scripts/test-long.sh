#!/usr/bin/env bash
# What takes too long for every change, all of it or some parts, `scripts/test-long.sh [native] [wasm] [sanitized] [fuzz]`:
# - native: the tests and scenes labeled long, the gallery with numbers that are 2 % off (scripts/mutants.mjs), comparisons with other programs' results (in the folder TENDRIL_PUBLISHED, else
#   skipped), laws against fresh random scenes (PROPERTY_SECONDS for all of them, 1200), clang-tidy over what changed;
# - wasm: the engine's tests that scripts/test.sh runs natively alone, and WASM against native on fresh random scenes
#   (AGREEMENT_SECONDS, 300; the seeds begin with the day);
# - sanitized: the engine's tests under address and undefined-behavior sanitizers;
# - fuzz: the loader under libFuzzer (FUZZ_SECONDS, 300).
. "$(dirname "$0")/env.sh"
set -o pipefail
for part in "$@"; do
  case $part in
    native | wasm | sanitized | fuzz) ;;
    *) echo "test-long.sh: unknown part '$part'; there are native, wasm, sanitized and fuzz" >&2; exit 2 ;;
  esac
done
has() { case " ${*:2} " in *" $1 "*) return 0 ;; esac; return 1; }
parts=(${@:-native wasm sanitized fuzz})

goals="native test page"
if has native "${parts[@]}"; then goals+=" tidy"; fi
if has wasm "${parts[@]}"; then goals+=" wasm wasm-test"; fi
if has fuzz "${parts[@]}"; then goals+=" fuzz"; fi
scripts/setup.sh $goals
. scripts/env.sh
. scripts/stages.sh

native() { configure native && cmake --build --preset native "$@"; }
wasm() { configure wasm && cmake --build --preset wasm --target tendril_package tendril_tests; }
sanitized() { configure debug && cmake --build --preset debug --target tendril_tests; }
fuzzer() { configure fuzz && cmake --build --preset fuzz; }
# Every law gets the same share of the time; a test may hold several.
properties() {
  local laws
  laws=$(TENDRIL_PROPERTY_SECONDS=0 build/native/tests/tendril_properties | grep -c ': 0 of 0 scenes')
  TENDRIL_PROPERTY_SECONDS=$(awk "BEGIN { print ${PROPERTY_SECONDS:-1200} / $laws }") TENDRIL_PROPERTY_SEED=$(date +%Y%m%d)00 \
    build/native/tests/tendril_properties
}
# Six kinds of scenes.
agreement() {
  TENDRIL_PROPERTY_SECONDS=$((${AGREEMENT_SECONDS:-300} / 6)) TENDRIL_PROPERTY_SEED=$(date +%Y%m%d)00 node --test tests/module/random.test.mjs
}
fuzz() { scripts/fuzz.sh "${FUZZ_SECONDS:-300}"; }

if has native "${parts[@]}"; then
  if build native-build native; then
    tests long ctest ctest --preset native-long
    tests properties gtest properties
    gate mutants node scripts/mutants.mjs
  fi
  if [ -e .git ]; then gate tidy scripts/tidy.sh; fi
fi
if has wasm "${parts[@]}"; then
  has native "${parts[@]}" || build native-build native --target tendril tendril_scene
  if build wasm-build wasm; then
    tests wasm ctest ctest --preset wasm-long --verbose
    tests module node agreement
  fi
fi
if has sanitized "${parts[@]}"; then
  build sanitized-build sanitized && tests sanitized ctest ctest --preset debug-engine
fi
if has fuzz "${parts[@]}"; then
  build fuzz-build fuzzer && gate fuzz fuzz
fi
finish
