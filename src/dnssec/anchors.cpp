#include "siskin/dnssec/anchors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "siskin/text/file.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::dnssec {
namespace {

using wire::RRType;

TrustAnchor& anchor_for(std::vector<TrustAnchor>& anchors, const wire::Name& zone) {
  const auto at = std::ranges::find(anchors, zone, &TrustAnchor::zone);
  if (at != anchors.end()) return *at;
  anchors.emplace_back().zone = zone;
  return anchors.back();
}

/// In octets; 0: unknown.
std::size_t digest_size(DigestType type) noexcept {
  switch (type) {
    case DigestType::sha1: return 20;
    case DigestType::sha256: return 32;
    case DigestType::sha384: return 48;
  }
  return 0;
}

/// What is wrong with it as an anchor.
std::optional<std::string> complaint_about(const text::Record& record) {
  if (record.type == RRType::ds) {
    const auto ds = Ds::parse(record.rdata);
    if (!ds) return "a DS without a digest";
    const std::size_t wanted = digest_size(ds->digest_type);
    if (wanted == 0 || ds->digest.size() == wanted) return std::nullopt;
    return fmt::format("a digest of {} octets, {} were expected", ds->digest.size(), wanted);
  }
  if (record.type != RRType::dnskey) {
    return to_string(record.type) + " is no trust anchor, a DS or DNSKEY was expected";
  }
  const auto key = Dnskey::parse(record.rdata);
  if (!key) return "a DNSKEY without a key";
  if (!key->may_sign()) return "this DNSKEY is no zone key: flags 257, protocol 3 were expected";
  if (key->is_revoked()) return fmt::format("key {} is revoked", key->tag);
  return std::nullopt;
}

}  // namespace

Result<std::vector<TrustAnchor>> parse_trust_anchors(std::string_view text,
                                                     std::string_view source) {
  auto records = text::parse_records(text);
  if (!records) return text::with_source(records.error(), source);
  const auto malformed = [&](std::string words) {
    return Error{Errc::malformed, std::move(words)};
  };
  if (records->empty()) {
    return malformed(fmt::format("{}: no record, a DS or DNSKEY was expected", source));
  }
  if (records->size() > kAnchorsMax) {
    return malformed(fmt::format("{}: over {} records", source, kAnchorsMax));
  }
  std::vector<TrustAnchor> anchors;
  for (text::Record& record : *records) {
    if (const auto wrong = complaint_about(record)) {
      return malformed(fmt::format("{}:{}: {}", source, record.line, *wrong));
    }
    TrustAnchor& anchor = anchor_for(anchors, record.owner);
    auto& list = record.type == RRType::ds ? anchor.ds : anchor.dnskey;
    list.push_back(std::move(record.rdata));
  }
  return anchors;
}

Result<std::vector<TrustAnchor>> read_trust_anchors(const std::string& path) {
  const auto text = text::read_file(path, kAnchorBytesMax);
  if (!text) return text.error();
  return parse_trust_anchors(*text, path);
}

}  // namespace siskin::dnssec
