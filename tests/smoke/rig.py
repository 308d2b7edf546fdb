"""What the smoke tests stand on: the miniature internet, the real daemon, dig and kdig, and a few
messages written by hand.  Python's standard library only."""

import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
DEMO_WORLD = HERE.parent.parent / "tools" / "demo-world"
READY_SECONDS_MAX = 20
STOP_SECONDS_MAX = 2   # what the daemon promises
PROGRAMS = ["dig", "kdig", "nsd", "knotd", "ldns-keygen", "ldns-revoke", "ldns-signzone"]
SKIPPED = 77   # what ctest takes for "skipped"


def need_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [program for program in PROGRAMS if not shutil.which(program, path=path)]
    if missing:
        print(f"not installed: {', '.join(missing)}; tools/packages test installs them")
        sys.exit(1 if os.environ.get("SISKIN_TESTS_SKIP_NOTHING") else SKIPPED)


def expectations():
    return tomllib.loads((HERE / "world" / "world.toml").read_text())["try"]


def free_port():
    """A port free for UDP and TCP on 127.0.0.1, below Linux's range for outgoing connections."""
    for port in random.sample(range(20000, 32000), 100):
        with contextlib.suppress(OSError):
            for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                with socket.socket(socket.AF_INET, kind) as probe:
                    probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no free port")


class World:
    """The servers of tests/smoke/world, from construction to stop()."""

    def __init__(self, *listen):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="siskin-world."))
        arguments = [f"--listen={endpoint}" for endpoint in listen]
        self._demo_world("start", *arguments)
        self.config = (self.directory / "siskin.toml").read_text()
        self.port = int((self.directory / "port").read_text())

    def _demo_world(self, command, *arguments):
        subprocess.run([sys.executable, DEMO_WORLD, command, self.directory, *arguments], check=True)

    def stop(self):
        self._demo_world("stop")
        shutil.rmtree(self.directory)


class Siskind:
    """The daemon in the foreground, with a configuration given as text; ready once constructed."""

    def __init__(self, binary, config, ready=True, **popen):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="siskin-smoke."))
        self.config_path = self.directory / "siskin.toml"
        self.config_path.write_text(config)
        self.log_path = self.directory / "stderr"
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(self.directory / "notify"))
        self.notify.settimeout(0.1)
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.directory / "notify")}
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen([binary, "--config", self.config_path], stderr=log,
                                            stdout=log, env=environment, **popen)
        if ready:
            self.wait_ready()

    def log(self):
        return self.log_path.read_text()

    def wait_ready(self):
        deadline = time.monotonic() + READY_SECONDS_MAX
        while self.process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                if b"READY=1" in self.notify.recv(4096).split(b"\n"):
                    return
        log = self.log()
        self.close()
        raise AssertionError(f"siskind did not become ready: {log}")

    def wait_log(self, *patterns):
        """Until each of them is in the log."""
        deadline = time.monotonic() + READY_SECONDS_MAX
        while missing := [p for p in patterns if not re.search(p, self.log())]:
            if time.monotonic() > deadline:
                raise AssertionError(f"not in the log: {missing}\n{self.log()}")
            time.sleep(0.02)

    def wait_exit(self, seconds=READY_SECONDS_MAX):
        return self.process.wait(timeout=seconds)

    def signal_and_wait(self, which=signal.SIGTERM):
        """Returns (exit status, seconds it took)."""
        begun = time.monotonic()
        self.process.send_signal(which)
        status = self.process.wait(timeout=10)
        return status, time.monotonic() - begun

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.notify.close()
        shutil.rmtree(self.directory)


class Reply:
    """What dig printed: status, flags, sections of normalised records, EDE codes, size."""

    def __init__(self, text):
        self.text = text
        self.status = self._first(r"status: (\w+)")
        self.flags = set(self._first(r"\n;; flags: ([^;]*);").split())
        self.edns = "OPT PSEUDOSECTION" in text
        self.edns_flags = set(self._first(r"EDNS: version: \d+, flags:([^;]*);").split())
        self.ede = [int(code) for code in re.findall(r"; EDE: (\d+)", text)]
        self.size = int(self._first(r"MSG SIZE +rcvd: (\d+)") or 0)
        self.transport = self._first(r"SERVER: .*\((\w+)\)")
        self.retried_over_tcp = "retrying in TCP mode" in text
        self.question = self._first(r"QUESTION SECTION:\n;(\S+)")
        self.answer = self._section("ANSWER")
        self.authority = self._section("AUTHORITY")
        self.ttls = [int(line.split()[1]) for line in self._lines("ANSWER")]

    def _first(self, pattern):
        found = re.search(pattern, self.text)
        return found[1].strip() if found else ""

    def _lines(self, section):
        found = re.search(rf";; {section} SECTION:\n(.*?)(?:\n\n|\Z)", self.text, re.DOTALL)
        return found[1].splitlines() if found else []

    def _section(self, section):
        """Records as "OWNER TYPE DATA": without TTL and class, single spaces."""
        records = []
        for line in self._lines(section):
            owner, _ttl, _class, kind, *data = line.split()
            records.append(" ".join([owner, kind, *data]))
        return records


def dig(address, port, *arguments, seconds=6):
    command = ["dig", f"@{address}", "-p", str(port), "+tries=1", f"+time={seconds}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return Reply(done.stdout)


def kdig(address, port, *arguments):
    command = ["kdig", f"@{address}", "-p", str(port), "+retry=0", "+time=6", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout


def query(name, kind, flags=0x0100, ident=4711):
    """A query of class IN without EDNS."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".") if label)
    return struct.pack("!6H", ident, flags, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!2H", kind, 1)


def exchange_udp(address, port, message, seconds=6):
    """The reply's bytes, or None when there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(seconds)
        client.connect((address, port))
        client.send(message)
        try:
            return client.recv(65535)
        except TimeoutError:
            return None


def exchange_tcp(address, port, message, seconds=6):
    with socket.create_connection((address, port), timeout=seconds) as client:
        client.sendall(struct.pack("!H", len(message)) + message)
        reader = client.makefile("rb")
        return reader.read(struct.unpack("!H", reader.read(2))[0])


def rcode(reply):
    return reply[3] & 0x0F
