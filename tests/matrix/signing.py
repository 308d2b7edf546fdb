"""Signs the zones of the matrix with the tools of BIND, Knot DNS and ldns.

A zone has one key that signs all of it.  BIND and ldns sign one zone a command; Knot DNS signs in its
server, many zones a process, and for the expired and the future ones its clock is shifted by faketime.
"""

import concurrent.futures
import time

import programs
import records
import zones

DAY = 86400
RSA_BITS = 2048
SHIFT = {"expired": -60 * DAY, "future": 30 * DAY}   # of the moment when a zone is signed
LIFETIME = 30 * DAY


def window(fault):
    """(inception, expiration) in seconds since 1970; an hour early, for clocks that differ."""
    begin = int(time.time()) + SHIFT.get(fault, 0) - 3600
    return begin, begin + LIFETIME


def iterations(fault):
    return zones.ITERATIONS if fault == "iterated" else 0


def stamp(seconds):
    return time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds))


def sign_with_bind(zone, lines, algorithm, denial, fault, folder):
    """Paths of one zone signed by dnssec-signzone with a fresh key."""
    bits = ["-b", RSA_BITS] if algorithm < 13 else []
    key = programs.run(["dnssec-keygen", "-q", "-f", "KSK", "-a", zones.ALGORITHMS[algorithm], *bits,
                        zone], folder)
    (folder / "zone").write_text("\n".join(lines) + "\n" + (folder / f"{key}.key").read_text())
    begin, end = window(fault)
    hashed = ["-3", "-", "-H", iterations(fault)]
    nsec3 = {"nsec": [], "nsec3": hashed, "optout": [*hashed, "-A"]}[denial]
    programs.run(["dnssec-signzone", "-q", "-P", "-z", "-O", "full", "-o", zone, "-f", "signed", "-s",
                  stamp(begin), "-e", stamp(end), *nsec3, "zone", key], folder)
    return folder / "signed"


def sign_with_ldns(zone, lines, algorithm, denial, fault, folder):
    name = "RSASHA1-NSEC3-SHA1" if algorithm == 7 else zones.ALGORITHMS[algorithm]
    bits = ["-b", RSA_BITS] if algorithm < 13 else []
    key = programs.run(["ldns-keygen", "-k", "-a", name, *bits, zone], folder)
    (folder / "zone").write_text("\n".join(lines) + "\n")
    begin, end = window(fault)
    hashed = ["-n", "-t", iterations(fault)]
    nsec3 = {"nsec": [], "nsec3": hashed, "optout": [*hashed, "-p"]}[denial]
    programs.run(["ldns-signzone", *nsec3, "-i", begin, "-e", end, "-o", zone, "-f", "signed", "zone",
                  key], folder)
    return folder / "signed"


COMMANDS = {"bind": sign_with_bind, "ldns": sign_with_ldns}


def sign_by_command(jobs, signer, home):
    """Signed zones, as lists of records, of jobs (zone, lines, algorithm, denial, fault)."""
    def one(number, job):
        folder = home / str(number)
        folder.mkdir(parents=True)
        return records.records(COMMANDS[signer](*job, folder))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, range(len(jobs)), jobs))


def knot_policies(jobs):
    lines = ["policy:"]
    for algorithm, denial, count in sorted({(job[2], job[3], iterations(job[4])) for job in jobs}):
        name = {7: "rsasha1-nsec3-sha1"}.get(algorithm, zones.ALGORITHMS[algorithm].lower())
        lines += [f"  - id: p{algorithm}{denial}{count}", f"    algorithm: {name}",
                  "    single-type-signing: on", "    cds-cdnskey-publish: none",
                  f"    rrsig-lifetime: {LIFETIME}", f"    nsec3: {'off' if denial == 'nsec' else 'on'}",
                  f"    nsec3-opt-out: {'on' if denial == 'optout' else 'off'}",
                  f"    nsec3-iterations: {count}", "    nsec3-salt-length: 0"]
        if algorithm < 13:
            lines += [f"    ksk-size: {RSA_BITS}", f"    zsk-size: {RSA_BITS}"]
    return lines


def knot_config(jobs, home):
    lines = ["server:", f'  rundir: "{home}"', "  background-workers: 2", "  udp-workers: 1",
             "  tcp-workers: 1", "database:", f'  storage: "{home}"', "log:", "  - target: stderr",
             "    any: warning", *knot_policies(jobs), "zone:"]
    for number, (zone, text, algorithm, denial, fault) in enumerate(jobs):
        (home / f"{number}.zone").write_text("\n".join(text) + "\n")
        lines += [f"  - domain: {zone}", f'    file: "{home}/{number}.zone"', "    zonefile-sync: 0",
                  "    dnssec-signing: on", f"    dnssec-policy: p{algorithm}{denial}{iterations(fault)}"]
    return "\n".join(lines) + "\n"


