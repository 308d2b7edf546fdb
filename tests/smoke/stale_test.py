#!/usr/bin/env python3
"""Expired answers (RFC 8767) through the real daemon, when every authoritative server has gone.

usage: stale_test.py SISKIND [unittest arguments]
"""

import pathlib
import subprocess
import sys
import time
import unittest

import rig

BINARY = pathlib.Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 else None
SECONDS_MAX = 30


class Stale(unittest.TestCase):
    def start(self, cache):
        self.port = rig.free_port()
        world = rig.World(f"127.0.0.1:{self.port}")
        self.addCleanup(world.stop)
        siskind = rig.Siskind(BINARY, world.config + f"\n[cache]\nmax_ttl = 1\n{cache}")
        self.addCleanup(siskind.close)
        self.assertEqual(self.ask().status, "NOERROR")
        subprocess.run([sys.executable, rig.DEMO_WORLD, "stop", world.directory], check=True)

    def ask(self):
        return rig.dig("127.0.0.1", self.port, "www.good.example", "A", seconds=10)

    def after_expiry(self):
        """The first reply that is not the fresh answer."""
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline:
            reply = self.ask()
            if reply.ede or reply.status != "NOERROR":
                return reply
        self.fail("the answer never expires")

    def test_the_expired_answer_is_given_and_says_so(self):
        self.start("serve_stale = true\n")
        reply = self.after_expiry()
        self.assertEqual((reply.status, reply.ede), ("NOERROR", [3]))
        self.assertEqual(reply.answer, ["www.good.example. A 192.0.2.10"])
        self.assertEqual(self.ask().ede, [3])

    def test_without_it_there_is_none(self):
        self.start("")
        reply = self.after_expiry()
        self.assertEqual((reply.status, reply.answer), ("SERVFAIL", []))


if __name__ == "__main__":
    if BINARY is None:
        sys.exit(__doc__)
    rig.need_programs()
    unittest.main()
