/// Keys and signatures on paper: a signature is good when it says which key made it.  The states of
/// trust anchors are a matter of who has signed, not of cryptography.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "siskin/dnssec/verifier.hpp"

namespace siskin::dnssec::test {

class PaperVerifier final : public Verifier {
 public:
  bool supports(Algorithm algorithm) const noexcept override {
    return algorithm == Algorithm::ed25519;
  }
  bool supports(DigestType type) const noexcept override { return type == DigestType::sha256; }
  bool verify(const Dnskey& key, wire::Bytes /*data*/, wire::Bytes signature) override {
    return std::ranges::equal(key.key, signature);
  }
};

struct PaperKey {
  std::string name;
  bool is_revoked = false;
  std::uint8_t algorithm = 15;
  bool is_entry_point = true;

  std::vector<std::uint8_t> rdata() const {
    const auto flags =
        static_cast<std::uint8_t>((is_revoked ? 0x80 : 0) | (is_entry_point ? 1 : 0));
    std::vector<std::uint8_t> rdata{1, flags, 3, algorithm};
    rdata.insert(rdata.end(), name.begin(), name.end());
    return rdata;
  }
};

struct PaperPeriod {
  std::uint32_t ttl = 86'400;
  std::uint32_t inception = 0;
  std::uint32_t expiration = 0;
};

/// A DNSKEY set of `zone` with one signature by each of `signers`.
inline wire::RRset paper_set(const wire::Name& zone, const std::vector<PaperKey>& keys,
                             const std::vector<PaperKey>& signers, const PaperPeriod& period) {
  wire::RRset set;
  set.owner = zone;
  set.type = wire::RRType::dnskey;
  set.ttl = period.ttl;
  for (const PaperKey& key : keys) set.records.add(key.rdata());
  for (const PaperKey& signer : signers) {
    std::vector<std::uint8_t> rdata{0, 48, signer.algorithm,
                                    static_cast<std::uint8_t>(zone.label_count())};
    const auto add = [&rdata](std::uint32_t value, int octets) {
      for (int i = octets - 1; i >= 0; --i) {
        rdata.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
      }
    };
    add(period.ttl, 4);
    add(period.expiration, 4);
    add(period.inception, 4);
    add(key_tag(signer.rdata()), 2);
    rdata.insert(rdata.end(), zone.wire().begin(), zone.wire().end());
    rdata.insert(rdata.end(), signer.name.begin(), signer.name.end());
    set.signatures.add(rdata);
  }
  return set;
}

}  // namespace siskin::dnssec::test
