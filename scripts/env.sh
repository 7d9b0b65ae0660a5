# Sourced by the other scripts: the project's folder, and a Node that is new enough first in PATH.
set -eu
top=${top:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$top"
tools="$top/.tools/node_modules/.bin"
if [ -x "$tools/node" ]; then
  PATH="$tools:$PATH"
  export PATH
fi

# True where the node of the PATH is at least the version that the page's tools need, 20.19.
new_enough_node() {
  command -v node >/dev/null 2>&1 &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}
