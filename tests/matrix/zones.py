"""The miniature signed internet of tools/dnssec-matrix: which zones there are, what stands in them, and
which questions are asked with which expected verdict.

    .                    root and the three TLDs, signed by ldns-signzone, served by NSD
    bind. knot. ldns.    one TLD for each signer
    a13-nsec3.bind.      one zone for each signer, algorithm and kind of denial; its chain is whole
    expired.a13-nsec3.bind.   its children, each with one fault: FAULTS
"""

from dataclasses import dataclass

SIGNERS = ["bind", "knot", "ldns"]
ALGORITHMS = {5: "RSASHA1", 7: "NSEC3RSASHA1", 8: "RSASHA256", 10: "RSASHA512", 13: "ECDSAP256SHA256",
              14: "ECDSAP384SHA384", 15: "ED25519", 16: "ED448"}
DENIALS = ["nsec", "nsec3", "optout"]

FAULTS = {
    "expired": "the signatures ended 30 days ago",
    "future": "the signatures begin in 30 days",
    "wrongkey": "all but the DNSKEY set is signed by a key that the zone does not publish",
    "nosig": "the signature of www A is missing",
    "nods": "the parent has no DS: the zone is insecure",
    "wrongds": "the parent's DS has another digest",
    "stripped": "the NSEC or NSEC3 records are missing",
    "twods": "the parent has two DS, of which one has another digest: one that is right is enough",
    "digests": "the parent has a right DS of SHA-1 and one of SHA-256 with another digest",
    "unknown": "the parent's DS are of an algorithm and of a digest that nobody knows",
    "iterated": "NSEC3 with 100 iterations",
}
ITERATIONS = 100   # of "iterated"

# Digest of the DS in the parent by algorithm: SHA-1 with its generation, SHA-384 with its strength.
DIGESTS = {5: 1, 7: 1, 14: 4, 16: 4}

ADDRESS_ROOT, ADDRESS_UNBOUND, ADDRESS_SISKIN = (f"127.54.0.{n}" for n in (1, 2, 3))
# Of all stripped zones: BIND and Knot DNS do not serve signed answers from a zone without denial; NSD does.
ADDRESS_STRIPPED = "127.54.4.1"
ADDRESS_CACHE = "127.0.0.1"   # BIND as well, on another port

# Of zones and of their children.  BIND listens on addresses that an interface has, and without
# privilege 127.0.0.1 is all there is: parent and child share it, which is a case of its own.
ADDRESSES = {"bind": ("127.0.0.1", "127.0.0.1"), "knot": ("127.54.2.1", "127.54.2.2"),
             "ldns": ("127.54.3.1", "127.54.3.2")}


@dataclass(frozen=True)
class Combination:
    signer: str
    algorithm: int
    denial: str

    @property
    def zone(self):
        return f"a{self.algorithm}-{self.denial}.{self.signer}."

    def child(self, fault):
        return f"{fault}.{self.zone}"

    def faults(self):
        """dnssec-signzone makes no zone with many iterations, from BIND 9.20 on."""
        can_iterate = self.denial != "nsec" and self.signer != "bind"
        return [fault for fault in FAULTS if fault != "iterated" or can_iterate]

    def site(self, fault=""):
        """(signer whose kind of server it is, address) for the zone or this child."""
        if fault == "stripped":
            return "ldns", ADDRESS_STRIPPED
        return self.signer, ADDRESSES[self.signer][fault != ""]


@dataclass(frozen=True)
class Row:
    """One question; `expected` is "secure", "insecure" or "bogus"."""
    combination: Combination
    case: str
    name: str
    kind: str
    rcode: str
    expected: str


def combinations(signers, algorithms, denials):
    """Algorithm 5 says "NSEC only" (RFC 5155 section 2): 7 is the same with NSEC3."""
    return [Combination(signer, algorithm, denial) for signer in signers for algorithm in algorithms
            for denial in denials if algorithm != 5 or denial == "nsec"]


