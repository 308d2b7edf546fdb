#!/usr/bin/env python3
"""The daemon validates zones that ldns-signzone signed and NSD serves: a part of tools/dnssec-matrix
without the other resolvers, then AD, CD and DO, and what SERVFAIL says.

  dnssec_test.py SISKIND"""

import pathlib
import re
import sys
import unittest

import rig

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "matrix"))

import verdicts  # noqa: E402
import zones  # noqa: E402
from differences import expected_text  # noqa: E402
from world import World  # noqa: E402

SISKIND = sys.argv[1]
NSEC, NSEC3, OPTOUT = (zones.Combination("ldns", algorithm, denial)
                       for algorithm, denial in ((13, "nsec"), (8, "nsec3"), (15, "optout")))

# (question, EDE code and its text) with the zone in place of "{}".
WHY = [
    ("www.expired.{}", r"7 .*\(expired\.{} DNSKEY: signature by key \d+ has expired\)"),
    ("www.future.{}", r"8 .*\(future\.{} DNSKEY: signature by key \d+ is not yet valid\)"),
    ("www.wrongkey.{}", r"9 .*\(wrongkey\.{} A: signed by key \d+, which is none\)"),
    ("www.wrongds.{}", r"9 .*\(wrongds\.{}: no DNSKEY that goes with DS \d+\)"),
    ("www.nosig.{}", r"10 .*\(nosig\.{}: nothing signed about www\.nosig\.{}\)"),
    ("none.stripped.{}", r"12 .*\(stripped\.{}: no proof about none\.stripped\.{}\)"),
]


class DnssecTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World([NSEC, NSEC3, OPTOUT], SISKIND, others=False)
        cls.addClassCleanup(cls.world.close)

    def dig(self, *arguments):
        return rig.dig(zones.ADDRESS_SISKIN, self.world.port, *arguments)

    def test_each_verdict_is_the_expected_one(self):
        for row in zones.rows([NSEC, NSEC3, OPTOUT]):
            with self.subTest(question=f"{row.name} {row.kind}", case=row.case):
                verdict = verdicts.ask_resolver(zones.ADDRESS_SISKIN, self.world.port, row)
                self.assertEqual(str(verdict), expected_text(row), verdict.reason)

    def test_ad_goes_to_those_who_ask_for_it(self):
        """RFC 6840 sections 5.7 and 5.8: AD or DO in the query."""
        name = f"www.{NSEC.zone}"
        self.assertNotIn("ad", self.dig("+noad", "+nodnssec", name).flags)
        self.assertIn("ad", self.dig("+ad", "+nodnssec", name).flags)
        self.assertIn("ad", self.dig("+noad", "+dnssec", name).flags)
        self.assertNotIn("ad", self.dig("+ad", "+dnssec", f"www.nods.{NSEC.zone}").flags)

    def test_signatures_and_proofs_go_to_those_who_ask_for_them(self):
        """RFC 3225 section 3."""
        plain, wanted = (self.dig("+ad", do, f"www.{NSEC.zone}") for do in ("+nodnssec", "+dnssec"))
        self.assertEqual(plain.answer, [f"www.{NSEC.zone} A 192.0.2.1"])
        self.assertNotIn("do", plain.edns_flags)
        self.assertEqual([record.split()[1] for record in wanted.answer], ["A", "RRSIG"])
        self.assertIn("do", wanted.edns_flags)
        plain, wanted = (self.dig("+ad", do, f"none.{NSEC.zone}") for do in ("+nodnssec", "+dnssec"))
        self.assertEqual([record.split()[1] for record in plain.authority], ["SOA"])
        self.assertEqual({record.split()[1] for record in wanted.authority}, {"SOA", "NSEC", "RRSIG"})

    def test_cd_gets_what_is_bogus_and_spoils_nothing(self):
        """RFC 6840 section 5.9, RFC 4035 section 3.2.2: CD is copied, and data goes out as it is."""
        for name in (f"www.expired.{NSEC.zone}", f"www.wrongds.{NSEC3.zone}"):
            for _ in range(2):   # from the servers, from the cache
                unchecked = self.dig("+cd", "+dnssec", name)
                self.assertEqual((unchecked.status, unchecked.answer[0]),
                                 ("NOERROR", f"{name} A 192.0.2.9"))
                self.assertIn("cd", unchecked.flags)
                self.assertNotIn("ad", unchecked.flags)
                checked = self.dig("+dnssec", name)
                self.assertEqual((checked.status, checked.answer), ("SERVFAIL", []))
                self.assertNotIn("cd", checked.flags)

    def test_what_was_asked_with_cd_is_checked_for_the_next(self):
        name = f"deep.ent.{NSEC3.zone}"
        self.assertNotIn("ad", self.dig("+cd", "+dnssec", name).flags)
        self.assertIn("ad", self.dig("+dnssec", name).flags)

    def test_servfail_says_why(self):
        for name, why in WHY:
            for combination in (NSEC, NSEC3, OPTOUT):
                zone = combination.zone
                text = self.dig(name.format(zone)).text
                with self.subTest(name=name, zone=zone):
                    self.assertRegex(text, "; EDE: " + why.replace("{}", re.escape(zone)))

    def test_what_nobody_can_check_is_told(self):
        """RFC 8914 sections 4.2 and 4.28: insecure all the same."""
        unknown = self.dig("+dnssec", f"www.unknown.{NSEC.zone}")
        self.assertEqual((unknown.status, unknown.ede), ("NOERROR", [1]))
        iterated = self.dig("+dnssec", f"none.iterated.{NSEC3.zone}")
        self.assertEqual((iterated.status, iterated.ede), ("NXDOMAIN", [27]))


if __name__ == "__main__":
    rig.need_programs()
    unittest.main(argv=sys.argv[:1])
