#!/usr/bin/env bash
# Packs what a release holds, after .ci/run built and tested it: the source, the npm package, the page and the program.
# `scripts/release.sh FOLDER`.
if [ $# != 1 ] || [ -z "$1" ] || [ "${1#-}" != "$1" ]; then
  echo 'Usage: scripts/release.sh FOLDER' >&2
  exit 2
fi
. "$(dirname "$0")/env.sh"
out=$1
version=$(scripts/version.sh)
mkdir -p "$out"
out=$(cd "$out" && pwd)
git archive --prefix="tendril-$version/" -o "$out/tendril-$version-source.tar.gz" HEAD
npm pack --silent --pack-destination "$out" ./build/wasm/package
cmake -DNOTICES=build/native/NOTICES -DPROGRAM=ON -P cmake/Notices.cmake
tar -czf "$out/tendril-$version-page.tar.gz" -C web/dist .
tar -czf "$out/tendril-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m).tar.gz" -C build/native tendril NOTICES -C "$PWD" LICENSE
[ -e "$out/tendril-engine-$version.tgz" ] ||
  { echo "the npm package is not of version $version: $(ls "$out")" >&2; exit 1; }
(cd "$out" && sha256sum -- tendril-* >SHA256SUMS)
ls -l "$out"