def head(zone, address):
    return [f"{zone} 300 IN SOA ns.{zone} hostmaster.{zone} 1 3600 600 86400 60",
            f"{zone} 300 IN NS ns.{zone}", f"ns.{zone} 300 IN A {address}"]


def delegation(zone, address):
    return [f"{zone} 300 IN NS ns.{zone}", f"ns.{zone} 300 IN A {address}"]


def zone_text(combination, elsewhere):
    """The zone without its children's DS; `elsewhere` is a zone whose chain is whole as well."""
    zone = combination.zone
    lines = head(zone, combination.site()[1])
    records = ["www A 192.0.2.1", "*.wild A 192.0.2.2", "*.alias CNAME www", "deep.ent A 192.0.2.3",
               "host.tree A 192.0.2.4", "dname DNAME tree", "dname-unsigned DNAME nods",
               "within CNAME www", "unsigned CNAME www.nods", "broken CNAME www.expired",
               "nowhere CNAME none", "unsigned-nowhere CNAME none.nods"]
    for record in records:
        owner, kind, data = record.split()
        target = data if kind == "A" else f"{data}.{zone}"
        lines.append(f"{owner}.{zone} 300 IN {kind} {target}")
    lines.append(f"across.{zone} 300 IN CNAME www.{elsewhere}")
    for fault in combination.faults():
        lines += delegation(combination.child(fault), combination.site(fault)[1])
    return lines


def child_text(combination, fault):
    zone = combination.child(fault)
    return [*head(zone, combination.site(fault)[1]), f"www.{zone} 300 IN A 192.0.2.9",
            f"*.wild.{zone} 300 IN A 192.0.2.8", f"deep.ent.{zone} 300 IN A 192.0.2.7",
            f"up.{zone} 300 IN CNAME www.{combination.zone}"]