def sign_by_knot(jobs, home):
    """As sign_by_command(); all jobs share the moment of their signatures."""
    if not jobs:
        return []
    home.mkdir(parents=True)
    (home / "conf").write_text(knot_config(jobs, home))
    shift = SHIFT.get(jobs[0][4], 0)
    clock = programs.clock_shifted(shift) if shift else {}
    paths = [home / f"{number}.zone" for number in range(len(jobs))]
    with programs.Started() as started:
        knot = started.start(["knotd", "-c", home / "conf"], home / "log", **clock)
        waiting = set(paths)

        def is_signed():
            waiting.difference_update([p for p in waiting if "RRSIG\tSOA" in p.read_text()])
            return not waiting
        programs.wait_for(knot, is_signed, "knotd does not sign")
    return [records.records(path) for path in paths]


def sign(jobs, signer, home):
    if signer == "knot":
        return sign_by_knot(jobs, home)
    return sign_by_command(jobs, signer, home)


def with_fault(signed, again, zone, fault):
    """What is served of a signed child; `again` is the same zone signed with another key."""
    if fault == "wrongkey":
        return records.with_keys_of(again, signed)
    if fault == "nosig":
        return records.without_signature(signed, f"www.{zone}", "A")
    if fault == "stripped":
        return records.without(signed, "NSEC", "NSEC3", "NSEC3PARAM")
    return signed


def ds_for(signed, digest, fault):
    """The child's DS records as its parent has them."""
    right, wrong = records.ds_of(signed, digest), records.ds_of(signed, digest, spoilt=True)
    if fault == "wrongds":
        return [wrong]
    if fault == "twods":
        return [wrong, right]
    if fault == "digests":
        return [records.ds_of(signed, 1), records.ds_of(signed, 2, spoilt=True)]
    if fault == "unknown":
        *head, tag, algorithm, kind, data = right.split()
        return [" ".join([*head, tag, "250", kind, data]), " ".join([*head, tag, algorithm, "250", data])]
    return [right]


class Signer:
    """Zones of one signer: children first, so that their DS can go into their parents."""

    SIGNED_NOW = ["wrongkey", "nosig", "wrongds", "stripped", "twods", "digests", "unknown", "iterated"]

    def __init__(self, signer, chosen, home):
        self.signer, self.home = signer, home
        self.chosen = [c for c in chosen if c.signer == signer]
        self.served = {}   # zone -> (site, records)

    def _jobs(self, faults):
        return [(c.child(fault), zones.child_text(c, fault), c.algorithm, c.denial, fault)
                for c in self.chosen for fault in faults if fault in c.faults()]

    def _children(self):
        """Child zone -> its records before anything is done to them."""
        found = {}
        for number, faults in enumerate([self.SIGNED_NOW, ["expired"], ["future"]]):
            jobs = self._jobs(faults)
            for job, signed in zip(jobs, sign(jobs, self.signer, self.home / f"children{number}")):
                found[job[0]] = signed
        return found

    def sign_all(self):
        """DS records for the TLD."""
        children = self._children()
        wrong = self._jobs(["wrongkey"])
        again = dict(zip([job[0] for job in wrong], sign(wrong, self.signer, self.home / "again")))
        jobs, below_tld = [], []
        for number, c in enumerate(self.chosen):
            other = self.chosen[(number + 1) % len(self.chosen)]
            lines = zones.zone_text(c, other.zone)
            for fault in c.faults():
                lines += self._serve_child(c, fault, children.get(c.child(fault)), again)
            jobs.append((c.zone, lines, c.algorithm, c.denial, ""))
        for c, signed in zip(self.chosen, sign(jobs, self.signer, self.home / "zones")):
            self.served[c.zone] = c.site(), signed
            below_tld.append(records.ds_of(signed, zones.DIGESTS.get(c.algorithm, 2)))
        return below_tld

    def _serve_child(self, combination, fault, signed, again):
        """The child's DS records."""
        zone, site = combination.child(fault), combination.site(fault)
        if signed is None:
            lines = zones.child_text(combination, fault)
            self.served[zone] = site, [(records.record_of(line), line) for line in lines]
            return []
        self.served[zone] = site, with_fault(signed, again.get(zone), zone, fault)
        return ds_for(signed, zones.DIGESTS.get(combination.algorithm, 2), fault)


def sign_top(chosen, ds_of_tld, home):
    """Zone -> records of the root and the TLDs, and the root's DS."""
    served, ds_of_root = {}, []
    for tld in sorted({c.signer for c in chosen}):
        text = [*zones.head(f"{tld}.", zones.ADDRESS_ROOT), *ds_of_tld[tld]]
        for c in chosen:
            if c.signer == tld:
                text += zones.delegation(c.zone, zones.ADDRESSES[tld][0])
        [served[f"{tld}."]] = sign_by_command([(f"{tld}.", text, 13, "nsec", "")], "ldns", home / tld)
        ds_of_root += [*zones.delegation(f"{tld}.", zones.ADDRESS_ROOT),
                       records.ds_of(served[f"{tld}."], 2)]
    root = [". 300 IN SOA ns. hostmaster. 1 3600 600 86400 60", ". 300 IN NS ns.",
            f"ns. 300 IN A {zones.ADDRESS_ROOT}", *ds_of_root]
    [served["."]] = sign_by_command([(".", root, 13, "nsec", "")], "ldns", home / "root")
    return served, records.ds_of(served["."], 2)
