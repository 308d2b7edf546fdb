#include "siskin/dnssec/verifier.hpp"

#include <openssl/err.h>

#include <algorithm>
#include <list>
#include <map>
#include <string>

#include "dnssec/openssl.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;

/// RFC 6605 §4: r and s in half of the octets each; OpenSSL wants them in DER.
std::optional<std::vector<std::uint8_t>> to_der(Bytes signature, std::size_t half) {
  if (signature.size() != 2 * half) return std::nullopt;
  const auto number = [](Bytes octets) {
    return BN_bin2bn(octets.data(), static_cast<int>(octets.size()), nullptr);
  };
  const Openssl<ECDSA_SIG> pair(ECDSA_SIG_new());
  if (!pair || ECDSA_SIG_set0(pair.get(), number(signature.first(half)),
                              number(signature.last(half))) != 1) {
    return std::nullopt;
  }
  const int size = i2d_ECDSA_SIG(pair.get(), nullptr);
  if (size <= 0) return std::nullopt;
  std::vector<std::uint8_t> der(static_cast<std::size_t>(size));
  std::uint8_t* at = der.data();
  i2d_ECDSA_SIG(pair.get(), &at);
  return der;
}

std::optional<std::vector<std::uint8_t>> for_openssl(Algorithm algorithm, Bytes signature) {
  switch (algorithm) {
    case Algorithm::ecdsa_p256: return to_der(signature, 32);
    case Algorithm::ecdsa_p384: return to_der(signature, 48);
    default: return std::vector<std::uint8_t>(signature.begin(), signature.end());
  }
}

const EVP_MD* hash_of(DigestType type) noexcept {
  switch (type) {
    case DigestType::sha1: return EVP_sha1();
    case DigestType::sha256: return EVP_sha256();
    case DigestType::sha384: return EVP_sha384();
  }
  return nullptr;
}

}  // namespace

struct OpensslVerifier::Impl {
  using Order = std::list<std::string>;  ///< of RDATA, the one used last in front
  struct Kept {
    Openssl<EVP_PKEY> key;  ///< null: no key
    Order::iterator at;
  };

  EVP_PKEY* key_of(const Dnskey& key);

  Options options;
  Order order;
  std::map<std::string, Kept, std::less<>> kept;
  std::size_t keys_read = 0;
};

EVP_PKEY* OpensslVerifier::Impl::key_of(const Dnskey& key) {
  const std::string_view rdata(reinterpret_cast<const char*>(key.rdata.data()), key.rdata.size());
  if (const auto found = kept.find(rdata); found != kept.end()) {
    order.splice(order.begin(), order, found->second.at);
    return found->second.key.get();
  }
  while (kept.size() >= options.keys_max) {
    kept.erase(order.back());
    order.pop_back();
  }
  ++keys_read;
  order.emplace_front(rdata);
  return kept.emplace(rdata, Kept{read_key(key), order.begin()}).first->second.key.get();
}

OpensslVerifier::OpensslVerifier(Options options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
}

OpensslVerifier::~OpensslVerifier() = default;

std::size_t OpensslVerifier::keys_read() const noexcept {
  return impl_->keys_read;
}

bool OpensslVerifier::supports(Algorithm algorithm) const noexcept {
  switch (algorithm) {
    case Algorithm::rsasha1:
    case Algorithm::rsasha1_nsec3: return impl_->options.sha1;
    case Algorithm::rsasha256:
    case Algorithm::rsasha512:
    case Algorithm::ecdsa_p256:
    case Algorithm::ecdsa_p384:
    case Algorithm::ed25519:
    case Algorithm::ed448: return true;
  }
  return false;
}

bool OpensslVerifier::supports(DigestType type) const noexcept {
  switch (type) {
    case DigestType::sha1: return impl_->options.sha1;
    case DigestType::sha256:
    case DigestType::sha384: return true;
  }
  return false;
}

bool OpensslVerifier::verify(const Dnskey& key, Bytes data, Bytes signature) {
  EVP_PKEY* const public_key = impl_->key_of(key);
  if (public_key == nullptr) return false;
  const auto form = for_openssl(key.algorithm, signature);
  if (!form) return false;
  const Openssl<EVP_MD_CTX> context(EVP_MD_CTX_new());
  const bool is_good =
      context &&
      EVP_DigestVerifyInit(context.get(), nullptr, dnssec::hash_of(key.algorithm), nullptr,
                           public_key) == 1 &&
      EVP_DigestVerify(context.get(), form->data(), form->size(), data.data(), data.size()) == 1;
  ERR_clear_error();  // OpenSSL keeps a queue of what was wrong
  return is_good;
}

bool is_digest_of(const Ds& ds, const wire::Name& owner, const Dnskey& key) {
  const EVP_MD* const hash = hash_of(ds.digest_type);
  if (hash == nullptr || ds.tag != key.tag || ds.algorithm != key.algorithm) return false;
  if (ds.digest.size() != static_cast<std::size_t>(EVP_MD_get_size(hash))) return false;
  const wire::Name lowered = owner.lowered();
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  const Openssl<EVP_MD_CTX> context(EVP_MD_CTX_new());
  return context && EVP_DigestInit_ex(context.get(), hash, nullptr) == 1 &&
         EVP_DigestUpdate(context.get(), lowered.wire().data(), lowered.size()) == 1 &&
         EVP_DigestUpdate(context.get(), key.rdata.data(), key.rdata.size()) == 1 &&
         EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1 &&
         std::ranges::equal(ds.digest, std::span(digest).first(ds.digest.size()));
}

}  // namespace siskin::dnssec
