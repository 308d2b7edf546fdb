#!/usr/bin/env python3
"""A copy of the root zone (RFC 8806) in the real daemon: NSD gives it, dig asks.

usage: local_root_test.py SISKIND [unittest arguments]

The root servers of the hints do not exist here but for one test: what is answered comes from the copy.
"""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import nsd
import rig

BINARY = pathlib.Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 else None
NOBODY, ROOT, LAB = "127.53.1.1", "127.53.1.2", "127.53.1.3"
WAIT_SECONDS_MAX = 20

ROOT_ZONE = f"""
.             86400 IN SOA ns.root. admin.root. {{serial}} 1800 900 604800 86400
.             86400 IN NS  ns.root.
ns.root.      86400 IN A   {ROOT}
lab.          86400 IN NS  ns.lab.
ns.lab.       86400 IN A   {LAB}
"""
# As many TLDs as make several messages of a transfer, and several segments of a connection.
ROOT_ZONE += "".join(f"tld{i}. 86400 IN NS ns.tld{i}.\nns.tld{i}. 86400 IN A 192.0.2.{i % 250}\n"
                     for i in range(3000))
LAB_ZONE = f"""
lab.     60 IN SOA ns.lab. admin.lab. 1 1800 900 604800 60
lab.     60 IN NS  ns.lab.
ns.lab.  60 IN A   {LAB}
www.lab. 60 IN A   192.0.2.80
"""


def root_zone(spoil):
    """With the ZONEMD that ldns computes; spoilt: a record is added behind its back."""
    with tempfile.TemporaryDirectory(prefix="siskin-root.") as directory:
        plain, signed = (pathlib.Path(directory) / name for name in ("plain", "signed"))
        plain.write_text(ROOT_ZONE.format(serial=1))
        subprocess.run(["ldns-signzone", "-Z", "-z", "sha384", "-n", "-o", ".", "-f", signed, plain],
                       check=True, capture_output=True)
        return signed.read_text() + ("more. 86400 IN NS ns.lab.\n" if spoil else "")


class Case(unittest.TestCase):
    spoil = False
    root = NOBODY        # of the hints
    source = ROOT        # of the copy

    def setUp(self):
        self.servers = nsd.Nsd([ROOT, LAB], {".": root_zone(self.spoil), "lab.": LAB_ZONE})
        self.addCleanup(self.servers.stop)
        hints = tempfile.NamedTemporaryFile("w", suffix=".root")
        self.addCleanup(hints.close)
        hints.write(f". 3600 NS ns.root.\nns.root. 3600 A {self.root}\n")
        hints.flush()
        self.port = rig.free_port()
        self.siskind = rig.Siskind(BINARY, f"""[server]
listen = ["127.0.0.1:{self.port}"]
workers = 2
[resolver]
root_hints = "{hints.name}"
ipv6 = false
allow_upstream = ["127.0.0.0/8"]
query_timeout = "2s"
[dnssec]
validation = false
[local_root]
enabled = true
servers = ["{self.source}:{self.servers.port}"]
[laboratory]
upstream_port = {self.servers.port}
""")
        self.addCleanup(self.siskind.close)

    def wait_for(self, words):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while words not in self.siskind.log():
            self.assertLess(time.monotonic(), deadline, self.siskind.log())
            time.sleep(0.02)

    def ask(self, name, kind="A", *arguments):
        return rig.dig("127.0.0.1", self.port, name, kind, *arguments)

    def assert_resolves(self):
        self.assertEqual(self.ask("www.lab").answer, ["www.lab. A 192.0.2.80"])
        self.assertEqual(self.ask("www.nothing").status, "NXDOMAIN")


class Copied(Case):
    def test_nobody_asks_the_root(self):
        self.wait_for("local root: serial 1 from")
        self.assertIn("6006 records", self.siskind.log())
        self.assert_resolves()
        denied = self.ask("other.nothing")
        self.assertEqual(denied.status, "NXDOMAIN")
        self.assertNotIn("aa", denied.flags)
        self.assertEqual(len(denied.authority), 1)
        self.assertEqual(self.ask(".", "NS").answer, [". NS ns.root."])
        self.assertEqual(self.siskind.signal_and_wait()[0], 0)


class Spoilt(Case):
    spoil = True
    root = ROOT

    def test_a_wrong_digest_is_refused_and_root_servers_are_asked(self):
        self.wait_for("its ZONEMD does not match what it holds")
        self.assertNotIn("local root: serial", self.siskind.log())
        self.assert_resolves()
        self.assertEqual(self.siskind.signal_and_wait()[0], 0)


class Absent(Case):
    root = ROOT
    source = NOBODY

    def test_without_a_source_root_servers_are_asked(self):
        self.wait_for("local root: no server could help, root servers are asked as always")
        self.assert_resolves()
        status, seconds = self.siskind.signal_and_wait()
        self.assertEqual(status, 0)
        self.assertLess(seconds, rig.STOP_SECONDS_MAX)


if __name__ == "__main__":
    rig.need_programs()
    unittest.main()
