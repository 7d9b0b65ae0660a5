#!/usr/bin/env bash
# Speed of named scenes, natively and in WASM. Close other programs first: the numbers are CPU time, but caches are shared.
. "$(dirname "$0")/env.sh"
scripts/setup.sh native wasm bench
. scripts/env.sh
command -v node >/dev/null 2>&1 || scripts/setup.sh page
cmake --preset native
cmake --build --preset native --target tendril_bench
cmake --preset wasm
cmake --build --preset wasm --target tendril_package
echo "== native =="
build/native/tests/tendril_bench "$@"
echo "== WASM in Node =="
for file in tests/bench/*.mjs; do
  if [ -e "$file" ]; then node "$file"; fi
done
