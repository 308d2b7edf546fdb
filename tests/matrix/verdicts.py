"""What delv, Unbound and Siskin say to a question: "RCODE verdict", with EDE codes beside it."""

import re
import subprocess
from dataclasses import dataclass

import programs
import zones


@dataclass(frozen=True)
class Verdict:
    rcode: str
    security: str     # secure, insecure, bogus, or what went wrong
    reason: str = ""  # EDE codes and texts, or delv's words

    def __str__(self):
        return "bogus" if self.security == "bogus" else f"{self.security} {self.rcode}"

    def same(self, other):
        return str(self) == str(other)


def ask_resolver(address, port, row):
    command = [programs.find("dig"), f"@{address}", "-p", str(port), "+tries=1", "+time=8", "+dnssec",
               row.name, row.kind]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    status = re.search(r"status: (\w+)", text)
    if not status:
        return Verdict("-", "no reply")
    flags = re.search(r"\n;; flags: ([^;]*);", text)[1].split()
    reason = " / ".join(found.strip() for found in re.findall(r"; EDE: (.*)", text))
    if status[1] not in ("NOERROR", "NXDOMAIN"):
        return Verdict(status[1], "bogus" if status[1] == "SERVFAIL" else "refused", reason)
    return Verdict(status[1], "secure" if "ad" in flags else "insecure", reason)


def ask_delv(world, row):
    """delv gets the data from the cache that validates nothing, and validates it itself."""
    anchors = world.home / "delv.anchors"
    if not anchors.exists():
        _owner, _ttl, _class, _kind, tag, algorithm, digest_type, digest = world.anchor.split()
        anchors.write_text(f'trust-anchors {{ . static-ds {tag} {algorithm} {digest_type} "{digest}"; }};')
    command = [programs.find("delv"), f"@{zones.ADDRESS_CACHE}", "-p", str(world.cache_port), "-a", str(anchors),
               "+root=.", row.name, row.kind]
    done = subprocess.run(command, capture_output=True, text=True)
    return read_delv(done.stdout + done.stderr)


def read_delv(text):
    found = re.search(r"^;; resolution failed: (.*)", text, re.MULTILINE)
    outcome = found[1] if found else ""
    # A chain of aliases is as secure as its least secure part.
    trust = re.findall(r"^; (.*(?:validated|unsigned answer))", text, re.MULTILINE)
    security = "secure" if trust and all("fully validated" in t for t in trust) else "insecure"
    if outcome.startswith("ncache nxdomain"):
        return Verdict("NXDOMAIN", security, outcome)
    if outcome.startswith("ncache nxrrset"):
        return Verdict("NOERROR", security, outcome)
    if outcome in ("timed out", "failure", "SERVFAIL", "connection refused", "network unreachable"):
        return Verdict("-", outcome, text.strip()[-200:])
    if outcome:
        return Verdict("SERVFAIL", "bogus", outcome)
    return Verdict("NOERROR", security) if trust else Verdict("-", "no reply", text.strip()[-200:])


RESOLVERS = {
    "delv": ask_delv,
    "Unbound": lambda world, row: ask_resolver(zones.ADDRESS_UNBOUND, world.port, row),
    "Siskin": lambda world, row: ask_resolver(zones.ADDRESS_SISKIN, world.port, row),
}
