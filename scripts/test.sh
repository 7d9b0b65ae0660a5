#!/usr/bin/env bash
# Every test there is but the long ones, or some parts of them: `scripts/test.sh [gates] [native] [wasm] [page] [sanitized]`. Fails
# when anything fails, and when a part has no tests at all. Where TENDRIL_BUILT is set, the package, the
# program and tendril_scene in build/ were built elsewhere, and wasm and page test them as they are.
. "$(dirname "$0")/env.sh"
set -o pipefail
for part in "$@"; do
  case $part in
    gates | native | wasm | page | sanitized) ;;
    *) echo "test.sh: unknown part '$part'; there are gates, native, wasm, page and sanitized" >&2; exit 2 ;;
  esac
done
# has PART...: whether one of them is wanted.
asked=" ${*:-gates native wasm page sanitized} "
has() {
  local part
  for part in "$@"; do case $asked in *" $part "*) return 0 ;; esac; done
  return 1
}

own=yes
[ -z "${TENDRIL_BUILT:-}" ] || own=no
goals=""
if has gates wasm page; then goals+=" page"; fi
if has gates; then goals+=" format"; fi
if has native sanitized || { has wasm page && [ $own = yes ]; }; then goals+=" native"; fi
if has wasm || { has page && [ $own = yes ]; }; then goals+=" wasm"; fi
if has native wasm sanitized; then goals+=" test"; fi
if has wasm; then goals+=" wasm-test"; fi
if has page; then goals+=" browser"; fi
scripts/setup.sh $goals
. scripts/env.sh
. scripts/stages.sh

native() { configure native && cmake --build --preset native "$@"; }
wasm() { configure wasm && cmake --build --preset wasm "$@"; }
sanitized() {
  configure debug && cmake --build --preset debug --target sanitized_tests && ctest --preset debug --verbose
}
# Layout and lint of all JavaScript and TypeScript, and the types that the module promises.
scripted() { web/node_modules/.bin/biome check --error-on-warnings . && web/node_modules/.bin/tsc -p wasm; }
page() { npm run check --prefix web && npm run build --prefix web; }

if has gates; then
  tests walls node node --test tests/walls/*.test.mjs
  gate format scripts/format.sh --check
  gate javascript scripted
fi

ready=yes
if has native; then
  build native-build native && tests native ctest ctest --preset native
elif has wasm page && [ $own = yes ]; then
  build native-build native --target tendril tendril_scene || ready=no
fi
if has wasm; then
  only=""
  [ $own = yes ] || only="--target tendril_kernel_tests"
  build wasm-build wasm $only || ready=no
elif has page && [ $own = yes ]; then
  build wasm-build wasm --target tendril_package || ready=no
fi
if has wasm && [ $ready = yes ]; then tests wasm ctest ctest --preset wasm --verbose; fi

# Most of what follows waits for a browser, so the compiler works behind it.
if has sanitized; then behind sanitized sanitized; fi
if has wasm && [ $ready = yes ]; then tests module node node --test --test-concurrency=2 tests/module/*.test.mjs; fi
if has page; then
  tests page-units vitest npm test --prefix web
  if [ $ready = yes ] && build page-build page; then
    tests browser node npm test --prefix tests/browser
  fi
fi
if has sanitized; then joined sanitized ctest; fi
finish
