#!/usr/bin/env bash
# clang-tidy over the C++ files that changed since a commit, 10 to 30 s each: `scripts/tidy.sh [BASE]`. Without BASE: since main of
# origin, or the last 10 commits where that has nothing. What is changed and not yet committed counts as well.
. "$(dirname "$0")/env.sh"
scripts/setup.sh native tidy
base=${1:-}
if [ -z "$base" ]; then
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -z "$base" ] || git diff --quiet "$base"; then
    base=$(git rev-parse --verify -q HEAD~10 || git rev-list --max-parents=0 HEAD | tail -1)
  fi
fi
git rev-parse --verify -q "$base^{commit}" >/dev/null || { echo "tidy.sh: there is no commit $base here" >&2; exit 2; }

# A folder of its own, with a command for each file; precompiled headers are the compiler's.
cmake --preset native -B build/tidy -DTENDRIL_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- 'engine/*.cpp' 'tests/*.cpp' | while read -r file; do
  if grep -q "/$file\"" build/tidy/compile_commands.json; then echo "$file"; fi
done)
echo "${#files[@]} files since $(git rev-parse --short "$base")"
[ "${#files[@]}" = 0 ] || printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P 2 clang-tidy -p build/tidy --quiet \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument
