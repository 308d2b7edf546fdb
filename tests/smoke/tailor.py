"""A root, a TLD and two zones on loopback, played by one thread; cdn.lab answers by client subnet.

BIND, NSD and Knot DNS as Debian has them do not, so this is a server of our own.  UDP only."""

import contextlib
import ipaddress
import random
import select
import socket
import struct
import threading

ROOT, TLD, CDN, SHOP = (f"127.53.1.{n}" for n in (1, 2, 3, 4))
A, NS, OPT, CLIENT_SUBNET = 1, 2, 41, 8
QR, AA = 0x8000, 0x0400
TTL = 60
SCOPE = 24

REFERRALS = {ROOT: [("lab", TLD)], TLD: [("cdn.lab", CDN), ("shop.lab", SHOP)]}
PLAIN = {CDN: "192.0.2.80", SHOP: "192.0.2.90"}


def wire_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".") if label) + b"\0"


def record(owner, kind, rdata):
    return wire_name(owner) + struct.pack("!2HIH", kind, 1, TTL, len(rdata)) + rdata


def read_question(message):
    labels, at = [], 12
    while message[at]:
        labels.append(message[at + 1:at + 1 + message[at]].decode().lower())
        at += 1 + message[at]
    return ".".join(labels), struct.unpack_from("!H", message, at + 1)[0], at + 5


def read_subnet(message, at):
    """The client subnet in the OPT at `at`: (family, source, address octets), or None."""
    if at == len(message):
        return None
    options = message[at + 11:]
    while options:
        code, length = struct.unpack_from("!2H", options)
        if code == CLIENT_SUBNET:
            family, source = struct.unpack_from("!HB", options, 4)
            return family, source, options[8:4 + length]
        options = options[4 + length:]
    return None


def subnet_text(subnet):
    """"203.0.113.0/24", "-" for None."""
    if subnet is None:
        return "-"
    family, source, octets = subnet
    size = 4 if family == 1 else 16
    return f"{ipaddress.ip_address(octets.ljust(size, bytes(1)))}/{source}"


class Tailor:
    """Serves from construction to stop(); `seen` has a line for each query: address, name, subnet."""

    def __init__(self):
        self.seen = []
        self.sockets, self.port = self._bind()
        self.stopping, self.stopped = socket.socketpair()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def stop(self):
        self.stopping.send(b"x")
        self.thread.join()
        for each in [*self.sockets, self.stopping, self.stopped]:
            each.close()

    @staticmethod
    def _bind():
        for port in random.sample(range(20000, 32000), 100):
            with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
                sockets = {}
                for address in (ROOT, TLD, CDN, SHOP):
                    each = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                    each.bind((address, port))
                    sockets[each] = address
                stack.pop_all()
                return sockets, port
        raise AssertionError("no free port")

    def _serve(self):
        while True:
            ready, _, _ = select.select([*self.sockets, self.stopped], [], [])
            if self.stopped in ready:
                return
            for each in ready:
                message, client = each.recvfrom(4096)
                each.sendto(self._reply(self.sockets[each], message), client)

    def _reply(self, address, message):
        name, kind, end = read_question(message)
        subnet = read_subnet(message, end)
        self.seen.append(f"{address} {name} {subnet_text(subnet)}")
        answer, authority, additional = b"", b"", b""
        for zone, server in REFERRALS.get(address, []):
            if name == zone or name.endswith("." + zone):
                authority = record(zone, NS, wire_name("ns." + zone))
                additional = record("ns." + zone, A, socket.inet_aton(server))
        if address in PLAIN and kind == A:
            answer = record(name, A, self._address(address, subnet))
        opt = self._opt(subnet if address == CDN else None)
        header = struct.pack("!6H", struct.unpack_from("!H", message)[0], QR | (AA if answer else 0),
                             1, bool(answer), bool(authority), bool(additional) + 1)
        return header + message[12:end] + answer + authority + additional + opt

    @staticmethod
    def _address(address, subnet):
        """The first host of the subnet, where the server knows what that is."""
        if address != CDN or subnet is None or subnet[1] == 0:
            return socket.inet_aton(PLAIN[address])
        return subnet[2].ljust(4, b"\0")[:3] + b"\1"

    @staticmethod
    def _opt(subnet):
        options = b""
        if subnet is not None:
            family, source, octets = subnet
            scope = SCOPE if source else 0
            options = struct.pack("!3H2B", CLIENT_SUBNET, 4 + len(octets), family, source, scope) + octets
        return b"\0" + struct.pack("!2HIH", OPT, 1232, 0, len(options)) + options
