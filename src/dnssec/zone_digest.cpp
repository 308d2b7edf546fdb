#include <algorithm>
#include <optional>

#include "dnssec/openssl.hpp"
#include "siskin/base/check.hpp"
#include "siskin/dnssec/canonical_zone.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;
using wire::RRType;
using Record = CanonicalZone::Record;

constexpr unsigned kSchemeSimple = 1;

/// RFC 8976 §2.2.
struct Zonemd {
  std::uint32_t serial = 0;
  unsigned scheme = 0;
  unsigned hash = 0;
  Bytes digest;
};

Zonemd read_zonemd(Bytes rdata) {
  wire::Reader reader(rdata);
  Zonemd zonemd;
  zonemd.serial = reader.u32();
  zonemd.scheme = reader.u8();
  zonemd.hash = reader.u8();
  zonemd.digest = reader.bytes(reader.remaining());
  return zonemd;
}

/// The records of the apex stand first.
template <class Visitor>
void for_each_at_apex(const CanonicalZone& zone, RRType type, Visitor visit) {
  for (std::size_t i = 0; i < zone.size(); ++i) {
    const Record record = zone[i];
    if (record.owner.size() != zone.origin().size()) break;
    if (record.type == type) visit(record);
  }
}

bool is_left_out(const CanonicalZone& zone, const Record& record) {
  if (record.owner.size() != zone.origin().size()) return false;
  if (record.type == RRType::zonemd) return true;
  return record.type == RRType::rrsig && wire::covered_type(record.rdata) == RRType::zonemd;
}

/// SERIAL is the first of five numbers of four octets at the end.
std::optional<std::uint32_t> serial_of(const CanonicalZone& zone) {
  constexpr std::size_t kNumbersSize = 20;
  std::optional<std::uint32_t> serial;
  for_each_at_apex(zone, RRType::soa, [&](const Record& soa) {
    if (soa.rdata.size() < kNumbersSize) return;
    serial = wire::Reader(soa.rdata.last(kNumbersSize)).u32();
  });
  return serial;
}

std::optional<ZoneHash> supported_hash(const Zonemd& zonemd) {
  if (zonemd.scheme != kSchemeSimple) return std::nullopt;
  if (zonemd.hash == static_cast<unsigned>(ZoneHash::sha384)) return ZoneHash::sha384;
  if (zonemd.hash == static_cast<unsigned>(ZoneHash::sha512)) return ZoneHash::sha512;
  return std::nullopt;
}

Error refusal(std::string why) {
  return {Errc::malformed, std::move(why)};
}

/// Two for one scheme and hash cannot both be right, and none of them counts (RFC 8976 §4).
bool is_alone(const std::vector<Zonemd>& all, const Zonemd& zonemd) {
  return std::ranges::count_if(all, [&](const Zonemd& other) {
           return other.scheme == zonemd.scheme && other.hash == zonemd.hash;
         }) == 1;
}

Result<void> check_one(const CanonicalZone& zone, const std::vector<Zonemd>& all,
                       const Zonemd& zonemd, std::uint32_t serial) {
  const auto hash = supported_hash(zonemd);
  if (!hash) return refusal("its ZONEMD is of a scheme or hash that is not known here");
  if (!is_alone(all, zonemd)) return refusal("it has two ZONEMD of one scheme and hash");
  if (zonemd.serial != serial) {
    return refusal("its ZONEMD is of serial " + std::to_string(zonemd.serial) + ", its SOA of " +
                   std::to_string(serial));
  }
  if (!std::ranges::equal(zone_digest(zone, *hash), zonemd.digest)) {
    return refusal("its ZONEMD does not match what it holds");
  }
  return {};
}

}  // namespace

std::vector<std::uint8_t> zone_digest(const CanonicalZone& zone, ZoneHash hash) {
  const Openssl<EVP_MD_CTX> context(EVP_MD_CTX_new());
  const EVP_MD* algorithm = hash == ZoneHash::sha384 ? EVP_sha384() : EVP_sha512();
  SISKIN_CHECK(context && EVP_DigestInit_ex(context.get(), algorithm, nullptr) == 1);
  for (std::size_t i = 0; i < zone.size(); ++i) {
    const Record record = zone[i];
    if (is_left_out(zone, record)) continue;
    SISKIN_CHECK(EVP_DigestUpdate(context.get(), record.wire.data(), record.wire.size()) == 1);
  }
  std::vector<std::uint8_t> digest(static_cast<std::size_t>(EVP_MD_get_size(algorithm)));
  SISKIN_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

Result<void> check_zone_digest(const CanonicalZone& zone) {
  const auto serial = serial_of(zone);
  if (!serial) return refusal("it has no SOA");
  std::vector<Zonemd> all;
  for_each_at_apex(zone, RRType::zonemd,
                   [&](const Record& record) { all.push_back(read_zonemd(record.rdata)); });
  Result<void> verdict = refusal("it has no ZONEMD");
  bool was_checked = false;
  for (const Zonemd& zonemd : all) {
    auto one = check_one(zone, all, zonemd, *serial);
    if (one) return {};
    // What is wrong with one that is known says more than that another is unknown.
    if (!was_checked) verdict = std::move(one);
    was_checked = was_checked || supported_hash(zonemd);
  }
  return verdict;
}

}  // namespace siskin::dnssec
