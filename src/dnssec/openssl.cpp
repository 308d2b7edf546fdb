#include "dnssec/openssl.hpp"

#include <array>
#include <vector>

#include "siskin/wire/cursor.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;

constexpr int kRsaBitsMin = 512;
constexpr int kRsaBitsMax = 4096;
constexpr int kRsaExponentBitsMax = 64;

Openssl<BIGNUM> number(Bytes octets) {
  return Openssl<BIGNUM>(BN_bin2bn(octets.data(), static_cast<int>(octets.size()), nullptr));
}

Openssl<EVP_PKEY> from_parameters(const char* kind, OSSL_PARAM_BLD* builder) {
  const Openssl<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder));
  const Openssl<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  return Openssl<EVP_PKEY>(key);
}

/// RFC 3110 §2: size of the exponent in one octet, or 0 and two; exponent; modulus.
Openssl<EVP_PKEY> read_rsa(Bytes key) {
  wire::Reader reader(key);
  std::size_t exponent_size = reader.u8();
  if (exponent_size == 0) exponent_size = reader.u16();
  const Bytes exponent_octets = reader.bytes(exponent_size);
  const Bytes modulus_octets = reader.bytes(reader.remaining());
  if (reader.failed() || exponent_octets.empty() || modulus_octets.empty()) return nullptr;
  if (modulus_octets.size() > kRsaBitsMax / 8 + 1) return nullptr;
  const Openssl<BIGNUM> exponent = number(exponent_octets);
  const Openssl<BIGNUM> modulus = number(modulus_octets);
  if (!exponent || !modulus) return nullptr;
  const int bits = BN_num_bits(modulus.get());
  if (bits < kRsaBitsMin || bits > kRsaBitsMax) return nullptr;
  if (BN_num_bits(exponent.get()) > kRsaExponentBitsMax || BN_is_odd(exponent.get()) == 0 ||
      BN_is_one(exponent.get()) == 1) {
    return nullptr;
  }
  const Openssl<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
    return nullptr;
  }
  return from_parameters("RSA", builder.get());
}

/// RFC 6605 §4: x and y.  OpenSSL checks that the point is on the curve.
Openssl<EVP_PKEY> read_ec(Bytes key, const char* curve, std::size_t size) {
  if (key.size() != 2 * size) return nullptr;
  std::vector<std::uint8_t> point{POINT_CONVERSION_UNCOMPRESSED};
  point.insert(point.end(), key.begin(), key.end());
  const Openssl<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return nullptr;
  }
  return from_parameters("EC", builder.get());
}

Openssl<EVP_PKEY> read_ed(Bytes key, int kind) {
  return Openssl<EVP_PKEY>(EVP_PKEY_new_raw_public_key(kind, nullptr, key.data(), key.size()));
}

}  // namespace

Openssl<EVP_PKEY> read_key(const Dnskey& key) {
  switch (key.algorithm) {
    case Algorithm::rsasha1:
    case Algorithm::rsasha1_nsec3:
    case Algorithm::rsasha256:
    case Algorithm::rsasha512: return read_rsa(key.key);
    case Algorithm::ecdsa_p256: return read_ec(key.key, "P-256", 32);
    case Algorithm::ecdsa_p384: return read_ec(key.key, "P-384", 48);
    case Algorithm::ed25519: return read_ed(key.key, EVP_PKEY_ED25519);
    case Algorithm::ed448: return read_ed(key.key, EVP_PKEY_ED448);
  }
  return nullptr;
}

const EVP_MD* hash_of(Algorithm algorithm) noexcept {
  switch (algorithm) {
    case Algorithm::rsasha1:
    case Algorithm::rsasha1_nsec3: return EVP_sha1();
    case Algorithm::rsasha256:
    case Algorithm::ecdsa_p256: return EVP_sha256();
    case Algorithm::ecdsa_p384: return EVP_sha384();
    case Algorithm::rsasha512: return EVP_sha512();
    case Algorithm::ed25519:
    case Algorithm::ed448: break;
  }
  return nullptr;
}

}  // namespace siskin::dnssec
