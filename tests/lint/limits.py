#!/usr/bin/env python3
"""Sizes and shapes: short files and functions, no variables that outlive their function, no #if in
logic, no notes to self, no sleeping tests, test names that say where they belong."""

import json
import re
import subprocess

import sources

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60

# Conditional code that is not logic: the debug form of a check is a macro.
CONDITIONAL_ALLOWED = {"include/siskin/base/check.hpp"}

# Spelt so that this file does not find itself.
NOTE_TO_SELF = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X)\b")
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)\b.*", re.MULTILINE)
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(")
# A variable of static storage inside a function: no parenthesis, or it would be a declaration.
LOCAL_STATIC = re.compile(
    r"^[ \t]+(?:static|thread_local)\s+(?!.*\b(?:constexpr|const)\b)[^();{}]+[;={]", re.MULTILINE)
CONSTANT = re.compile(r"\b(const|constexpr|consteval|using|typedef|extern)\b")
TEST_NAME = re.compile(r'\b(?:TEST_CASE|SCENARIO)\(\s*"([^"]*)"')

CTAGS = ["ctags", "--output-format=json", "--fields=+neKS", "--kinds-C++=fv", "--languages=C++,Python",
         "--langmap=C++:.cpp.hpp", "--kinds-Python=fm", "-L", "-", "-f", "-"]


def at(path, text, position, finding):
    return f"{path}:{text.count(chr(10), 0, position) + 1}: {finding}"


def file_findings(path, text):
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield f"{path}:1: {lines} lines; {FILE_LINES_MAX} at most"
    for match in NOTE_TO_SELF.finditer(text):
        yield at(path, text, match.start(), f"a note to self ({match[0]}) belongs in an issue")


def cpp_findings(path, text):
    code = sources.code_of(text)
    for match in LOCAL_STATIC.finditer(code):
        yield at(path, code, match.start(), "a mutable variable of static storage")
    if path.parts[0] == "tests":
        for match in SLEEP.finditer(code):
            yield at(path, code, match.start(), "tests wait for events, not for time")
        yield from test_name_findings(path, text)
    elif path.as_posix() not in CONDITIONAL_ALLOWED:
        for match in CONDITIONAL.finditer(code):
            yield at(path, code, match.start(), "conditional code; choose a file in CMake instead")


def test_name_findings(path, text):
    room = sources.room_of(path)
    for match in TEST_NAME.finditer(text):
        if not re.match(rf"({room}(/\w+)?|fault [A-Z]\d+): \S", match[1]):
            yield at(path, text, match.start(), f'the name of a test begins "{room}/file: "')


def tags(tree, paths):
    listed = "\n".join(map(str, paths))
    done = subprocess.run(CTAGS, input=listed, cwd=tree, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def function_finding(tag):
    lines = tag.get("end", tag["line"]) - tag["line"] + 1
    if lines > FUNCTION_LINES_MAX:
        return f"{tag['path']}:{tag['line']}: {tag['name']} has {lines} lines; " \
               f"{FUNCTION_LINES_MAX} at most"
    return None


def variable_finding(tag, lines):
    """ctags reports variables outside functions only; the declaration may begin a line earlier."""
    declaration = " ".join(lines[max(0, tag["line"] - 2):tag["line"]])
    if CONSTANT.search(declaration):
        return None
    return f"{tag['path']}:{tag['line']}: {tag['name']} is a mutable variable outside functions"


def tag_findings(tree, texts):
    for tag in tags(tree, texts):
        path = tag["path"]
        finding = None
        if tag["kind"] in ("function", "member") or path.endswith(".py"):
            finding = function_finding(tag)
        elif tag["kind"] == "variable" and path.startswith(("include/", "src/")):
            finding = variable_finding(tag, texts[sources.pathlib.Path(path)].splitlines())
        if finding:
            yield finding


def main():
    sources.need("ctags")
    tree = sources.root()
    paths = sources.files(tree, "include", "src", "tests", "cmake", suffixes=sources.CPP | {".py"})
    texts = {path: (tree / path).read_text() for path in paths}
    findings = []
    for path, text in texts.items():
        findings += file_findings(path, text)
        if path.suffix in sources.CPP and path.parts[0] != "cmake":
            findings += cpp_findings(path, text)
    sources.finish(findings + list(tag_findings(tree, texts)))


if __name__ == "__main__":
    main()
