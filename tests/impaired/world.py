"""A small internet from a seed: what its zones say, where their servers are, who of them is dead.

    .        3 servers
    TLDs    10, of 4 servers each
    hosters 60, of 3 servers each, under one TLD; 60 % of the zones are theirs
    zones   of 7 names each; those without a hoster have 2 to 4 servers of their own (with glue)

A third of all servers are dead; each zone has at least one that lives.
"""

import random

TLDS = 10
HOSTERS = 60
NAMES_A_ZONE = 7
DEAD_SHARE = 1 / 3


class World:
    def __init__(self, seed, names):
        self.random = random.Random(f"world {seed}")
        self.level = {}  # outer address -> "root", "tld", "zone": which authority speaks there
        self.dead = set()
        self.zones = {"root": {}, "tld": {}, "zone": {}}  # authority -> {zone: text}
        self.answers = {}  # name -> address
        self.root_hints = ""
        self._next = {"root": 0, "tld": 0, "zone": 0}
        self._make(-(-names // NAMES_A_ZONE))
        self.names = list(self.answers)
        self.random.shuffle(self.names)
        self.names = self.names[:names]

    def _address(self, level):
        block = {"root": 40, "tld": 41, "zone": 42}[level]
        number = self._next[level]
        self._next[level] = number + 1
        address = f"127.{block}.{number // 200}.{number % 200 + 1}"
        self.level[address] = level
        return address

    def _servers(self, level, count):
        """Addresses, of which a third are dead by lot, but never all."""
        addresses = [self._address(level) for _ in range(count)]
        dead = [a for a in addresses if self.random.random() < DEAD_SHARE]
        if len(dead) == count:
            dead.remove(self.random.choice(dead))
        self.dead.update(dead)
        return addresses

    def _make(self, zone_count):
        root = ["$TTL 86400", "@ SOA a.root. hostmaster. 1 3600 600 86400 300"]
        for letter, address in zip("abc", self._servers("root", 3)):
            lines = [f". NS {letter}.root.", f"{letter}.root. A {address}"]
            root += lines
            self.root_hints += "".join(f"{line.replace(' ', ' 518400 ', 1)}\n" for line in lines)
        tlds = [f"tld{i}" for i in range(TLDS)]
        text = {}
        for tld in tlds:
            text[tld] = ["$TTL 86400", f"@ SOA ns0.{tld}. hostmaster.{tld}. 1 3600 600 86400 300"]
            for i, address in enumerate(self._servers("tld", 4)):
                glue = f"ns{i}.{tld}. A {address}"
                text[tld] += [f"@ NS ns{i}.{tld}.", glue]
                root += [f"{tld}. NS ns{i}.{tld}.", glue]
        hosters = []
        for i in range(HOSTERS):
            tld = self.random.choice(tlds)
            zone = f"hoster{i}.{tld}."
            servers = [(f"ns{j}.{zone}", a) for j, a in enumerate(self._servers("zone", 3))]
            self._delegate(text[tld], zone, servers, glue=True)
            self.zones["zone"][zone] = self._zone_text(zone, servers, own=servers)
            hosters.append(servers)
        for i in range(zone_count):
            tld = self.random.choice(tlds)
            zone = f"z{i}.{tld}."
            if self.random.random() < 0.6:
                servers, own = self.random.choice(hosters), []
            else:
                count = self.random.randint(2, 4)
                own = [(f"ns{j}.{zone}", a) for j, a in enumerate(self._servers("zone", count))]
                servers = own
            self._delegate(text[tld], zone, servers, glue=bool(own))
            lines = self._zone_text(zone, servers, own)
            for j in range(NAMES_A_ZONE):
                address = "10." + ".".join(str(self.random.randint(1, 254)) for _ in range(3))
                lines.append(f"h{j} A {address}")
                self.answers[f"h{j}.{zone}"] = address
            self.zones["zone"][zone] = lines
        self.zones["root"]["."] = root
        for tld in tlds:
            self.zones["tld"][f"{tld}."] = text[tld]

    @staticmethod
    def _delegate(lines, zone, servers, glue):
        for name, address in servers:
            lines.append(f"{zone} NS {name}")
            if glue:
                lines.append(f"{name} A {address}")

    @staticmethod
    def _zone_text(zone, servers, own):
        lines = ["$TTL 3600", f"@ SOA ns.{zone} hostmaster.{zone} 1 3600 600 86400 300"]
        lines += [f"@ NS {name}" for name, _ in servers]
        lines += [f"{name} A {address}" for name, address in own]
        return lines
