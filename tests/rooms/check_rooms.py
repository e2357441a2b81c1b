"""The includes between rooms are those of the architecture, and nothing below a border sees what stands beyond it.

usage: check_rooms.py ROOT, or check_rooms.py --self-test

Each room of lib/ may include itself and the rooms that its line below names, directly or through one another. The compiler sees
that a room does not include one that it does not depend on; this test also sees that the dependencies are those that are drawn in
docs/architecture.md, and that libraries stay where they belong.
"""

import pathlib
import re
import sys
import tempfile

# What each room may name in an include, besides itself.
ROOMS = {
    "base": set(),
    "model": {"base"},
    "certificate": {"base", "model"},
    "exact": {"base", "model", "certificate"},
    "graph": {"base", "model"},
    "solve": {"base", "model", "graph"},
    "study": {"base", "model", "certificate", "exact", "graph", "solve"},
    "claims": {"base", "model", "certificate", "exact", "graph", "solve", "study"},
    "audit": {"base", "model", "exact", "claims"},
    "report": {"base", "model", "claims"},
    "run": {"base", "model", "certificate", "solve", "claims", "audit", "report"},
    "facade": {"model", "certificate", "exact", "graph", "claims", "report", "run"},
}
PROGRAM = {"base", "model", "graph", "claims", "audit", "report", "run"}

# Which rooms may include a library's headers.
LIBRARIES = {
    "casadi/": {"graph", "solve"},
    "attest/graph/casadi/": {"graph", "solve"},  # the headers that show types of CasADi
    "flint/": {"exact", "verifier"},  # the program tells its version
    "arb.h": {"exact"},
    "CLI/": {"verifier"},
    "nlohmann/": {"model", "certificate", "report", "run", "verifier"},  # readers and borders
}

# Where headers that others may use can show a library's types: below this folder, and nowhere else.
SHOWN = dict.fromkeys(("casadi/", "attest/graph/casadi/"), "lib/graph/include/attest/graph/casadi/")

# Libraries that one file includes: what they cost the compiler is paid once.
ONCE = {"CLI/": "command_line.cpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".cpp", ".hpp"))


def faults_of(path, root, room, allowed):
    """What a file of a room includes and may not."""
    place = path.relative_to(root).as_posix()
    for quote, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        attest = re.match(r"attest/(\w+)/", name)
        if attest and attest[1] != room and attest[1] not in allowed:
            yield f"{path}: {room} includes {name}"
        if quote == '"' and name.startswith("../"):
            yield f"{path}: a relative include, {name}"
        for library, rooms in LIBRARIES.items():
            if name.startswith(library) and room not in rooms:
                yield f"{path}: {room} includes {name}"
        for library, folder in SHOWN.items():
            if name.startswith(library) and "/include/" in place and not place.startswith(folder):
                yield f"{path}: {name} in a header that others may use"
        for library, file in ONCE.items():
            if name.startswith(library) and path.name != file:
                yield f"{path}: {name} is for {file} alone"


def all_faults(root):
    faults = []
    for room, allowed in ROOMS.items():
        for path in sources(root / "lib" / room):
            faults += faults_of(path, root, room, allowed)
    for path in sources(root / "verifier"):
        checker = "checker" in path.relative_to(root).parts
        faults += faults_of(path, root, "checker" if checker else "verifier", set() if checker else PROGRAM)
    unknown = {path.name for path in (root / "lib").iterdir() if path.is_dir()} - set(ROOMS)
    return faults + [f"lib/{name}: a room that the test does not know" for name in sorted(unknown)]


def self_test():
    """Wrong includes are seen: one upwards, one of a solver in the exact room, one of lib/ in the checker, a second one of a large library, JSON among
    facts, graphs of CasADi in a claim, CasADi in headers that claims see. Right ones of CasADi are not."""
    planted = {
        "lib/model/src/planted.cpp": '#include "attest/solve/path.hpp"\n',
        "lib/exact/src/planted.cpp": "#include <casadi/casadi.hpp>\n",
        "verifier/checker/planted.cpp": '#include "attest/base/rational.hpp"\n',
        "lib/audit/src/planted.cpp": "#include <nlohmann/json.hpp>\n",
        "verifier/planted.cpp": "#include <CLI/CLI.hpp>\n",
        "lib/report/src/planted.cpp": '#include "../../claims/src/theorem.hpp"\n',
        "lib/claims/src/planted.cpp": '#include "attest/graph/casadi/svm_graph.hpp"\n',
        "lib/graph/include/attest/graph/planted.hpp": "#include <casadi/casadi.hpp>\n",
        "lib/solve/include/attest/solve/planted.hpp": '#include "attest/graph/casadi/svm_graph.hpp"\n',
    }
    right = {
        "lib/graph/include/attest/graph/casadi/right.hpp": "#include <casadi/casadi.hpp>\n",
        "lib/graph/src/right.cpp": '#include "attest/graph/casadi/svm_graph.hpp"\n',
        "lib/solve/src/right.cpp": "#include <casadi/casadi.hpp>\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for room in ROOMS:
            (copy / "lib" / room / "src").mkdir(parents=True)
        for name, text in (planted | right).items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text, encoding="utf-8")
        found = all_faults(copy)
    missed = [name for name in planted if not any(name in fault for fault in found)]
    accused = [name for name in right if any(name in fault for fault in found)]
    return [f"a wrong include in {name} is not seen" for name in missed] + [f"a right include in {name} is a fault" for name in accused]


def main():
    faults = self_test() if sys.argv[1] == "--self-test" else all_faults(pathlib.Path(sys.argv[1]))
    for fault in faults:
        print(fault)
    print("no fault" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
