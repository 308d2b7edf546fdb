"""Programs of other packages: finding, running, and ending those that stay."""

import contextlib
import ctypes
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

READY_SECONDS_MAX = 60
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"   # Debian keeps servers in /usr/sbin


class Failure(Exception):
    """Something the caller must read; ends the program."""


def find(program):
    found = shutil.which(program, path=PATH)
    if not found:
        raise Failure(f"{program} is not installed; tools/packages matrix installs it")
    return found


def clock_shifted(seconds):
    """Environment in which a program sees another time of day; the command faketime itself would stay
    between us and the program."""
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if not library:
        raise Failure("faketime is not installed; tools/packages matrix installs it")
    return {"LD_PRELOAD": str(library), "FAKETIME": f"{seconds:+d}s", "DONT_FAKE_MONOTONIC": "1"}


def run(command, directory):
    done = subprocess.run([find(command[0]), *map(str, command[1:])], cwd=directory,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} failed: {done.stderr.strip()[-600:]}")
    return done.stdout.strip()


def end_with_us():
    """A child is killed when we are."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Started:
    """Servers that run until stop(); each one's words are in its own log file."""

    def __init__(self):
        self.processes = []

    def start(self, command, log, **environment):
        command = [find(command[0]), *map(str, command[1:])]
        with open(log, "wb") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       preexec_fn=end_with_us, env={**os.environ, **environment})
        process.log = log
        self.processes.append(process)
        return process

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.stop()


def wait_for(process, condition, what):
    deadline = time.monotonic() + READY_SECONDS_MAX
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            raise Failure(f"{what}: {process.log.read_text(errors='replace').strip()[-1200:]}")
        time.sleep(0.05)


def free_port(addresses):
    """A port that is free on all addresses; below Linux's range for outgoing connections."""
    for port in random.sample(range(20000, 32000), 100):
        with contextlib.suppress(OSError):
            for address in addresses:
                for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                    with socket.socket(socket.AF_INET, kind) as probe:
                        probe.bind((address, port))
            return port
    raise Failure(f"found no port that is free on {', '.join(addresses)}")
