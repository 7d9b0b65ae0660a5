#!/bin/sh
# npm with the project's Node: `scripts/npm.sh run build --prefix web`.
. "$(dirname "$0")/env.sh"
exec npm "$@"
