#!/usr/bin/env bash
# Builds the npm package, the program and tendril_scene, and packs them into one file, which other machines unpack here and
# test (TENDRIL_BUILT=1 scripts/test.sh wasm page): `scripts/build-tested.sh build/tested.tar`.
. "$(dirname "$0")/env.sh"
scripts/setup.sh native wasm test
. scripts/env.sh
. scripts/stages.sh
configure native
cmake --build --preset native --target tendril tendril_scene
configure wasm
cmake --build --preset wasm --target tendril_package
tar -cf "${1:?the file to write}" build/wasm/package build/native/tendril build/native/tests/tendril_scene
