/// The numbers of the DNS: types, classes, codes (RFC 1035, 6895, 8914), with their texts.
/// Any 16-bit value is a legal RRType; the enumerators are only those this code has to know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace siskin::wire {

enum class RRType : std::uint16_t {
  none = 0,
  a = 1,
  ns = 2,
  md = 3,
  mf = 4,
  cname = 5,
  soa = 6,
  mb = 7,
  mg = 8,
  mr = 9,
  null = 10,
  wks = 11,
  ptr = 12,
  hinfo = 13,
  minfo = 14,
  mx = 15,
  txt = 16,
  rp = 17,
  afsdb = 18,
  sig = 24,
  key = 25,
  px = 26,
  aaaa = 28,
  nxt = 30,
  srv = 33,
  naptr = 35,
  kx = 36,
  dname = 39,
  opt = 41,
  ds = 43,
  sshfp = 44,
  rrsig = 46,
  nsec = 47,
  dnskey = 48,
  nsec3 = 50,
  nsec3param = 51,
  tlsa = 52,
  cds = 59,
  cdnskey = 60,
  zonemd = 63,
  svcb = 64,
  https = 65,
  tkey = 249,
  tsig = 250,
  ixfr = 251,
  axfr = 252,
  mailb = 253,
  maila = 254,
  any = 255,
  caa = 257,
};

/// "AAAA", or "TYPE65280" (RFC 3597 §5) where no mnemonic is known here.
std::string to_string(RRType type);
/// Reads both forms, any letter case.
std::optional<RRType> rrtype_from_text(std::string_view text);

/// True for types that no zone holds and nobody may be asked for: OPT, TSIG, TKEY, IXFR, AXFR,
/// MAILB, MAILA, 0, and 128-255 but ANY (RFC 6895 §3.1).
bool is_meta(RRType type) noexcept;

enum class RRClass : std::uint16_t { in = 1, ch = 3, hs = 4, none = 254, any = 255 };

enum class Opcode : std::uint8_t { query = 0, iquery = 1, status = 2, notify = 4, update = 5 };

/// With the extension of EDNS: up to 12 bits.
enum class Rcode : std::uint16_t {
  noerror = 0,
  formerr = 1,
  servfail = 2,
  nxdomain = 3,
  notimp = 4,
  refused = 5,
  yxdomain = 6,
  notauth = 9,
  badvers = 16,
  badcookie = 23,
};

std::string to_string(Rcode rcode);  ///< "NXDOMAIN", or "RCODE17"

enum class Section : std::uint8_t { answer = 0, authority = 1, additional = 2 };

/// INFO-CODEs of Extended DNS Errors, RFC 8914 §4 and the registry.
enum class Ede : std::uint16_t {
  other = 0,
  unsupported_dnskey_algorithm = 1,
  unsupported_ds_digest = 2,
  stale_answer = 3,
  forged_answer = 4,
  dnssec_indeterminate = 5,
  dnssec_bogus = 6,
  signature_expired = 7,
  signature_not_yet_valid = 8,
  dnskey_missing = 9,
  rrsigs_missing = 10,
  no_zone_key_bit = 11,
  nsec_missing = 12,
  cached_error = 13,
  not_ready = 14,
  blocked = 15,
  prohibited = 18,
  stale_nxdomain = 19,
  not_authoritative = 20,
  not_supported = 21,
  no_reachable_authority = 22,
  network_error = 23,
  invalid_data = 24,
  signature_expired_before_valid = 25,
  unsupported_nsec3_iterations = 27,
  synthesised = 29,
  negative_trust_anchor = 33,
};

}  // namespace siskin::wire
