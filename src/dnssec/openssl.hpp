/// OpenSSL's keys and contexts as values.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>

#include "siskin/dnssec/records.hpp"

namespace siskin::dnssec {

struct OpensslDelete {
  void operator()(EVP_PKEY* p) const noexcept { EVP_PKEY_free(p); }
  void operator()(EVP_PKEY_CTX* p) const noexcept { EVP_PKEY_CTX_free(p); }
  void operator()(EVP_MD_CTX* p) const noexcept { EVP_MD_CTX_free(p); }
  void operator()(BIGNUM* p) const noexcept { BN_free(p); }
  void operator()(OSSL_PARAM_BLD* p) const noexcept { OSSL_PARAM_BLD_free(p); }
  void operator()(OSSL_PARAM* p) const noexcept { OSSL_PARAM_free(p); }
  void operator()(ECDSA_SIG* p) const noexcept { ECDSA_SIG_free(p); }
};

template <class T>
using Openssl = std::unique_ptr<T, OpensslDelete>;

/// The key in OpenSSL's form; null when it is none: wrong size, point not on the curve, RSA of
/// under 512 or over 4096 bits or with an exponent of over 64 (fault A41: what such keys cost).
Openssl<EVP_PKEY> read_key(const Dnskey& key);

/// The hash that goes with an algorithm; null for EdDSA, which hashes by itself.
const EVP_MD* hash_of(Algorithm algorithm) noexcept;

}  // namespace siskin::dnssec
