#!/bin/sh
# Builds the module and the page and serves it; the server prints its address. PORT chooses another port.
. "$(dirname "$0")/env.sh"
scripts/setup.sh wasm page
. scripts/env.sh
cmake --preset wasm
cmake --build --preset wasm --target tendril_package
npm run build --prefix web
exec npm run preview --prefix web -- --port "${PORT:-4173}" --host "${HOST:-localhost}"
