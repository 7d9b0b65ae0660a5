#!/usr/bin/env bash
# Fuzzes the loader with libFuzzer for so many seconds, from the committed corpus and the scenes: `scripts/fuzz.sh 300`.
case ${1-60} in
  '' | *[!0-9]*) seconds= ;;
  *) seconds=${1-60} ;;
esac
if [ $# -gt 1 ] || [ -z "$seconds" ]; then
  echo 'Usage: scripts/fuzz.sh [SECONDS]' >&2
  exit 2
fi
. "$(dirname "$0")/env.sh"
found=build/fuzz/corpus
mkdir -p "$found"
build/fuzz/tests/loader_fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
  -artifact_prefix=build/fuzz/ "$found" tests/fuzz/corpus scenes
