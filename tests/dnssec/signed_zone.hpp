/// The zones under tests/dnssec/zones, which BIND's tools have signed.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "siskin/base/check.hpp"
#include "siskin/dnssec/verifier.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::dnssec::test {

inline constexpr std::uint32_t kInception = 1767225600;   ///< 2026-01-01
inline constexpr std::uint32_t kExpiration = 1798761600;  ///< 2027-01-01
inline constexpr std::uint32_t kNow = 1785542400;         ///< 2026-08-01

inline std::vector<wire::RRset> read_sets(const std::string& file) {
  std::ifstream in(std::string(SISKIN_SOURCE_DIR "/tests/dnssec/zones/") + file);
  std::stringstream text;
  text << in.rdbuf();
  return text::parse_zone(text.str()).value();
}

struct SignedZone {
  explicit SignedZone(int algorithm)
      : sets(read_sets("algorithm" + std::to_string(algorithm) + ".zone")) {
    for (const wire::Bytes rdata : at("example.", wire::RRType::dnskey).records) {
      keys.push_back(Dnskey::parse(rdata).value());
    }
  }
  SignedZone(const SignedZone&) = delete;
  SignedZone& operator=(const SignedZone&) = delete;

  const wire::RRset* find(std::string_view owner, wire::RRType type) const {
    const wire::Name name = wire::Name::from_text(owner).value();
    for (const wire::RRset& set : sets) {
      if (set.type == type && set.owner == name) return &set;
    }
    return nullptr;
  }
  const wire::RRset& at(std::string_view owner, wire::RRType type) const {
    const wire::RRset* found = find(owner, type);
    SISKIN_CHECK(found != nullptr);
    return *found;
  }
  const Dnskey* key_of(const Rrsig& signature) const {
    for (const Dnskey& key : keys) {
      if (key.tag == signature.tag && key.algorithm == signature.algorithm) return &key;
    }
    return nullptr;
  }

  std::vector<wire::RRset> sets;
  std::vector<Dnskey> keys;  ///< their spans point into `sets`
};

}  // namespace siskin::dnssec::test
