#!/usr/bin/env bash
# clang-tidy: `scripts/tidy.sh [BASE]` over the C++ files that changed since a commit, 10 to 30 s each; without BASE: since main of
# origin, or the last 10 commits where that has nothing. What is changed and not yet committed counts as well.
# `scripts/tidy.sh all` takes every file, eight at a time as the build does (cmake/Unity.cmake), which is 30 minutes of a processor.
. "$(dirname "$0")/env.sh"
scripts/setup.sh native tidy
base=${1:-}
if [ -z "$base" ]; then
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -z "$base" ] || git diff --quiet "$base"; then
    base=$(git rev-parse --verify -q HEAD~10 || git rev-list --max-parents=0 HEAD | tail -1)
  fi
fi

# Folders of their own, with a command for each file; precompiled headers are the compiler's, as are some of its options.
configured() { cmake --preset native -B "$1" -DTENDRIL_UNITY="$2" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null; }
checked() {  # FOLDER OPTION... over the files of stdin, one a line
  local folder=$1
  shift
  tr '\n' '\0' | xargs -0 -r -n 1 -P 2 clang-tidy -p "$folder" --quiet "$@" --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-ignored-optimization-argument --extra-arg=-Wno-unused-command-line-argument
}

if [ "$base" = all ]; then
  configured build/tidy-all ON
  cp tests/.clang-tidy build/tidy-all/tests/  # where clang-tidy looks for it
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/tidy-all/compile_commands.json | checked build/tidy-all --checks=-bugprone-suspicious-include
  exit
fi
git rev-parse --verify -q "$base^{commit}" >/dev/null || { echo "tidy.sh: there is no commit $base here" >&2; exit 2; }
configured build/tidy OFF
mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- 'engine/*.cpp' 'tests/*.cpp' | while read -r file; do
  if grep -q "/$file\"" build/tidy/compile_commands.json; then echo "$file"; fi
done)
echo "${#files[@]} files since $(git rev-parse --short "$base")"
[ "${#files[@]}" = 0 ] || printf '%s\n' "${files[@]}" | checked build/tidy
