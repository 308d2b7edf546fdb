#!/usr/bin/env python3
"""Client subnet (RFC 7871) through the real daemon: what servers are told, what clients get.

usage: subnet_test.py SISKIND [unittest arguments]
"""

import pathlib
import re
import sys
import tempfile
import unittest

import rig
import tailor

BINARY = pathlib.Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 else None
BELIEVED, OTHER = "127.0.0.1", "127.0.0.2"   # clients
FIRST = f"{tailor.ROOT} lab -\n{tailor.TLD} cdn.lab -\n".splitlines()   # the way to cdn.lab


class Case(unittest.TestCase):
    ecs = '[ecs]\nzones = ["cdn.lab"]\naccept_from = ["127.0.0.1/32"]\n'

    def setUp(self):
        self.servers = tailor.Tailor()
        self.addCleanup(self.servers.stop)
        hints = tempfile.NamedTemporaryFile("w", suffix=".root")
        self.addCleanup(hints.close)
        hints.write(f". 3600 NS ns.root.\nns.root. 3600 A {tailor.ROOT}\n")
        hints.flush()
        self.port = rig.free_port()
        siskind = rig.Siskind(BINARY, f"""[server]
listen = ["127.0.0.1:{self.port}"]
workers = 2
[resolver]
root_hints = "{hints.name}"
ipv6 = false
allow_upstream = ["127.0.0.0/8"]
[dnssec]
validation = false
[laboratory]
upstream_port = {self.servers.port}
priming = false
{self.ecs}""")
        self.addCleanup(siskind.close)

    def ask(self, name, *arguments, client=BELIEVED):
        """The address, and what the reply says of the client's subnet; what went out is kept."""
        self.servers.seen.clear()
        self.reply = rig.dig("127.0.0.1", self.port, "-b", client, name, "A", *arguments)
        option = re.search(r"; CLIENT-SUBNET: (\S+)", self.reply.text)
        address = self.reply.answer[0].split()[-1] if self.reply.answer else self.reply.status
        return address, option[1] if option else None

    def sent(self):
        return list(self.servers.seen)


class Tailored(Case):
    def test_each_network_has_its_answer(self):
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=203.0.113.0/24"),
                         ("203.0.113.1", "203.0.113.0/24/24"))
        self.assertEqual(self.sent(), [*FIRST, f"{tailor.CDN} www.cdn.lab 203.0.113.0/24"])
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=198.51.100.77/32"),
                         ("198.51.100.1", "198.51.100.77/32/24"))
        self.assertEqual(self.sent(), [f"{tailor.CDN} www.cdn.lab 198.51.100.0/24"])
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=203.0.113.128/25"),
                         ("203.0.113.1", "203.0.113.128/25/24"))
        self.assertEqual(self.sent(), [], "from the cache")

    def test_over_tcp_as_well(self):
        for _ in range(2):
            self.assertEqual(self.ask("www.cdn.lab", "+tcp", "+subnet=203.0.113.0/24"),
                             ("203.0.113.1", "203.0.113.0/24/24"))

    def test_who_opts_out_and_who_has_no_public_address_is_not_told_of(self):
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=0/0")[0], "192.0.2.80")
        self.assertEqual(self.sent(), [*FIRST, f"{tailor.CDN} www.cdn.lab 0.0.0.0/0"])
        self.assertTrue(self.ask("www.cdn.lab", "+subnet=::/0")[1].endswith("/0/0"))
        self.assertEqual(self.sent(), [])
        self.assertEqual(self.ask("www.cdn.lab"), ("192.0.2.80", None))
        self.assertEqual(self.sent(), [])

    def test_an_option_that_is_not_believed_is_ignored(self):
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=203.0.113.0/24", client=OTHER),
                         ("192.0.2.80", "203.0.113.0/24/0"))
        self.assertEqual(self.sent(), [*FIRST, f"{tailor.CDN} www.cdn.lab 0.0.0.0/0"])

    def test_other_zones_are_not_told(self):
        self.assertEqual(self.ask("www.shop.lab", "+subnet=203.0.113.0/24"),
                         ("192.0.2.90", "203.0.113.0/24/0"))
        self.assertEqual(self.sent(), [f"{tailor.ROOT} lab -", f"{tailor.TLD} shop.lab -",
                                       f"{tailor.SHOP} www.shop.lab -"])

    def test_a_malformed_option_is_formerr(self):
        for data in ("00011800cb00", "00011818cb0071", "00031800cb0071"):
            self.assertEqual(self.ask("www.cdn.lab", f"+ednsopt=8:{data}")[0], "FORMERR")
        self.assertEqual(self.sent(), [])

    def test_kdig_agrees(self):
        text = rig.kdig("127.0.0.1", self.port, "+subnet=203.0.113.0/24", "www.cdn.lab", "A")
        self.assertIn("203.0.113.1\n", text)
        self.assertRegex(text, r"(?i)client.subnet: 203\.0\.113\.0/24/24")


class Off(Case):
    ecs = ""

    def test_nothing_is_told_and_nothing_comes_back(self):
        self.assertEqual(self.ask("www.cdn.lab", "+subnet=203.0.113.0/24"), ("192.0.2.80", None))
        self.assertEqual(self.sent(), [*FIRST, f"{tailor.CDN} www.cdn.lab -"])
        self.assertEqual(self.ask("www.cdn.lab", "+ednsopt=8:ffff"), ("192.0.2.80", None))


if __name__ == "__main__":
    if BINARY is None:
        sys.exit(__doc__)
    rig.need_programs()
    unittest.main()
