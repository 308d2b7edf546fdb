#!/usr/bin/env python3
"""The real daemon recurses in the miniature internet; dig and kdig ask it.

usage: smoke_test.py SISKIND [unittest arguments]
"""

import pathlib
import signal
import struct
import subprocess
import sys
import unittest

import rig

SERVER = 'udp_size = 1232\nversion = "Siskin of the smoke test"\nidentity = "nest-7"\n'
FORMERR, NOTIMP, REFUSED = 1, 4, 5
AXFR, IXFR = 252, 251


class Case(unittest.TestCase):
    """One world and one daemon for all tests of a class."""

    binary = None

    @classmethod
    def setUpClass(cls):
        cls.port = rig.free_port()
        cls.world = rig.World(f"127.0.0.1:{cls.port}")
        cls.addClassCleanup(cls.world.stop)
        config = cls.world.config.replace("[server]\n", "[server]\n" + SERVER)
        cls.siskind = rig.Siskind(cls.binary, config, cwd="/")
        cls.addClassCleanup(cls.siskind.close)

    def ask(self, *arguments):
        return rig.dig("127.0.0.1", self.port, *arguments)


class Resolution(Case):
    def check(self, entry, reply):
        self.assertEqual(reply.status, entry["status"], reply.text)
        is_secure = entry["status"] != "SERVFAIL" and not entry.get("insecure", False)
        self.assertEqual(reply.flags - {"tc"}, {"qr", "rd", "ra"} | ({"ad"} if is_secure else set()),
                         "no authority, and all that is signed is validated")
        if "answer" in entry:
            self.assertCountEqual(reply.answer, entry["answer"], reply.text)
            self.assertEqual([r for r in reply.answer if " CNAME " in r],
                             [r for r in entry["answer"] if " CNAME " in r], "aliases in order")
        if "authority" in entry:
            self.assertEqual(len(reply.authority), 1, reply.text)
            self.assertTrue(reply.authority[0].startswith(entry["authority"] + " "), reply.text)
        self.assertGreaterEqual(reply.size, entry.get("bytes_min", 0))
        if entry["status"] == "SERVFAIL":
            self.assertEqual(reply.ede, [entry["ede"]], reply.text)
            self.assertIn(entry["reason"], reply.text)
        else:
            self.assertEqual(reply.ede, [], reply.text)

    def test_every_entry_of_the_world(self):
        for entry in rig.expectations():
            with self.subTest(query=entry["query"]):
                self.check(entry, self.ask(*entry["query"].split()))
                self.check(entry, self.ask(*entry["query"].split()))   # now from the cache
                self.check(entry, self.ask(*entry["query"].split(), "+tcp"))

    def test_a_chain_of_eight_aliases_is_followed(self):
        reply = self.ask("step5.alias.example", "A")
        steps = [f"step{n}.alias.example. CNAME step{n + 1}.alias.example." for n in range(5, 13)]
        self.assertEqual(reply.answer, [*steps, "step13.alias.example. A 192.0.2.20"])

    def test_an_alias_into_a_dead_zone_fails(self):
        reply = self.ask("into-dead.alias.example", "A")
        self.assertEqual(reply.status, "SERVFAIL")
        self.assertTrue(reply.ede)

    def test_an_alias_to_no_data(self):
        reply = self.ask("nodata.alias.example", "A")
        self.assertEqual(reply.status, "NOERROR")
        self.assertEqual(reply.answer, ["nodata.alias.example. CNAME branch.tree.good.example."])

    def test_ttls_are_the_zones_and_never_grow(self):
        first = self.ask("short.good.example", "A")
        second = self.ask("short.good.example", "A")
        self.assertLessEqual(first.ttls[0], 30)
        self.assertGreaterEqual(first.ttls[0], 25)
        self.assertLessEqual(second.ttls[0], first.ttls[0])

    def test_sigusr1_tells_what_was_counted(self):
        self.ask("www.good.example", "A")
        self.siskind.process.send_signal(signal.SIGUSR1)
        self.siskind.wait_log(r"memory: .* resident",
                              r"metric: siskin_resolutions_total [1-9]",
                              r"metric: siskin_resolutions_secure_total [1-9]",
                              r"metric: siskin_signatures_checked_total [1-9]")

    def test_labels_are_octets(self):
        self.assertEqual(self.ask(r"strange\.dot.good.example", "A").answer,
                         [r"strange\.dot.good.example. A 192.0.2.41"])

    def test_any_is_answered(self):
        self.assertEqual(self.ask("good.example", "ANY", "+notcp").status, "NOERROR")


