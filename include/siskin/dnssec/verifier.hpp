/// Checking signatures and digests: the one place where keys meet cryptography.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "siskin/dnssec/records.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::dnssec {

/// A seam: tests play records whose signatures nobody can make any more.
/// Threads: one core each.
class Verifier {
 public:
  virtual ~Verifier() = default;

  /// What is signed with another algorithm counts as not signed (RFC 4035 §5.2).
  virtual bool supports(Algorithm algorithm) const noexcept = 0;
  virtual bool supports(DigestType type) const noexcept = 0;
  /// Whether `signature` by `key` is over `data`.  False also for a key that is none (fault A41).
  /// REQUIRES: the key's algorithm is supported.
  virtual bool verify(const Dnskey& key, wire::Bytes data, wire::Bytes signature) = 0;
};

/// By OpenSSL.  Keys that were used lately are kept in its form: reading one again costs as much as
/// a tenth of a signature.
class OpensslVerifier final : public Verifier {
 public:
  struct Options {
    bool sha1 = true;             ///< algorithms 5 and 7, and digest 1 (RFC 8624 §3.1, §3.3)
    std::size_t keys_max = 1024;  ///< kept
  };

  explicit OpensslVerifier(Options options);
  ~OpensslVerifier() override;

  bool supports(Algorithm algorithm) const noexcept override;
  bool supports(DigestType type) const noexcept override;
  bool verify(const Dnskey& key, wire::Bytes data, wire::Bytes signature) override;

  std::size_t keys_read() const noexcept;  ///< so far, for tests

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The octets that `signature` is over (RFC 4034 §3.1.8.1, canonical form and order by §6): its own
/// RDATA up to the signature, then the set's records under the owner and TTL that were signed.
/// Nothing when the signature has more labels than the owner, or a record cannot be read.
std::optional<std::vector<std::uint8_t>> signed_data(const wire::RRset& set,
                                                     const Rrsig& signature);

/// Whether `ds` is of `key` under `owner` (RFC 4034 §5.1.4, 4509, 6605).  REQUIRES: its digest type
/// is supported.
bool is_digest_of(const Ds& ds, const wire::Name& owner, const Dnskey& key);

/// How a signature's period stands to `now`, in serial arithmetic (RFC 4034 §3.1.5, 1982).
enum class Period : std::uint8_t { current, not_begun, over };

/// `now`: seconds since 1970, modulo 2^32.  `skew`: seconds by which clocks may differ.
Period period_of(const Rrsig& signature, std::uint32_t now, std::uint32_t skew) noexcept;

/// Seconds until the end of the period; 0 when it is over.
std::uint32_t seconds_left(const Rrsig& signature, std::uint32_t now) noexcept;

}  // namespace siskin::dnssec
