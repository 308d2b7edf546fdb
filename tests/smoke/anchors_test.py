#!/usr/bin/env python3
"""The keys of a trust anchor as they come and go (RFC 5011), in the real daemon from one start to the
next: ldns makes and revokes keys and signs, NSD serves, the state file remembers.  A month of hold-down
passes by writing another date into that file.

usage: anchors_test.py SISKIND [unittest arguments]
"""

import datetime
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import nsd
import rig

BINARY = pathlib.Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 else None
ROOT = "127.53.2.1"
WAIT_SECONDS_MAX = 20
ZONE = f"""
.         3600 IN SOA ns.root. admin.root. 1 1800 900 604800 60
.         3600 IN NS  ns.root.
ns.root.  3600 IN A   {ROOT}
www.      3600 IN A   192.0.2.80
"""


class AnchorsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="siskin-anchors.")
        self.addCleanup(directory.cleanup)
        self.home = pathlib.Path(directory.name)
        self.state_path = self.home / "state"
        self.old, self.new = self.make_key(), self.make_key()
        self.server = nsd.Nsd([ROOT], {".": self.signed(self.old)})
        self.addCleanup(self.server.stop)
        (self.home / "hints").write_text(f". 3600 NS ns.root.\nns.root. 3600 A {ROOT}\n")
        self.port = rig.free_port()

    def ldns(self, *command):
        done = subprocess.run(command, cwd=self.home, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def make_key(self):
        return self.ldns("ldns-keygen", "-a", "ECDSAP256SHA256", "-k", ".")

    def signed(self, *keys):
        (self.home / "zone").write_text(ZONE)
        self.ldns("ldns-signzone", "-o", ".", "-f", "signed", "zone", *keys)
        return (self.home / "signed").read_text()

    def revoked(self, key):
        """Its name, which has another tag."""
        self.ldns("ldns-revoke", f"{key}.key")
        text = (self.home / f"{key}.key").read_text()
        tag = re.search(r"id = (\d+)", text)
        name = re.sub(r"\d+$", f"{int(tag[1]):05}", key) if tag else key
        if name != key:
            (self.home / f"{name}.key").write_text(text)
            (self.home / f"{name}.private").write_text((self.home / f"{key}.private").read_text())
        return name

    @staticmethod
    def tag(key):
        return int(key.rsplit("+", 1)[1])

    def config(self):
        ds = re.sub(r"\s+", " ", (self.home / f"{self.old}.ds").read_text()).strip()
        return f"""[server]
listen = ["127.0.0.1:{self.port}"]
workers = 2
[resolver]
root_hints = "{self.home}/hints"
ipv6 = false
allow_upstream = ["127.0.0.0/8"]
[dnssec]
trust_anchors = ["{ds}"]
trust_anchor_state = "{self.state_path}"
[laboratory]
upstream_port = {self.server.port}
"""

    def run_until(self, *words):
        """One life of the daemon, in which each of the words gets into the log and a question is
        answered."""
        siskind = rig.Siskind(BINARY, self.config())
        try:
            deadline = time.monotonic() + WAIT_SECONDS_MAX
            while not all(one in siskind.log() for one in words):
                self.assertLess(time.monotonic(), deadline, siskind.log())
                time.sleep(0.02)
            answer = rig.dig("127.0.0.1", self.port, "+dnssec", "www.", "A")
            self.assertEqual((answer.status, "ad" in answer.flags), ("NOERROR", True), answer.text)
            status, seconds = siskind.signal_and_wait()
            self.assertEqual(status, 0)
            self.assertLess(seconds, rig.STOP_SECONDS_MAX)
        finally:
            siskind.close()

    def states(self):
        """From tags to states."""
        lines = [line.split() for line in self.state_path.read_text().splitlines()
                 if not line.startswith(";")]
        (self.home / "all").write_text("".join(f". IN {' '.join(line[3:])}\n" for line in lines))
        keys = {}
        for state, _date, _zone, *record in lines:
            (self.home / "one.key").write_text(f". IN {' '.join(record)}\n")
            ds = self.ldns("ldns-key2ds", "-n", "-2", "one.key").split()
            keys[int(ds[4])] = state
        return keys

    def test_a_key_comes_and_the_old_one_goes(self):
        self.run_until(f"trust anchor: key {self.tag(self.old)} of . is trusted")
        self.assertEqual(self.states(), {self.tag(self.old): "valid"})

        self.server.serve(".", self.signed(self.old, self.new))
        month = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)
        self.run_until(f"trust anchor: key {self.tag(self.new)} of . is new; it is trusted from "
                       f"{month:%Y-%m-%d}")
        self.assertEqual(self.states(), {self.tag(self.old): "valid", self.tag(self.new): "pending"})

        text = self.state_path.read_text()
        self.state_path.write_text(re.sub(r"pending \S+", "pending 2026-01-01", text))
        self.run_until(f"trust anchor: key {self.tag(self.new)} of . is trusted")

        self.server.serve(".", self.signed(self.revoked(self.old), self.new))
        self.run_until(f"trust anchor: key {self.tag(self.old)} of . is revoked")
        self.assertEqual(self.states(), {self.tag(self.old): "revoked", self.tag(self.new): "valid"})

        # The configuration still names the old key, which is trusted no more.
        self.server.serve(".", self.signed(self.new))
        self.run_until()

    def fails(self, words):
        siskind = rig.Siskind(BINARY, self.config(), ready=False)
        self.addCleanup(siskind.close)
        self.assertEqual(siskind.wait_exit(), 1, siskind.log())
        self.assertIn(words, siskind.log())
        return siskind.config_path

    def test_a_state_that_is_damaged_is_refused(self):
        self.state_path.write_text("; a comment\nvalid today . DNSKEY 257 3 13 AAAA\n")
        wrong = f"{self.state_path}:2: \"today\" is no date such as 2026-12-05T12:00:00Z"
        config = self.fails(wrong)
        done = subprocess.run([BINARY, "--config", config, "--check-config"], capture_output=True,
                              text=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr.strip()), (1, wrong))

    def test_a_state_that_cannot_be_written_is_told_at_the_start(self):
        self.state_path = self.home / "nowhere" / "state"
        self.fails(f"{self.state_path}.new: No such file or directory")


if __name__ == "__main__":
    rig.need_programs()
    unittest.main()
