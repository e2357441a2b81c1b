# Sourced by the scripts of this folder: installs the peers into a private venv under build/.
if ! cmp -s bench/peers/requirements.txt build/bench-venv/requirements.txt; then
  say "installing the peers into build/bench-venv"
  python3 -m venv build/bench-venv
  build/bench-venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
  cp bench/peers/requirements.txt build/bench-venv/requirements.txt
fi