class Messages(Case):
    def test_a_large_answer_is_truncated_over_udp_and_whole_over_tcp(self):
        cut = self.ask("many.big.example", "A", "+ignore")
        self.assertIn("tc", cut.flags)
        self.assertLessEqual(cut.size, 1232)
        self.assertEqual(cut.answer, [], "whole RRsets only")
        whole = self.ask("many.big.example", "A")
        self.assertTrue(whole.retried_over_tcp)
        self.assertEqual(sorted(whole.answer), sorted(
            f"many.big.example. A 198.51.100.{n}" for n in range(1, 101)))

    def test_the_clients_size_is_kept(self):
        reply = self.ask("many.big.example", "A", "+ignore", "+bufsize=512")
        self.assertIn("tc", reply.flags)
        self.assertLessEqual(reply.size, 512)
        reply = self.ask("many.big.example", "A", "+ignore", "+bufsize=4096")
        self.assertIn("tc", reply.flags, "never more than udp_size")

    def test_edns(self):
        plain = self.ask("www.good.example", "A", "+noedns")
        self.assertFalse(plain.edns)
        self.assertEqual(plain.status, "NOERROR")
        self.assertIn("do", self.ask("www.good.example", "A", "+dnssec").edns_flags)
        self.assertEqual(self.ask("www.good.example", "A", "+ednsopt=65001:00ff").status, "NOERROR")
        self.assertEqual(self.ask("www.good.example", "A", "+edns=1", "+noednsneg").status,
                         "BADVERS")

    def test_flags_and_letter_case_come_back(self):
        reply = self.ask("wWw.GoOd.ExAmPlE", "A", "+norecurse", "+cdflag")
        self.assertEqual(reply.question, "wWw.GoOd.ExAmPlE.")
        self.assertIn("cd", reply.flags)
        self.assertNotIn("rd", reply.flags)

    def test_chaos_class(self):
        self.assertEqual(self.ask("version.bind", "TXT", "CH").answer,
                         ['version.bind. TXT "Siskin of the smoke test"'])
        self.assertEqual(self.ask("id.server", "TXT", "CH").answer, ['id.server. TXT "nest-7"'])
        self.assertEqual(self.ask("other.server", "TXT", "CH").status, "REFUSED")
        self.assertEqual(self.ask("www.good.example", "A", "HS").status, "REFUSED")

    def test_no_transfers(self):
        for kind in (AXFR, IXFR):
            question = rig.query("good.example", kind)
            self.assertEqual(rig.rcode(rig.exchange_tcp("127.0.0.1", self.port, question)), REFUSED)
            self.assertEqual(rig.rcode(rig.exchange_udp("127.0.0.1", self.port, question)), REFUSED)

    def test_other_opcodes(self):
        for opcode in (1, 2, 4, 5):
            question = rig.query("good.example", 1, flags=opcode << 11)
            self.assertEqual(rig.rcode(rig.exchange_udp("127.0.0.1", self.port, question)), NOTIMP)

    def test_what_cannot_be_read(self):
        no_question = struct.pack("!6H", 7, 0x0100, 0, 0, 0, 0)
        self.assertEqual(rig.rcode(rig.exchange_udp("127.0.0.1", self.port, no_question)), FORMERR)
        loop = struct.pack("!6H", 7, 0x0100, 1, 0, 0, 0) + b"\xc0\x0c" + struct.pack("!2H", 1, 1)
        self.assertEqual(rig.rcode(rig.exchange_udp("127.0.0.1", self.port, loop)), FORMERR)

    def test_what_gets_no_reply_at_all(self):
        response = rig.query("www.good.example", 1, flags=0x8100)
        self.assertIsNone(rig.exchange_udp("127.0.0.1", self.port, response, seconds=0.3))
        self.assertIsNone(rig.exchange_udp("127.0.0.1", self.port, response[:11], seconds=0.3))

    def test_every_prefix_of_a_query_and_then_a_query(self):
        message = rig.query("www.good.example", 1)
        for length in range(12, len(message)):
            reply = rig.exchange_udp("127.0.0.1", self.port, message[:length])
            self.assertEqual(rig.rcode(reply), FORMERR, length)
        self.assertEqual(rig.rcode(rig.exchange_udp("127.0.0.1", self.port, message)), 0)

    def test_kdig_agrees(self):
        text = rig.kdig("127.0.0.1", self.port, "www.alias.example", "A")
        self.assertIn("status: NOERROR", text)
        self.assertIn("192.0.2.10", text)
        failed = rig.kdig("127.0.0.1", self.port, "+edns", "www.lame.example", "A")
        self.assertIn("status: SERVFAIL", failed)
        self.assertIn("EDE", failed)

    def test_kdig_keeps_a_connection(self):
        text = rig.kdig("127.0.0.1", self.port, "+tcp", "+keepopen", "www.good.example", "A",
                        "three.good.example", "A", "text.big.example", "TXT")
        self.assertEqual(text.count("status: NOERROR"), 3, text)

    def test_replies_leave_from_the_address_that_was_asked(self):
        port = rig.free_port()
        config = self.world.config.replace(f"127.0.0.1:{self.port}", f"0.0.0.0:{port}")
        with_wildcard = rig.Siskind(self.binary, config)
        self.addCleanup(with_wildcard.close)
        reply = rig.dig("127.0.0.77", port, "www.good.example", "A")
        self.assertEqual(reply.answer, ["www.good.example. A 192.0.2.10"])


