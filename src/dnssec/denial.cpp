#include "siskin/dnssec/denial.hpp"

#include <algorithm>
#include <cstring>

#include "dnssec/nsec.hpp"
#include "dnssec/nsec3.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::dnssec {

using wire::Bytes;
using wire::Name;
using wire::RRType;

/// A reply has the one kind or the other; whichever proves something counts.
struct Denial::Impl {
  explicit Impl(const Name& zone) : nsec(zone), nsec3(zone) {}

  NsecProofs nsec;
  Nsec3Proofs nsec3;
};

/// Without NSEC3 records nothing is to be hashed.
bool Denial::is_final(Proof proof) const noexcept {
  return proof != Proof::missing || impl_->nsec3.is_empty();
}

Denial::Denial(const Name& zone, const std::vector<wire::RRset>& sets)
    : impl_(std::make_unique<Impl>(zone)) {
  for (const wire::RRset& set : sets) {
    for (const Bytes rdata : set.records) {
      if (!wire::is_well_formed(set.type, rdata)) continue;
      if (set.type == RRType::nsec) impl_->nsec.add(set.owner, rdata);
      if (set.type == RRType::nsec3) impl_->nsec3.add(set.owner, rdata);
    }
  }
}

Denial::~Denial() = default;
Denial::Denial(Denial&&) noexcept = default;
Denial& Denial::operator=(Denial&&) noexcept = default;

bool Denial::is_empty() const noexcept {
  return impl_->nsec.is_empty() && impl_->nsec3.is_empty();
}

Proof Denial::no_name(const Name& name, Work& work) const {
  const Proof proof = impl_->nsec.no_name(name);
  return is_final(proof) ? proof : impl_->nsec3.no_name(name, work);
}

Proof Denial::no_data(const Name& name, RRType type, Work& work) const {
  const Proof proof = impl_->nsec.no_data(name, type);
  return is_final(proof) ? proof : impl_->nsec3.no_data(name, type, work);
}

Proof Denial::no_ds(const Name& name, Work& work) const {
  const Proof proof = impl_->nsec.no_ds(name);
  return is_final(proof) ? proof : impl_->nsec3.no_ds(name, work);
}

Proof Denial::no_closer_match(const Name& name, std::size_t labels, Work& work) const {
  const Proof proof = impl_->nsec.no_closer_match(name, labels);
  return is_final(proof) ? proof : impl_->nsec3.no_closer_match(name, labels, work);
}

int compare_canonical(const Name& a, const Name& b) noexcept {
  const std::size_t a_count = a.label_count();
  const std::size_t b_count = b.label_count();
  for (std::size_t i = 1; i <= std::min(a_count, b_count); ++i) {
    const Name a_end = a.suffix(i).lowered();
    const Name b_end = b.suffix(i).lowered();
    const Bytes x = a_end.first_label();
    const Bytes y = b_end.first_label();
    const int order = std::memcmp(x.data(), y.data(), std::min(x.size(), y.size()));
    if (order != 0) return order;
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  }
  if (a_count == b_count) return 0;
  return a_count < b_count ? -1 : 1;
}

bool has_type(Bytes bitmap, RRType type) noexcept {
  const auto number = static_cast<unsigned>(type);
  for (std::size_t at = 0; at + 2 <= bitmap.size();) {
    const unsigned window = bitmap[at];
    const std::size_t size = bitmap[at + 1];
    if (at + 2 + size > bitmap.size()) return false;
    if (window == number >> 8) {
      const std::size_t octet = (number & 0xff) / 8;
      return octet < size && (bitmap[at + 2 + octet] & 0x80 >> (number & 7)) != 0;
    }
    at += 2 + size;
  }
  return false;
}

}  // namespace siskin::dnssec
