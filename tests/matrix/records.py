"""Signed zones as text, one record a line: reading, changing, and the DS of a key."""

import base64
import hashlib
import struct

DIGEST = {1: hashlib.sha1, 2: hashlib.sha256, 4: hashlib.sha384}


def record_of(line):
    """(owner, type, rdata fields) of a line with or without class, or None."""
    fields = line.split(";")[0].split() if "\"" not in line else line.split()
    if len(fields) < 4 or line[0] in "; \t":
        return None
    owner, _ttl, *rest = fields
    if rest[0] == "IN":
        rest = rest[1:]
    return owner.lower(), rest[0], rest[1:]


def records(path):
    """(record, line) of each record in a signed zone."""
    found = ((record_of(line), line) for line in path.read_text().splitlines() if line.strip())
    return [(record, line) for record, line in found if record]


def covers(record, kind):
    """Whether this record is of that type or a signature over it."""
    return record[1] == kind or (record[1] == "RRSIG" and record[2][0] == kind)


def without(listed, *kinds):
    return [(record, line) for record, line in listed if not any(covers(record, k) for k in kinds)]


def without_signature(listed, owner, kind):
    return [(record, line) for record, line in listed
            if not (record[0] == owner and record[1] == "RRSIG" and record[2][0] == kind)]


def with_keys_of(listed, keys_from):
    """The DNSKEY set and its signatures of `keys_from`, all else of `listed`."""
    return without(listed, "DNSKEY") + [(r, line) for r, line in keys_from if covers(r, "DNSKEY")]


def write(path, listed):
    path.write_text("\n".join(line for _record, line in listed) + "\n")


def key_tag(rdata):
    """RFC 4034 appendix B."""
    total = sum(byte << 8 if i % 2 == 0 else byte for i, byte in enumerate(rdata))
    return (total + (total >> 16)) & 0xFFFF


def ds_of(listed, digest_type, spoilt=False):
    """DS record of the zone's one DNSKEY (RFC 4034 section 5.1.4); spoilt: of another digest."""
    owner, _kind, fields = next(r for r, _line in listed if r[1] == "DNSKEY")
    flags, protocol, algorithm = map(int, fields[:3])
    rdata = struct.pack("!HBB", flags, protocol, algorithm) + base64.b64decode("".join(fields[3:]))
    labels = [label.encode() for label in owner.rstrip(".").split(".") if label]
    wire = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    digest = bytearray(DIGEST[digest_type](wire + rdata).digest())
    if spoilt:
        digest[0] ^= 1
    return f"{owner} 300 IN DS {key_tag(rdata)} {algorithm} {digest_type} {digest.hex()}"
