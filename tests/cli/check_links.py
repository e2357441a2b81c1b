#!/usr/bin/env python3
"""check_links.py ATTEST_CHECK ATTEST: the checker holds nothing of the solvers, of FLINT, of Eigen or of lib/.

That attest itself is found to hold them shows that the look can fail.
"""

import re
import subprocess
import sys

LIBRARIES = re.compile(r"casadi|ipopt|mumps|flint|arb|attest|fmt|nlohmann", re.IGNORECASE)
# attest:: is lib/, attest::check:: the checker; arb_ and fmpq_ are FLINT's.
SYMBOLS = re.compile(r"\bEigen::|\bcasadi::|\bIpopt::|\bnlohmann::|\battest::(?!check::)|\b(?:arb|arf|fmpq|fmpz|flint)_\w+")


def output(*words):
    return subprocess.run(words, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout


def libraries(program):
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", program))
    loaded = [line.split()[0].rsplit("/", 1)[-1] for line in output("ldd", program).splitlines() if line.strip()]
    return sorted(set(needed) | set(loaded))


def symbols(program):
    return output("nm", "-C", program).splitlines()


def intruders(program):
    found = [f"links {name}" for name in libraries(program) if LIBRARIES.search(name)]
    seen = sorted({match.group(0) for line in symbols(program) if (match := SYMBOLS.search(line))})
    return found + [f"has symbols {name}..." for name in seen]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check_links.py ATTEST_CHECK ATTEST")
    checker, attest = sys.argv[1:]
    failures = [f"attest-check {what}" for what in intruders(checker)]
    if not any("attest::check::" in line for line in symbols(checker)):
        failures.append("attest-check has no symbols to look at: it is stripped")
    seen = " ".join(intruders(attest))
    for name in ("casadi", "flint", "Eigen::", "attest::"):
        if name not in seen:
            failures.append(f"{name} was not found in attest, which holds it: this check is blind")
    for failure in failures:
        print(failure)
    print(f"attest-check links {', '.join(libraries(checker))}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
