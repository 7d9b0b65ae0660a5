#!/usr/bin/env bash
# Prints the project's version. With a tag ("v1.2.3"): fails unless it names this version and CHANGELOG.md is done with it.
if [ $# -gt 1 ] || { [ $# = 1 ] && [ "${1#-}" != "$1" ]; }; then
  echo 'Usage: scripts/version.sh [vTAG]' >&2
  exit 2
fi
. "$(dirname "$0")/env.sh"
version=$(sed -nE 's/^project\(tendril VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
if [ $# != 0 ]; then
  [ "$1" = "v$version" ] || { echo "the tag is $1, CMakeLists.txt says $version: change one of them" >&2; exit 1; }
  grep -qE "^## ${version//./\\.}( \([0-9-]+\))?\$" CHANGELOG.md ||
    { echo "CHANGELOG.md has no section \"## $version\" or \"## $version (DATE)\": its first section says what is released" >&2; exit 1; }
  grep -qx "version: $version" CITATION.cff || { echo "CITATION.cff has another version than $version" >&2; exit 1; }
fi
echo "$version"
