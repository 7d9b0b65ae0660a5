#!/usr/bin/env bash
# Every test there is but the long ones. Fails when anything fails, and when a part has no tests at all.
. "$(dirname "$0")/env.sh"
set -o pipefail
scripts/setup.sh native wasm page test
. scripts/env.sh
. scripts/stages.sh

native() { cmake --preset native && cmake --build --preset native; }
wasm() { cmake --preset wasm && cmake --build --preset wasm; }
sanitized() { cmake --preset debug && cmake --build --preset debug --target sanitized_tests && ctest --preset debug; }
page() { npm run check --prefix web && npm run build --prefix web; }

tests walls node node --test tests/walls/*.test.mjs
if build native-build native; then
  tests native ctest ctest --preset native
fi
if build wasm-build wasm; then
  tests wasm ctest ctest --preset wasm
  behind sanitized sanitized
  tests module node node --test --test-concurrency=2 tests/module/*.test.mjs
  tests page-units vitest npm test --prefix web
  if build page-build page; then
    tests browser node npm test --prefix tests/browser
  fi
else
  behind sanitized sanitized
fi
joined sanitized ctest
finish
