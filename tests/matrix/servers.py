"""The servers of the matrix: authorities, a cache that validates nothing, Unbound and Siskin."""

import pathlib
import socket
import struct
import time

import programs
import records
import zones


def is_ready(address, port, zone, kind=6):
    """True when the server at this address answers NOERROR with a record."""
    labels = [label.encode() for label in zone.split(".") if label]
    name = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect((address, port))
            probe.send(struct.pack("!6H", 4711, 0x0110, 1, 0, 0, 0) + name + struct.pack("!2H", kind, 1))
            reply = probe.recv(4096)
        except OSError:
            return False
    return len(reply) > 12 and reply[3] & 0x0F == 0 and reply[7] > 0


def file_name(zone):
    return "root" if zone == "." else zone.rstrip(".")


def named_options(home, address, port):
    return [f'  directory "{home}";', f'  listen-on port {port} {{ {address}; }};',
            "  listen-on-v6 { none; };", f'  pid-file "{home}/pid";', f'  session-keyfile "{home}/key";',
            "  dnssec-validation no;", "  notify no;", "  minimal-responses yes;", "  max-cache-size 32M;"]


def named_config(home, address, port, served):
    lines = ["options {", *named_options(home, address, port), "  recursion no;", "};", "controls { };"]
    for zone in served:
        lines.append(f'zone "{zone}" {{ type primary; file "{home}/{file_name(zone)}.zone"; '
                     "masterfile-format text; check-integrity no; };")
    return lines


def nsd_config(home, address, port, served):
    lines = ["server:", f"  ip-address: {address}@{port}", '  username: ""', '  chroot: ""',
             "  server-count: 1", "  rrl-ratelimit: 0", '  database: ""', f'  zonesdir: "{home}"',
             f'  pidfile: "{home}/pid"', f'  logfile: "{home}/log"', f'  xfrdir: "{home}"',
             f'  xfrdfile: "{home}/xfrd"', f'  zonelistfile: "{home}/list"', "remote-control:",
             "  control-enable: no"]
    for zone in served:
        lines += ["zone:", f'  name: "{zone}"', f'  zonefile: "{file_name(zone)}.zone"']
    return lines


def knot_config(home, address, port, served):
    lines = ["server:", f"  listen: {address}@{port}", f'  rundir: "{home}"', "  udp-workers: 1",
             "  tcp-workers: 1", "  background-workers: 1", "database:", f'  storage: "{home}"', "log:",
             "  - target: stderr", "    any: warning", "zone:"]
    for zone in served:
        lines += [f"  - domain: {zone}", f'    file: "{home}/{file_name(zone)}.zone"',
                  "    zonefile-sync: -1", "    journal-content: none", "    semantic-checks: off"]
    return lines


AUTHORITIES = {"bind": (named_config, ["named", "-f", "-n", "1", "-c"]),
               "knot": (knot_config, ["knotd", "-c"]), "ldns": (nsd_config, ["nsd", "-d", "-c"])}


def start_authority(started, signer, home, address, port, served):
    """Serves these zones with the server of the signer's family: BIND, Knot DNS, NSD for ldns."""
    home.mkdir(parents=True)
    for zone, listed in served.items():
        records.write(home / f"{file_name(zone)}.zone", listed)
    configure, command = AUTHORITIES[signer]
    (home / "conf").write_text("\n".join(configure(home, address, port, served)) + "\n")
    log = [] if signer != "bind" else ["-L", home / "named.log"]
    process = started.start([*command, home / "conf", *log], home / "out")
    for zone in served:
        programs.wait_for(process, lambda zone=zone: is_ready(address, port, zone),
                          f"{command[0]} does not serve {zone}")


def hints(home):
    path = home / "hints"
    path.write_text(f". 3600 IN NS ns.\nns. 3600 IN A {zones.ADDRESS_ROOT}\n")
    return path


def start_cache(started, home, port, upstream_port):
    """BIND without validation: what delv asks."""
    home.mkdir()
    lines = ["options {", *named_options(home, zones.ADDRESS_CACHE, port), f"  port {upstream_port};",
             "  recursion yes;", "  allow-recursion { any; };", "  empty-zones-enable no;",
             "  max-ncache-ttl 60;", "};", "controls { };",
             f'zone "." {{ type hint; file "{hints(home)}"; }};']
    (home / "conf").write_text("\n".join(lines) + "\n")
    process = started.start(["named", "-f", "-n", "1", "-c", home / "conf", "-L", home / "named.log"],
                            home / "out")
    programs.wait_for(process, lambda: is_ready(zones.ADDRESS_CACHE, port, "."),
                      "the cache that validates nothing does not answer")


def unbound_config(home, port, served_at):
    lines = ["server:", f"  interface: {zones.ADDRESS_UNBOUND}", f"  port: {port}", "  num-threads: 1",
             '  username: ""', '  chroot: ""', f'  directory: "{home}"', '  pidfile: ""', "  use-syslog: no",
             "  do-daemonize: no", "  do-ip6: no", "  do-not-query-localhost: no",
             "  access-control: 127.0.0.0/8 allow", '  module-config: "validator iterator"',
             f'  trust-anchor-file: "{home.parent}/root.ds"', "  ede: yes", "  aggressive-nsec: no",
             "  trust-anchor-signaling: no", "  discard-timeout: 0", "  val-log-level: 2",
             "remote-control:", "  control-enable: no"]
    # Unbound asks port 53 of servers that it finds by referral, so it is told where each zone is.
    for zone, address in served_at.items():
        lines += ["stub-zone:", f'  name: "{zone}"', f"  stub-addr: {address}@{port}"]
    return "\n".join(lines) + "\n"


def start_unbound(started, home, port, served_at):
    home.mkdir()
    (home / "conf").write_text(unbound_config(home, port, served_at))
    process = started.start(["unbound", "-d", "-c", home / "conf"], home / "out")
    programs.wait_for(process, lambda: is_ready(zones.ADDRESS_UNBOUND, port, "."),
                      "Unbound does not answer")


def siskin_config(home, port):
    return f"""
[server]
listen = ["{zones.ADDRESS_SISKIN}:{port}"]
workers = 1
user = ""
[resolver]
root_hints = "{hints(home)}"
allow_upstream = ["127.0.0.0/8"]
ipv6 = false
query_timeout = "4s"
[dnssec]
validation = true
trust_anchors = "{home.parent}/root.ds"
[laboratory]
upstream_port = {port}
"""


def start_siskin(started, home, port, binary):
    home.mkdir()
    (home / "conf").write_text(siskin_config(home, port))
    process = started.start([pathlib.Path(binary).resolve(), "--config", home / "conf"], home / "out")
    programs.wait_for(process, lambda: is_ready(zones.ADDRESS_SISKIN, port, "."),
                      "Siskin does not answer")
