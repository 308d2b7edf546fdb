"""Asks a resolver for names at a steady rate, each once, and tells what came of it."""

import selectors
import socket
import struct
import time


def query_for(number, name):
    labels = b"".join(bytes([len(x)]) + x.encode() for x in name.rstrip(".").split("."))
    header = struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0)
    return header + labels + b"\0" + struct.pack(">HH", 1, 1)


def skip_name(message, at):
    while message[at] and message[at] < 192:
        at += message[at] + 1
    return at + (2 if message[at] else 1)


def address_in(message):
    """The address of a reply's first A record."""
    count = struct.unpack(">H", message[6:8])[0]
    at = skip_name(message, 12) + 4
    for _ in range(count):
        at = skip_name(message, at)
        kind, _, _, size = struct.unpack(">HHIH", message[at : at + 10])
        if kind == 1 and size == 4:
            return socket.inet_ntoa(message[at + 10 : at + 14])
        at += 10 + size
    return None


class Result:
    def __init__(self):
        self.times = []  # seconds, of right answers
        self.wrong = 0
        self.failed = 0
        self.silent = 0


def ask_all(resolver, names, answers, rate, patience):
    """`names`: fewer than 65536."""
    result = Result()
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    sock.connect(resolver)
    sock.setblocking(False)
    selector = selectors.DefaultSelector()
    selector.register(sock, selectors.EVENT_READ)
    sent = {}
    begin = time.monotonic()
    next_name = 0
    end = None
    while True:
        now = time.monotonic()
        while next_name < len(names) and begin + next_name / rate <= now:
            sock.send(query_for(next_name, names[next_name]))
            sent[next_name] = now
            next_name += 1
        if next_name == len(names):
            end = end or now + patience
            if not sent or now >= end:
                break
        wait = begin + next_name / rate - now if next_name < len(names) else 0.05
        selector.select(max(0.0, min(wait, 0.05)))
        while True:
            try:
                reply = sock.recv(65535)
            except (BlockingIOError, ConnectionRefusedError):
                break
            number = struct.unpack(">H", reply[:2])[0]
            asked_at = sent.pop(number, None)
            if asked_at is None:
                continue
            took = time.monotonic() - asked_at
            if took > patience:
                result.silent += 1
            elif reply[3] & 15:
                result.failed += 1
            elif address_in(reply) == answers[names[number]]:
                result.times.append(took)
            else:
                result.wrong += 1
    result.silent += len(sent)
    return result
