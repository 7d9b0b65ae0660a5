#!/usr/bin/env bash
# clang-format over the C++ of the project, or the files named: `scripts/format.sh [--check] [FILE...]`. With --check nothing is
# written: what is formatted otherwise is named, and the exit code is 1. Without arguments biome formats the JavaScript too.
for word in "$@"; do
  if [ "$word" != "${word#-}" ] && { [ "$word" != --check ] || [ "$1" != --check ]; }; then
    echo 'Usage: scripts/format.sh [--check] [FILE...]' >&2
    exit 2
  fi
done
. "$(dirname "$0")/env.sh"

wanted=14  # other versions break lines in other places, and then people's changes would undo one another
for candidate in clang-format-$wanted clang-format; do
  found=$(command -v "$candidate" || true)
  if [ -n "$found" ] && "$found" --version | grep -q "version $wanted\."; then
    formatter=$found
    break
  fi
done
if [ -z "${formatter:-}" ]; then
  echo "clang-format $wanted is needed, as other versions format differently; this system has $(clang-format --version 2>/dev/null || echo none)." >&2
  echo "It is clang-format-$wanted of Debian and Ubuntu, and clang-format==$wanted.0.6 of pip." >&2
  exit 2
fi

mode=(-i)
if [ "${1:-}" = --check ]; then
  mode=(--dry-run -Werror --ferror-limit=1)
  shift
fi
if [ $# = 0 ] && [ "${mode[0]}" = -i ]; then web/node_modules/.bin/biome format --write . >&2; fi
if [ $# = 0 ]; then
  folders=()
  for folder in engine include wasm tests examples; do [ ! -d "$folder" ] || folders+=("$folder"); done
  find "${folders[@]}" -name node_modules -prune -o \( -name '*.cpp' -o -name '*.h' \) -print0
else
  printf '%s\0' "$@"
fi | if ! xargs -0 -n 40 -P 2 "$formatter" "${mode[@]}"; then
  echo "Run \"make format\" to format these files." >&2
  exit 1
fi
