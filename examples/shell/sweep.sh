#!/bin/sh
# Runs a scene with several values of a parameter and prints a table of a probe:
#   PATH=build/native:$PATH examples/shell/sweep.sh scenes/cantilever.json E tip.z 2e7 2e8 2e9
set -eu
if [ $# -lt 4 ]; then
  echo 'Usage: sweep.sh SCENE PARAMETER PROBE VALUE ...' >&2
  exit 2
fi
scene=$1 parameter=$2 probe=$3
shift 3
printf '%s,%s\n' "$parameter" "$probe"
for value in "$@"; do
  result=$(tendril run "$scene" --set "$parameter=$value")
  measured=$(printf '%s\n' "$result" | awk -v probe="$probe" '$1 == probe {print $2}')
  if [ -z "$measured" ]; then
    echo "sweep.sh: $scene has no probe column \"$probe\"" >&2
    exit 2
  fi
  printf '%s,%s\n' "$value" "$measured"
done
