#!/usr/bin/env python3
"""The miniature internet is as world.toml tells it, asked server by server, without siskind."""

import unittest

import rig

ROOT, TLD, HOST, KNOT, NOBODY, SILENT = (f"127.53.0.{n}" for n in (1, 10, 20, 30, 66, 67))


class WorldTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = rig.World()
        cls.addClassCleanup(cls.world.stop)

    def ask(self, address, *arguments):
        return rig.dig(address, self.world.port, "+norecurse", *arguments, seconds=1)

    def test_the_root_refers_to_the_tld(self):
        reply = self.ask(ROOT, "www.good.example", "A", "+dnssec")
        self.assertNotIn("aa", reply.flags)
        self.assertEqual(reply.answer, [])
        self.assertEqual(reply.authority[:2], ["example. NS a.tld.lab.", "example. NS b.tld.lab."])
        self.assertTrue(any(r.startswith("example. DS ") for r in reply.authority))

    def test_the_tld_refers_to_the_zone(self):
        reply = self.ask(TLD, "www.good.example", "A")
        self.assertEqual(reply.authority,
                         ["good.example. NS ns1.good.example.", "good.example. NS ns2.good.example."])

    def test_the_zones_are_signed(self):
        for address, zone in ((ROOT, "."), (TLD, "lab"), (HOST, "good.example"),
                              (KNOT, "knot.example")):
            reply = self.ask(address, zone, "SOA", "+dnssec")
            self.assertTrue(any(" RRSIG SOA 13 " in r for r in reply.answer), reply.text)
        self.assertEqual(len(self.ask(HOST, "unsigned.lab", "SOA", "+dnssec").answer), 1)

    def test_only_the_glueless_have_no_glue(self):
        self.assertIn(";; ADDITIONAL SECTION", self.ask(TLD, "www.knot.example").text)
        for zone in ("glueless.example", "outzone.lab", "nowhere.example", "circle.example",
                     "circle.lab"):
            reply = self.ask(TLD, f"www.{zone}")
            self.assertEqual(reply.status, "NOERROR")
            self.assertNotIn(";; ADDITIONAL SECTION", reply.text)

    def test_the_lame_servers_are_lame(self):
        self.assertEqual(self.ask(KNOT, "www.lame.example").status, "REFUSED")
        upward = self.ask(ROOT, "www.upward.example")
        self.assertEqual(upward.authority[0], "example. NS a.tld.lab.")

    def test_the_dead_are_dead(self):
        for address in (NOBODY, SILENT):
            self.assertEqual(self.ask(address, "www.dead.example").status, "")

    def test_the_large_answer_needs_tcp(self):
        self.assertIn("tc", self.ask(HOST, "text.big.example", "TXT", "+ignore").flags)
        self.assertGreater(self.ask(HOST, "text.big.example", "TXT").size, 2000)

    def test_the_aliases_lead_out_of_their_zone(self):
        self.assertEqual(self.ask(HOST, "far.alias.example").answer,
                         ["far.alias.example. CNAME hop.knot.example."])
        self.assertEqual(self.ask(KNOT, "hop.knot.example").answer,
                         ["hop.knot.example. CNAME www.outzone.lab."])


if __name__ == "__main__":
    rig.need_programs()
    unittest.main()
