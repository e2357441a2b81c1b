#!/usr/bin/env python3
"""check_install.py CMAKE BUILD CONSUMER GENERATOR COMPILER CONFIG SANITIZE: installs the build into a folder of its own,
then configures, builds and runs a project that finds it there."""

import pathlib
import subprocess
import sys
import tempfile

EXPECTED = """\
objective 50/101, tight rows: 1
the certificate is accepted
locally optimal: holds, proved
$.labels[0]: found 7, expected 1 or -1
"""


class Failed(Exception):
    """What went wrong, with the output that says so."""


def run(*words, accept=(0,)):
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    if done.returncode not in accept:
        raise Failed(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def configure(cmake, consumer, target, prefix, generator, compiler, config, sanitize, version):
    flags = f"-fsanitize={sanitize}" if sanitize else ""
    return [cmake, "-S", consumer, "-B", target, "-G", generator, f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_BUILD_TYPE={config}",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_FLAGS={flags}", f"-DDEMANDED_VERSION={version}"]


def install(cmake, build, prefix, config):
    run(cmake, "--install", build, "--prefix", prefix, "--config", config)
    return run(prefix / "bin" / "attest", "--version").split()[-1]


def check_program(program, version):
    if not program.exists():
        raise Failed(f"{program.name} is not installed")
    if version not in run(program, "--version"):
        raise Failed(f"the installed {program.name} does not say its version")


def check_consumer(cmake, consumer, folder, version, *rest):
    run(*configure(cmake, consumer, folder / "consumer", *rest, version))
    run(cmake, "--build", folder / "consumer")
    said = run(folder / "consumer" / "consumer")
    if said != EXPECTED:
        raise Failed(f"the consumer said:\n{said}instead of:\n{EXPECTED}")


def check_newer_is_refused(cmake, consumer, folder, *rest):
    """The twin: a version that is not installed is not found."""
    refused = run(*configure(cmake, consumer, folder / "newer", *rest, "99.0"), accept=(1,))
    if "99.0" not in refused:
        raise Failed(f"version 99.0 was refused for another reason:\n{refused}")


def failures(cmake, build, consumer, generator, compiler, config, sanitize, folder):
    prefix = folder / "prefix"
    rest = (prefix, generator, compiler, config, sanitize)
    version = install(cmake, build, prefix, config)
    for step, *words in [
        (check_program, prefix / "bin" / "attest", version),
        (check_program, prefix / "bin" / "attest-check", version),
        (check_consumer, cmake, consumer, folder, version, *rest),
        (check_newer_is_refused, cmake, consumer, folder, *rest),
    ]:
        try:
            step(*words)
        except Failed as failure:
            yield str(failure)


def main():
    if len(sys.argv) != 8:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        found = list(failures(*sys.argv[1:], pathlib.Path(folder)))
    if found:
        sys.exit("\n".join(found))
    print("installed, found, built and run")


if __name__ == "__main__":
    main()
