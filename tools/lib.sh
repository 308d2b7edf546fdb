# shellcheck shell=bash
# Shared by the scripts in tools/: source it, do not run it.  Leaves the shell in the project's root.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"

say() {
  printf '%s\n' "$*" >&2
}

die() {
  say "$(basename "$0"): $*"
  exit 1
}

# configure PRESET: runs cmake only when there is no finished build tree or the presets changed,
# because ninja itself notices changes of the CMake files.
configure() {
  local tree=build/$1
  if [[ ! -e $tree/build.ninja || CMakePresets.json -nt $tree/build.ninja ]]; then
    cmake --preset "$1"
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" -j "$(nproc)" ${1:+--target "$@"}
}
