# What scripts/run and scripts/test share: installs what is missing, and builds Release.
# Sourced, not run. Sets `root`; leaves the shell in the project's root.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

casadi_version=3.8.2
packages=(g++ cmake ninja-build python3 python3-venv libeigen3-dev libflint-dev libgmp-dev libmpfr-dev libboost-dev
  libboost-test-dev nlohmann-json3-dev libcli11-dev libfmt-dev zlib1g-dev libmpfi-dev)

say() { printf '== %s\n' "$*"; }

# FLINT 2 has Arb in a package of its own; FLINT 3 contains it.
needs_arb_package() { [ ! -e /usr/include/flint/arb.h ] && [ ! -e /usr/include/arb.h ]; }

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s\n' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" = 0 ] && ! needs_arb_package; then
    say "system packages: all there"
    return
  fi
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    say "these system packages are missing and need root to install; ask for:"
    printf '   apt-get install %s\n' "${missing[*]} $(needs_arb_package && echo libflint-arb-dev || true)"
    exit 1
  fi
  say "system packages: installing ${missing[*]:-libflint-arb-dev}"
  as_root apt-get update -qq
  [ "${#missing[@]}" = 0 ] || as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  if needs_arb_package; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libflint-arb-dev >/dev/null
  fi
}

# For the test of the page only: where it cannot be had (Ubuntu's package is a snap), that test is skipped.
install_browser() {
  local program
  for program in chromium chromium-browser google-chrome chrome; do
    command -v "$program" >/dev/null && return
  done
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    say "no Chromium, and no root to install it: the test of the page will be skipped"
    return
  fi
  say "Chromium, for the test of the page: installing"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null 2>&1 ||
    say "Chromium cannot be installed here: the test of the page will be skipped"
}

install_casadi() {
  if [ "$(build/venv/bin/python -c 'import importlib.metadata as m; print(m.version("casadi"))' 2>/dev/null)" = "$casadi_version" ]; then
    say "CasADi $casadi_version: there"
    return
  fi
  say "CasADi $casadi_version: installing its wheel into build/venv"
  mkdir -p build
  python3 -m venv build/venv
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check "casadi==$casadi_version"
}

# What the Python package is built and tested with. Fails, with a line that says so, where it cannot be had.
install_python_tools() {
  local python=build/venv/bin/python
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "the Python package needs Python 3.11 or newer"
    return 1
  }
  if ! "$python" -c 'import nanobind, scikit_build_core, pytest, numpy' 2>/dev/null; then
    say "tools of the Python package: installing into build/venv"
    "$python" -m pip install --quiet --disable-pip-version-check nanobind scikit-build-core pytest numpy || {
      say "they cannot be installed here"
      return 1
    }
  fi
  if [ ! -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]; then
    say "headers of Python: installing"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-dev >/dev/null || {
      say "they cannot be installed here"
      return 1
    }
  fi
}
# install_python_extras MODULE=PACKAGE...: what tests of the Python package need beyond that. Those tests are skipped where it cannot be had.
install_python_extras() {
  local python=build/venv/bin/python missing=() one
  for one in "$@"; do "$python" -c "import ${one%%=*}" 2>/dev/null || missing+=("${one#*=}"); done
  [ "${#missing[@]}" = 0 ] && return
  say "for the tests of the Python package: installing ${missing[*]} into build/venv"
  "$python" -m pip install --quiet --disable-pip-version-check "${missing[@]}" || say "they cannot be installed here: tests that need them will be skipped"
}

# By which CMake finds them.
python_flags() { printf '%s\n' -DATTEST_PYTHON=ON "-DPython_EXECUTABLE=$root/build/venv/bin/python"; }

# Where ccache is installed it remembers what was compiled; -fpch-preprocess and the sloppiness are what its manual asks for where headers
# are precompiled.
remembering() {
  command -v ccache >/dev/null && printf '%s\n' -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_FLAGS=-fpch-preprocess
  return 0
}
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

# build_release [FLAG...] [TARGET...]: configured with these flags, these targets, or everything.
build_release() {
  say "configuring and building Release in build/release"
  local flags
  mapfile -t flags < <(remembering)
  while [[ "${1:-}" == -D* ]]; do
    flags+=("$1")
    shift
  done
  cmake --preset release "${flags[@]}" >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
  cmake --build --preset release ${1:+--target "$@"}
}

install_packages
install_casadi
