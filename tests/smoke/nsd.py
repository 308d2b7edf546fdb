"""NSD with zone files of a test, in a directory of its own."""

import pathlib
import shutil
import subprocess
import tempfile
import time

import rig

WAIT_SECONDS_MAX = 20


def which(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


class Nsd:
    """Serves `zones` (name to text) from `addresses` on `port`, until stop(); answers once it is
    constructed.  Whoever may, transfers them."""

    def __init__(self, addresses, zones):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="siskin-nsd."))
        self.port = rig.free_port()
        self.addresses = addresses
        self.zones = zones
        self.process = None
        for number, text in enumerate(zones.values()):
            (self.directory / f"{number}.zone").write_text(text)
        (self.directory / "conf").write_text(self._configuration())
        self.start()

    def _configuration(self):
        home = self.directory
        addresses = "".join(f"  ip-address: {address}@{self.port}\n" for address in self.addresses)
        zones = "".join(f"zone:\n  name: {name}\n  zonefile: {number}.zone\n"
                        "  provide-xfr: 127.0.0.0/8 NOKEY\n" for number, name in enumerate(self.zones))
        return f"""server:
{addresses}  username: ""
  chroot: ""
  server-count: 1
  database: ""
  zonesdir: "{home}"
  pidfile: "{home}/pid"
  logfile: "{home}/log"
  xfrdir: "{home}"
  xfrdfile: "{home}/xfrd.state"
  zonelistfile: "{home}/zone.list"
remote-control:
  control-enable: no
{zones}"""

    def start(self):
        self.process = subprocess.Popen([which("nsd"), "-d", "-c", self.directory / "conf"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._wait()
        except AssertionError:
            self.stop()
            raise

    def _wait(self):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        apex = list(self.zones)[-1]
        while time.monotonic() < deadline:
            if rig.dig(self.addresses[-1], self.port, apex, "SOA", seconds=1).answer:
                return
            if self.process.poll() is not None:
                break
        raise AssertionError("NSD does not answer: " + (self.directory / "log").read_text())

    def _end(self):
        self.process.terminate()
        self.process.wait()

    def serve(self, name, text):
        """Another text from now on."""
        self._end()
        (self.directory / f"{list(self.zones).index(name)}.zone").write_text(text)
        self.start()

    def stop(self):
        self._end()
        shutil.rmtree(self.directory)
