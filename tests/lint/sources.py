"""What the lint scripts share: walking the tree, reading C++ without its comments, reporting."""

import os
import pathlib
import re
import shutil
import sys

CPP = {".cpp", ".hpp"}
SKIPPED = 77   # what ctest takes for "skipped", see cmake/SiskinLint.cmake

# Comments and literals; what is matched is replaced by spaces, so that lines and columns stay.
_HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'", re.DOTALL)


def root():
    """The tree to look at: the first argument, or else the project this file lies in."""
    return pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../../..").resolve()


def files(tree, *places, suffixes=CPP):
    """Paths below the places, relative to the tree, sorted."""
    found = (path for place in places for path in (tree / place).rglob("*"))
    return sorted(p.relative_to(tree) for p in found if p.suffix in suffixes and p.is_file())


def code_of(text):
    """The text with comments and literals blanked."""
    return _HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def room_of(path):
    """The room a source belongs to: include/siskin/ROOM/..., src/ROOM/..., tests/ROOM/..."""
    parts = path.parts
    return parts[2] if parts[0] == "include" else parts[1]


def need(program):
    """Ends the test as skipped, or as failed where nothing may be skipped, without the program."""
    if shutil.which(program):
        return
    print(f"{program} is not installed; tools/packages test installs it")
    sys.exit(1 if os.environ.get("SISKIN_TESTS_SKIP_NOTHING") else SKIPPED)


def finish(findings):
    """Prints FILE:LINE: TEXT for each finding and ends the program."""
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
