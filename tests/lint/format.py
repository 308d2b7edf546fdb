#!/usr/bin/env python3
"""clang-format agrees with every source; `clang-format-19 -i FILE...` makes it so."""

import subprocess
import sys

import sources

PROGRAM = "clang-format-19"


def main():
    sources.need(PROGRAM)
    tree = sources.root()
    paths = sources.files(tree, "include", "src", "tests", "cmake")
    command = [PROGRAM, "--dry-run", "-Werror", "--ferror-limit=1", *map(str, paths)]
    sys.exit(subprocess.run(command, cwd=tree).returncode)


if __name__ == "__main__":
    main()
