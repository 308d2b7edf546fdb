"""What lies between a resolver and the authorities: delay, loss, and servers that are dead.

One process and one UDP socket for all outer addresses (port 53 of 127.0.0.0/8): the address that was
asked says which authority is meant, and a reply leaves from there.  The fate of a packet depends on
the seed, the server, the question and how often that was asked there, so that two resolvers that
ask the same meet the same losses.
"""

import argparse
import hashlib
import heapq
import json
import selectors
import signal
import socket
import struct
import sys
import threading
import time

IP_PKTINFO = 8


def question_of(message):
    """Lowered name and type in wire form."""
    at = 12
    while at < len(message) and message[at]:
        at += message[at] + 1
    return message[12:at].lower() + message[at : at + 3]


class Relay:
    def __init__(self, config):
        self.level = config["level"]
        self.dead = set(config["dead"])
        self.inner = {k: tuple(v) for k, v in config["inner"].items()}
        self.delay = config["delay"]
        self.loss = config["loss"]
        self.seed = config["seed"]
        self.asked = {}  # (server, question) -> how often
        self.packets = {"to the living": 0, "to the dead": 0, "tcp": 0}
        self.lateness = []
        self.queue = []  # (due, number, data, outer address, client)
        self.number = 0
        self.waiting = {}  # (level, inner id) -> (client, outer address, id, began, is reply lost)
        self.next_id = 0
        self.outer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.outer.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        self.outer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self.outer.bind(("0.0.0.0", 53))
        self.outer.setblocking(False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.outer, selectors.EVENT_READ, self.on_query)
        self.inner_sockets = {}
        for level, address in self.inner.items():
            inner = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            inner.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
            inner.connect(address)
            inner.setblocking(False)
            self.inner_sockets[level] = inner
            self.selector.register(
                inner, selectors.EVENT_READ, lambda level=level: self.on_answer(level))

    def fate(self, server, question):
        """Whether query and reply are lost."""
        key = (server, question)
        count = self.asked[key] = self.asked.get(key, 0) + 1
        text = f"{self.seed} {server} {question.hex()} {count}".encode()
        draw = hashlib.blake2b(text, digest_size=8).digest()
        share = 1 - (1 - self.loss) ** 0.5  # of one direction
        limit = share * (1 << 32)
        return (int.from_bytes(draw[:4], "big") < limit, int.from_bytes(draw[4:], "big") < limit)

    def on_query(self):
        for _ in range(256):
            try:
                data, control, _, client = self.outer.recvmsg(65535, 256)
            except BlockingIOError:
                return
            server = None
            for level, kind, info in control:
                if level == socket.IPPROTO_IP and kind == IP_PKTINFO:
                    server = socket.inet_ntoa(info[8:12])
            if len(data) < 17 or server not in self.level:
                continue
            if server in self.dead:
                self.packets["to the dead"] += 1
                continue
            self.packets["to the living"] += 1
            query_lost, reply_lost = self.fate(server, question_of(data))
            if query_lost:
                continue
            level = self.level[server]
            self.next_id = (self.next_id + 1) & 0xFFFF
            self.waiting[level, self.next_id] = (
                client, server, data[:2], time.monotonic(), reply_lost)
            try:
                self.inner_sockets[level].send(struct.pack(">H", self.next_id) + data[2:])
            except OSError:
                pass

    def on_answer(self, level):
        for _ in range(256):
            try:
                data = self.inner_sockets[level].recv(65535)
            except (BlockingIOError, ConnectionRefusedError):
                return
            waiting = self.waiting.pop((level, struct.unpack(">H", data[:2])[0]), None)
            if waiting is None:
                continue
            client, server, own_id, began, reply_lost = waiting
            if reply_lost:
                continue
            self.number += 1
            heapq.heappush(
                self.queue, (began + self.delay, self.number, own_id + data[2:], server, client))

    def send_due(self):
        now = time.monotonic()
        while self.queue and self.queue[0][0] <= now:
            due, _, data, server, client = heapq.heappop(self.queue)
            info = struct.pack("=I4s4s", 0, socket.inet_aton(server), b"\0" * 4)
            try:
                self.outer.sendmsg([data], [(socket.IPPROTO_IP, IP_PKTINFO, info)], 0, client)
            except OSError:
                pass  # who asked is gone
            self.lateness.append(now - due)

    def run(self):
        threading.Thread(target=self.serve_tcp, daemon=True).start()
        print("ready", flush=True)
        while True:
            wait = 1.0
            if self.queue:
                wait = max(0.0, self.queue[0][0] - time.monotonic())
            for key, _ in self.selector.select(wait):
                key.data()
            self.send_due()

    def serve_tcp(self):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("0.0.0.0", 53))
        listener.listen(256)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.relay_tcp, args=(connection,), daemon=True).start()

    def relay_tcp(self, connection):
        """One message at a time, each a round trip late; the handshake counts as one too."""
        server = connection.getsockname()[0]
        self.packets["tcp"] += 1
        with connection:
            if server not in self.level or server in self.dead:
                connection.settimeout(30)
                try:
                    connection.recv(1)  # nobody is there: the client gives up first
                except OSError:
                    pass
                return
            time.sleep(self.delay)
            with socket.create_connection(self.inner[self.level[server]]) as inner:
                connection.settimeout(10)
                try:
                    while message := receive_frame(connection):
                        inner.sendall(message)
                        reply = receive_frame(inner)
                        time.sleep(self.delay)
                        connection.sendall(reply)
                except OSError:
                    pass

    def report(self, *_):
        late = sorted(self.lateness) or [0.0]
        self.packets["late_ms_99"] = late[len(late) * 99 // 100] * 1000
        print(json.dumps(self.packets), flush=True)
        sys.exit(0)


def receive_frame(stream):
    data = b""
    while len(data) < 2 or len(data) < 2 + struct.unpack(">H", data[:2])[0]:
        more = stream.recv(65536)
        if not more:
            return b""
        data += more
    return data


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    relay = Relay(json.load(open(parser.parse_args().config)))
    signal.signal(signal.SIGTERM, relay.report)
    relay.run()
