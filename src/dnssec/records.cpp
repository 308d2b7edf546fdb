#include "siskin/dnssec/records.hpp"

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::dnssec {

using wire::Bytes;
using wire::Name;
using wire::Reader;
using wire::RRType;

std::optional<Dnskey> Dnskey::parse(Bytes rdata) noexcept {
  Reader reader(rdata);
  Dnskey made;
  made.flags = reader.u16();
  made.protocol = reader.u8();
  made.algorithm = static_cast<Algorithm>(reader.u8());
  made.key = reader.bytes(reader.remaining());
  if (reader.failed() || made.key.empty()) return std::nullopt;
  made.rdata = rdata;
  made.tag = dnssec::key_tag(rdata);
  return made;
}

std::uint16_t key_tag(Bytes rdata) noexcept {
  if (rdata.size() >= 4 && rdata[3] == 1) {
    return rdata.size() < 7 ? std::uint16_t{0} : Reader(rdata.last(3)).u16();
  }
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < rdata.size(); ++i) {
    sum += (i & 1) != 0 ? rdata[i] : std::uint32_t{rdata[i]} << 8;
  }
  return static_cast<std::uint16_t>(sum + (sum >> 16));
}

std::optional<Ds> Ds::parse(Bytes rdata) noexcept {
  Reader reader(rdata);
  Ds made;
  made.tag = reader.u16();
  made.algorithm = static_cast<Algorithm>(reader.u8());
  made.digest_type = static_cast<DigestType>(reader.u8());
  made.digest = reader.bytes(reader.remaining());
  if (reader.failed() || made.digest.empty()) return std::nullopt;
  return made;
}

std::optional<Rrsig> Rrsig::parse(Bytes rdata) noexcept {
  if (!wire::is_well_formed(RRType::rrsig, rdata)) return std::nullopt;
  Reader reader(rdata);
  Rrsig made;
  made.covered = static_cast<RRType>(reader.u16());
  made.algorithm = static_cast<Algorithm>(reader.u8());
  made.labels = reader.u8();
  made.original_ttl = reader.u32();
  made.expiration = reader.u32();
  made.inception = reader.u32();
  made.tag = reader.u16();
  made.signer = reader.name();
  made.signature = reader.bytes(reader.remaining());
  made.rdata = rdata;
  return made;
}

std::size_t signed_labels(const Name& name) noexcept {
  const Bytes first = name.first_label();
  const bool is_wildcard = first.size() == 1 && first[0] == '*';
  return name.label_count() - (is_wildcard ? 1 : 0);
}

bool is_expanded(const Rrsig& signature, const Name& owner) noexcept {
  return signature.labels < signed_labels(owner);
}

}  // namespace siskin::dnssec
