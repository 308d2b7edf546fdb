#!/usr/bin/env python3
"""Rooms may include only what lies further left in the one-way order (docs/architecture.md).

Checks every #include of include/siskin and src, and where third-party libraries and ldns types show.
"""

import re

import sources

ORDER = [["base"], ["wire"], ["stats"], ["config", "runtime", "text"], ["cache", "policy"], ["dnssec"],
         ["resolve"], ["serve"], ["net", "control"], ["app"]]
RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}

# Rooms that see less than the order would let them.
SEES_ONLY = {"net": {"base", "wire", "stats", "runtime"}}
# Rooms that only some may see, although the order would let others.
SEEN_ONLY_BY = {"config": {"app"}}

LDNS_WRAPPER = "text/ldns.hpp"   # the one file that includes ldns; it undoes ldns's macros
LDNS_ROOMS = {"text", "dnssec", "resolve"}
LDNS_NAME = re.compile(r"\bldns_\w+")

# Third party by the start of its header's name: the rooms that may include it, or the one file.
THIRD_PARTY = {
    "spdlog/": {"base"},
    "toml++/": {"config"},
    "CLI/": {"app"},
    "ldns/": "src/" + LDNS_WRAPPER,
    "jemalloc/": {"stats", "cache", "app"},
    "openssl/": {"text", "dnssec", "resolve"},
    "boost/asio": {"runtime", "dnssec", "resolve", "serve", "net", "control", "app"},
    "boost/beast": {"net", "control"},
}
ONE_FILE_ONLY = {"toml++/"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_see(room, other):
    if room == other:
        return True
    if other in SEEN_ONLY_BY and room not in SEEN_ONLY_BY[other]:
        return False
    if room in SEES_ONLY:
        return other in SEES_ONLY[room]
    return RANK[other] < RANK[room]


def third_party_finding(path, room, header):
    for start, allowed in THIRD_PARTY.items():
        if header.startswith(start):
            if allowed == path.as_posix() or (isinstance(allowed, set) and room in allowed):
                return None
            where = allowed if isinstance(allowed, str) else "rooms " + ", ".join(sorted(allowed))
            return f"<{header}> may be included by {where} only"
    return None


def own_finding(path, room, header):
    parts = header.split("/")
    public = parts[0] == "siskin"
    other = parts[1] if public and len(parts) > 2 else parts[0]
    if other not in RANK:
        return f'"{header}" begins with no room; write "{room}/{header}" for a header of this one'
    if not public:
        if path.parts[0] == "include":
            return f'a public header includes the private "{header}"'
        if other != room and not (header == LDNS_WRAPPER and room in LDNS_ROOMS):
            return f'"{header}" is private to room {other}'
    if not may_see(room, other):
        return f'room {room} may not include room {other} ("{header}")'
    return None


def findings_of(path, text):
    room = sources.room_of(path)
    if room not in RANK:
        yield f"{path}:1: {room} is not a room of the order"
        return
    for match in INCLUDE.finditer(text):
        check = third_party_finding if match[1] == "<" else own_finding
        finding = check(path, room, match[2])
        if finding:
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {finding}"
    if room not in LDNS_ROOMS:
        code = sources.code_of(text)
        for match in LDNS_NAME.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match[0]} outside rooms {', '.join(sorted(LDNS_ROOMS))}"


def one_file_findings(texts):
    for start in sorted(ONE_FILE_ONLY):
        users = [path for path, text in texts.items()
                 if any(m[2].startswith(start) for m in INCLUDE.finditer(text))]
        for path in users[1:]:
            yield f"{path}:1: <{start}...> is included by {users[0]} already; one file may"


def main():
    tree = sources.root()
    texts = {p: (tree / p).read_text() for p in sources.files(tree, "include/siskin", "src")}
    findings = [f for path, text in texts.items() for f in findings_of(path, text)]
    sources.finish(findings + list(one_file_findings(texts)))


if __name__ == "__main__":
    main()
