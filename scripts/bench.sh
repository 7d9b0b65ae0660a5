#!/usr/bin/env bash
# Speed, natively and in WASM: writes the tables of docs/speed.md, all in c of the same run. Close other programs first: the
# numbers are CPU time, but caches are shared.
. "$(dirname "$0")/env.sh"
set -o pipefail
scripts/setup.sh native wasm bench
. scripts/env.sh
command -v node >/dev/null 2>&1 || scripts/setup.sh page
cmake --preset native
cmake --build --preset native --target tendril_bench tendril_factors tendril
cmake --preset wasm
cmake --build --preset wasm --target tendril_package tendril_factors
while read -r file heading; do
  echo "== $heading =="
  node "tests/bench/$file.mjs" < /dev/null | tee "build/bench-$file.md"
  node scripts/put-table.mjs docs/speed.md "$heading" < "build/bench-$file.md"
done << 'EOT'
scenes Scenes
module Rods and shells in WASM
linkages Linkages in WASM
vines Vines in WASM
native Native kernels
factors Linear solvers
EOT