class Refusal(Case):
    def test_clients_outside_the_networks_are_refused(self):
        port = rig.free_port()
        config = self.world.config.replace(f"127.0.0.1:{self.port}", f"127.0.0.1:{port}")
        closed = rig.Siskind(self.binary, config + '[access]\nallow = ["192.0.2.0/24"]\n')
        self.addCleanup(closed.close)
        for transport in ("+notcp", "+tcp"):
            reply = rig.dig("127.0.0.1", port, "www.good.example", "A", transport)
            self.assertEqual(reply.status, "REFUSED")


class WithoutServers(unittest.TestCase):
    binary = None

    def test_the_cache_answers_when_every_server_is_gone(self):
        port = rig.free_port()
        world = rig.World(f"127.0.0.1:{port}")
        try:
            siskind = rig.Siskind(self.binary, world.config)
            self.addCleanup(siskind.close)
            self.assertEqual(rig.dig("127.0.0.1", port, "www.good.example").status, "NOERROR")
        finally:
            world.stop()
        again = rig.dig("127.0.0.1", port, "www.good.example")
        self.assertEqual(again.answer, ["www.good.example. A 192.0.2.10"])
        other = rig.dig("127.0.0.1", port, "www.knot.example")
        self.assertEqual(other.status, "SERVFAIL")
        self.assertTrue(set(other.ede) & {22, 23}, other.text)


def load_with_binary(arguments):
    """Takes the daemon's path off the arguments; every case gets it."""
    if len(arguments) < 2:
        sys.exit(__doc__)
    binary = pathlib.Path(arguments.pop(1)).absolute()
    subprocess.run([binary, "--version"], check=True, stdout=subprocess.DEVNULL)
    for case in (Case, WithoutServers):
        case.binary = binary


if __name__ == "__main__":
    rig.need_programs()
    load_with_binary(sys.argv)
    unittest.main()
