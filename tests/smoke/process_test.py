#!/usr/bin/env python3
"""The daemon as a process: how it starts, what it says when it cannot, how it stops.

usage: process_test.py SISKIND [unittest arguments]
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import unittest

import rig

NOBODY = 65534
BINARY = pathlib.Path(os.path.abspath(sys.argv.pop(1))) if len(sys.argv) > 1 else None


def start(config, **popen):
    return rig.Siskind(BINARY, config, **popen)


def minimal(port, more=""):
    """Listens and asks nobody: nothing but loopback is ever sent to."""
    return f"""[server]
listen = ["127.0.0.1:{port}"]
workers = 1
{more}
[laboratory]
priming = false
"""


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=20)


class Start(unittest.TestCase):
    def fails(self, config, *words, **popen):
        """The daemon ends with status 1 and one message in which each of the words occurs."""
        siskind = start(config, ready=False, **popen)
        self.addCleanup(siskind.close)
        self.assertEqual(siskind.wait_exit(), 1, siskind.log())
        for word in words:
            self.assertIn(word, siskind.log())

    def test_a_port_in_use(self):
        port = rig.free_port()
        first = start(minimal(port))
        self.addCleanup(first.close)
        self.fails(minimal(port), f"127.0.0.1:{port}", "another program uses this port")

    def test_a_port_in_use_by_tcp_alone(self):
        port = rig.free_port()
        with socket.create_server(("127.0.0.1", port)):
            self.fails(minimal(port), f"127.0.0.1:{port}", "another program uses this port")

    def test_an_address_that_is_not_ours(self):
        self.fails('[server]\nlisten = ["192.0.2.1:5300"]\n', "192.0.2.1:5300")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become somebody without privileges")
    def test_a_privileged_port_without_the_privilege(self):
        floor = pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
        if int(floor.read_text()) <= 1:
            self.skipTest("this machine has no privileged ports")
        siskind = start(minimal(rig.free_port()))
        self.addCleanup(siskind.close)
        binary = siskind.directory / "siskind"
        shutil.copy(BINARY, binary)
        siskind.config_path.write_text(minimal(1))
        os.chmod(siskind.directory, 0o755)
        done = subprocess.run([binary, "--config", siskind.config_path], user=NOBODY, cwd="/",
                              capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("127.0.0.1:1", done.stderr)
        self.assertIn("not permitted", done.stderr)

    def test_a_log_that_cannot_be_written(self):
        self.fails(minimal(rig.free_port(), '[log]\ntarget = "/dev/null/log"\n'),
                   "/dev/null/log")

    def test_root_hints_that_are_not_there(self):
        self.fails(minimal(rig.free_port(), '[resolver]\nroot_hints = "/no/such/hints"\n'),
                   "/no/such/hints")

    def test_a_user_that_does_not_exist(self):
        if os.geteuid() != 0:
            self.skipTest("only root changes the user")
        self.fails(minimal(rig.free_port(), 'user = "no-such-user"\n'), "no-such-user")

    def test_a_configuration_that_is_not_there(self):
        done = run("--config", "/no/such/siskin.toml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/siskin.toml", done.stderr)

    def test_a_misspelt_key(self):
        self.fails('[server]\nlistn = ["127.0.0.1:5300"]\n', "siskin.toml:2:1", "server.listn",
                   "did you mean", "listen")

    def test_two_workers_share_a_port(self):
        siskind = start(minimal(rig.free_port()).replace("workers = 1", "workers = 2"))
        self.addCleanup(siskind.close)
        self.assertEqual(siskind.signal_and_wait()[0], 0)


class Stop(unittest.TestCase):
    def stops(self, siskind, which):
        status, seconds = siskind.signal_and_wait(which)
        self.assertEqual(status, 0, siskind.log())
        self.assertLess(seconds, rig.STOP_SECONDS_MAX)

    def test_a_signal_ends_it_cleanly(self):
        for which in (signal.SIGTERM, signal.SIGINT):
            port = rig.free_port()
            siskind = start(minimal(port))
            self.addCleanup(siskind.close)
            self.stops(siskind, which)
            socket.create_server(("127.0.0.1", port)).close()   # the port is free again

    def test_a_query_in_flight_does_not_hold_it(self):
        port = rig.free_port()
        world = rig.World(f"127.0.0.1:{port}")
        self.addCleanup(world.stop)
        siskind = start(world.config)
        self.addCleanup(siskind.close)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(5)
            client.connect(("127.0.0.1", port))
            client.send(rig.query("www.silent.example", 1, ident=1))
            client.send(rig.query("www.good.example", 1, ident=2))
            client.recv(4096)   # the second is answered, so the first has long been taken up
            self.stops(siskind, signal.SIGTERM)

    def test_an_open_connection_does_not_hold_it(self):
        port = rig.free_port()
        siskind = start(minimal(port))
        self.addCleanup(siskind.close)
        with socket.create_connection(("127.0.0.1", port)) as client:
            self.stops(siskind, signal.SIGTERM)
            client.settimeout(5)
            try:
                self.assertEqual(client.recv(1), b"")
            except ConnectionResetError:
                pass


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.siskind = start(minimal(rig.free_port()))
        self.addCleanup(self.siskind.close)
        self.config = str(self.siskind.config_path)

    def test_check_config(self):
        self.assertEqual(run("--config", self.config, "--check-config").returncode, 0)
        self.siskind.config_path.write_text('[server]\nworkers = "two"\n')
        done = run("--config", self.config, "--check-config")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.config}:2:", done.stderr)
        self.assertIn("server.workers", done.stderr)

    def test_laboratory_keys_are_warned_about(self):
        self.siskind.config_path.write_text("[laboratory]\nupstream_port = 5353\n")
        done = run("--config", self.config, "--check-config")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("laboratory.upstream_port", done.stdout + done.stderr)

    def test_print_config(self):
        done = run("--config", self.config, "--print-config")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("workers = 1", done.stdout)
        self.assertIn("max_negative_ttl = 3600", done.stdout)

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"\d+\.\d+\.\d+")
        self.assertIn("--check-config", run("--help").stdout)

    def test_an_unknown_flag(self):
        self.assertNotEqual(run("--no-such-flag").returncode, 0)


if __name__ == "__main__":
    if not BINARY:
        sys.exit(__doc__)
    rig.need_programs()
    unittest.main()