# case, name below the zone, type, rcode, expected with NSEC and NSEC3, expected with opt-out.  RFC 5155
# section 9.2: what rests on an opt-out span covering the next closer name has no AD.
CASES = [
    ("good", "www", "A", "NOERROR", "secure", "secure"),
    ("NXDOMAIN", "none", "A", "NXDOMAIN", "secure", "insecure"),
    ("NXDOMAIN, deep", "a.b.none", "A", "NXDOMAIN", "secure", "insecure"),
    ("NODATA", "www", "TXT", "NOERROR", "secure", "secure"),
    ("NODATA, apex", "", "TXT", "NOERROR", "secure", "secure"),
    ("ENT", "ent", "A", "NOERROR", "secure", "secure"),
    ("wildcard", "x.wild", "A", "NOERROR", "secure", "insecure"),
    ("wildcard, deep", "x.y.wild", "A", "NOERROR", "secure", "insecure"),
    ("wildcard itself", "*.wild", "A", "NOERROR", "secure", "secure"),
    ("wildcard NODATA", "x.wild", "TXT", "NOERROR", "secure", "insecure"),
    ("wildcard CNAME", "x.alias", "A", "NOERROR", "secure", "insecure"),
    # First, while nobody has the DNAME in a cache: NSD follows it with less than the whole proof.
    ("DNAME to NXDOMAIN", "none.dname", "A", "NXDOMAIN", "secure", "insecure"),
    ("DNAME", "host.dname", "A", "NOERROR", "secure", "secure"),
    ("DNAME to insecure", "www.dname-unsigned", "A", "NOERROR", "insecure", "insecure"),
    ("CNAME within", "within", "A", "NOERROR", "secure", "secure"),
    ("CNAME to secure zone", "across", "A", "NOERROR", "secure", "secure"),
    ("CNAME to insecure", "unsigned", "A", "NOERROR", "insecure", "insecure"),
    ("CNAME to bogus", "broken", "A", "SERVFAIL", "bogus", "bogus"),
    ("CNAME to NXDOMAIN", "nowhere", "A", "NXDOMAIN", "secure", "insecure"),
    ("CNAME to insecure NXDOMAIN", "unsigned-nowhere", "A", "NXDOMAIN", "insecure", "insecure"),
    ("missing DS", "www.nods", "A", "NOERROR", "insecure", "insecure"),
    ("missing DS, NXDOMAIN", "none.nods", "A", "NXDOMAIN", "insecure", "insecure"),
    ("missing DS, CNAME to secure", "up.nods", "A", "NOERROR", "insecure", "insecure"),
    ("missing DS, the DS", "nods", "DS", "NOERROR", "secure", "insecure"),
    ("present DS", "expired", "DS", "NOERROR", "secure", "secure"),
    ("expired", "www.expired", "A", "SERVFAIL", "bogus", "bogus"),
    ("expired NXDOMAIN", "none.expired", "A", "SERVFAIL", "bogus", "bogus"),
    ("future", "www.future", "A", "SERVFAIL", "bogus", "bogus"),
    ("wrong key", "www.wrongkey", "A", "SERVFAIL", "bogus", "bogus"),
    ("wrong key, NODATA", "www.wrongkey", "TXT", "SERVFAIL", "bogus", "bogus"),
    ("missing signature", "www.nosig", "A", "SERVFAIL", "bogus", "bogus"),
    ("missing signature, beside it", "up.nosig", "CNAME", "NOERROR", "secure", "secure"),
    ("wrong DS", "www.wrongds", "A", "SERVFAIL", "bogus", "bogus"),
    ("stripped denial, data", "www.stripped", "A", "NOERROR", "secure", "secure"),
    ("stripped denial, NXDOMAIN", "none.stripped", "A", "SERVFAIL", "bogus", "bogus"),
    ("stripped denial, NODATA", "www.stripped", "TXT", "SERVFAIL", "bogus", "bogus"),
    ("stripped denial, ENT", "ent.stripped", "A", "SERVFAIL", "bogus", "bogus"),
    ("stripped denial, wildcard", "x.wild.stripped", "A", "SERVFAIL", "bogus", "bogus"),
    ("stripped denial, wildcard NODATA", "x.wild.stripped", "TXT", "SERVFAIL", "bogus", "bogus"),
    ("one right DS", "www.twods", "A", "NOERROR", "secure", "secure"),
    # RFC 4509 section 3: where there is a DS of SHA-256, SHA-1 does not count.
    ("right SHA-1 DS, wrong SHA-256", "www.digests", "A", "SERVFAIL", "bogus", "bogus"),
    # RFC 4035 section 5.2.
    ("unknown DS", "www.unknown", "A", "NOERROR", "insecure", "insecure"),
    ("unknown DS, NXDOMAIN", "none.unknown", "A", "NXDOMAIN", "insecure", "insecure"),
    # RFC 9276 section 3.2.
    ("many iterations, data", "www.iterated", "A", "NOERROR", "secure", "secure"),
    ("many iterations, NXDOMAIN", "none.iterated", "A", "NXDOMAIN", "insecure", "insecure"),
    ("many iterations, NODATA", "www.iterated", "TXT", "NOERROR", "insecure", "insecure"),
    ("many iterations, wildcard", "x.wild.iterated", "A", "NOERROR", "insecure", "insecure"),
]


def row_of(combination, case, below, kind, rcode, usual, with_optout):
    """ldns-signzone gives unsigned delegations an NSEC3 in spite of opt-out: that is a full proof."""
    is_optout = combination.denial == "optout" and (combination.signer, kind) != ("ldns", "DS")
    name = f"{below}.{combination.zone}" if below else combination.zone
    return Row(combination, case, name, kind, rcode, with_optout if is_optout else usual)


def rows(chosen):
    return [row_of(combination, *case) for combination in chosen for case in CASES
            if "iterated" in combination.faults() or "iterated" not in case[1]]
