/// A verifier for records whose signatures nobody can make any more.
#pragma once

#include "siskin/dnssec/verifier.hpp"

namespace siskin::scenarios {

/// By OpenSSL, but for algorithms that the scenario takes as good: those are supported, and each of
/// their signatures is right.
class ScenarioVerifier final : public dnssec::Verifier {
 public:
  ScenarioVerifier(bool takes_sha1_as_good, bool takes_dsa_as_good)
      : takes_sha1_as_good_(takes_sha1_as_good), takes_dsa_as_good_(takes_dsa_as_good) {}

  bool supports(dnssec::Algorithm algorithm) const noexcept override {
    return is_taken_as_good(algorithm) || openssl_.supports(algorithm);
  }
  bool supports(dnssec::DigestType type) const noexcept override { return openssl_.supports(type); }
  bool verify(const dnssec::Dnskey& key, wire::Bytes data, wire::Bytes signature) override {
    return is_taken_as_good(key.algorithm) || openssl_.verify(key, data, signature);
  }

 private:
  bool is_taken_as_good(dnssec::Algorithm algorithm) const noexcept {
    switch (static_cast<unsigned>(algorithm)) {
      case 3:  // DSA
      case 6: return takes_sha1_as_good_ || takes_dsa_as_good_;
      case 5:  // RSASHA1
      case 7: return takes_sha1_as_good_;
      default: return false;
    }
  }

  dnssec::OpensslVerifier openssl_{{}};
  bool takes_sha1_as_good_;
  bool takes_dsa_as_good_;
};

}  // namespace siskin::scenarios
