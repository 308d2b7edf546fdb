#include "siskin/dnssec/canonical_zone.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "dnssec/canonical_record.hpp"
#include "siskin/base/check.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::dnssec {
namespace {

using text::Ldns;
using wire::Bytes;
using wire::Name;

constexpr std::size_t kFixedSize = 10;  ///< type, class, TTL, RDLENGTH

/// The labels of a name, found from its end.
class Labels {
 public:
  explicit Labels(Bytes name) noexcept : name_(name) {
    for (std::size_t at = 0; name[at] != 0; at += 1U + name[at]) {
      starts_[count_++] = static_cast<std::uint8_t>(at);
    }
  }

  std::size_t count() const noexcept { return count_; }
  /// 0: the top-level one.
  Bytes from_end(std::size_t index) const noexcept {
    const std::size_t at = starts_[count_ - 1 - index];
    return name_.subspan(at + 1, name_[at]);
  }

 private:
  Bytes name_;
  std::array<std::uint8_t, wire::kLabelsMax + 1> starts_{};
  std::size_t count_ = 0;
};

std::strong_ordering compare(Bytes a, Bytes b) noexcept {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

/// RFC 4034 §6.1; both are in lower case.
std::strong_ordering compare_owners(Bytes a, Bytes b) noexcept {
  const Labels x(a);
  const Labels y(b);
  const std::size_t common = std::min(x.count(), y.count());
  for (std::size_t i = 0; i < common; ++i) {
    if (const auto order = compare(x.from_end(i), y.from_end(i)); order != 0) return order;
  }
  return x.count() <=> y.count();
}

/// Of equal records the one with the least TTL comes first, and is the one that stays.
std::strong_ordering compare_records(const CanonicalZone::Record& a,
                                     const CanonicalZone::Record& b) noexcept {
  if (const auto order = compare_owners(a.owner, b.owner); order != 0) return order;
  if (const auto order = a.type <=> b.type; order != 0) return order;
  if (const auto order = compare(a.rdata, b.rdata); order != 0) return order;
  return a.ttl <=> b.ttl;
}

bool is_same(const CanonicalZone::Record& a, const CanonicalZone::Record& b) noexcept {
  return a.type == b.type && std::ranges::equal(a.owner, b.owner) &&
         std::ranges::equal(a.rdata, b.rdata);
}

}  // namespace

CanonicalZone::Record CanonicalZone::operator[](std::size_t index) const noexcept {
  const Bytes rest = Bytes(octets_).subspan(starts_[index]);
  Record record;
  record.owner = rest.first(wire::name_size(rest));
  wire::Reader reader(rest, record.owner.size());
  record.type = static_cast<wire::RRType>(reader.u16());
  reader.skip(2);
  record.ttl = reader.u32();
  record.rdata = reader.bytes(reader.u16());
  record.wire = rest.first(reader.position());
  return record;
}

std::size_t CanonicalZone::lower_bound(const Name& name) const noexcept {
  const Name lowered = name.lowered();
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = std::midpoint(low, high);
    if (compare_owners((*this)[middle].owner, lowered.wire()) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Result<void> CanonicalZoneBuilder::add(const Name& owner, wire::RRType type, std::uint32_t ttl,
                                       Bytes rdata) {
  if (!owner.is_at_or_below(raw_.origin_)) return {};
  const Ldns<ldns_rr> record = canonical_record(owner, type, ttl, rdata);
  const Ldns<ldns_buffer> buffer(ldns_buffer_new(LDNS_MIN_BUFLEN));
  if (!record || ldns_rr2buffer_wire_canonical(buffer.get(), record.get(), LDNS_SECTION_ANSWER) !=
                     LDNS_STATUS_OK) {
    return Error{Errc::malformed, "bad RDATA of " + to_string(type)};
  }
  const std::size_t size = ldns_buffer_position(buffer.get());
  SISKIN_CHECK(size >= owner.size() + kFixedSize);
  SISKIN_CHECK(raw_.octets_.size() + size <= UINT32_MAX);
  raw_.starts_.push_back(static_cast<std::uint32_t>(raw_.octets_.size()));
  const std::uint8_t* begin = ldns_buffer_begin(buffer.get());
  raw_.octets_.insert(raw_.octets_.end(), begin, begin + size);
  return {};
}

CanonicalZone CanonicalZoneBuilder::finish() && {
  std::vector<std::size_t> order(raw_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [this](std::size_t a, std::size_t b) {
    return compare_records(raw_[a], raw_[b]) < 0;
  });
  const auto again = std::ranges::unique(
      order, [this](std::size_t a, std::size_t b) { return is_same(raw_[a], raw_[b]); });
  order.erase(again.begin(), again.end());

  CanonicalZone zone(raw_.origin_);
  zone.octets_.reserve(raw_.octets_.size());
  zone.starts_.reserve(order.size());
  for (const std::size_t index : order) {
    const Bytes wire = raw_[index].wire;
    zone.starts_.push_back(static_cast<std::uint32_t>(zone.octets_.size()));
    zone.octets_.insert(zone.octets_.end(), wire.begin(), wire.end());
  }
  return zone;
}

}  // namespace siskin::dnssec
