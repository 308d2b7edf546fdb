/// Replies in wire form, made of a fuzzer's octets: mostly well-formed, often to the point, never
/// to be believed.
#pragma once

#include <array>
#include <vector>

#include "resolve/samples.hpp"
#include "siskin/wire/query.hpp"

namespace siskin::resolve::fuzz {

using test::Octets;
using wire::Bytes;
using wire::Name;
using wire::RRType;

/// What a fuzzer decides; zeros when it has no more to say.
class Choices {
 public:
  explicit Choices(Bytes octets) : octets_(octets) {}

  bool is_over() const noexcept { return at_ >= octets_.size(); }
  std::uint8_t octet() noexcept { return is_over() ? 0 : octets_[at_++]; }
  bool one_in(unsigned n) noexcept { return octet() % n == n - 1; }
  template <class T, std::size_t N>
  const T& of(const std::array<T, N>& all) noexcept {
    return all[octet() % N];
  }

 private:
  Bytes octets_;
  std::size_t at_ = 0;
};

/// Makes one reply to one query.
class LyingMessage {
 public:
  LyingMessage(Choices& choices, const wire::QueryView& query, std::span<const Name> names,
               std::span<const IpAddress> addresses)
      : choices_(choices), query_(query), names_(names), addresses_(addresses) {}

  Octets make() {
    put16(choices_.one_in(32) ? query_.id + 1U : query_.id);
    put16(choices_.of(kFlags));
    const std::array<std::size_t, 3> counts{choices_.octet() % 6U, choices_.octet() % 6U,
                                            choices_.octet() % 8U};
    put16(1);
    for (const std::size_t count : counts) put16(count);
    put(query_.name);
    put16(static_cast<std::size_t>(query_.type));
    put16(1);
    for (const std::size_t count : counts) {
      for (std::size_t i = 0; i < count; ++i) put_record();
    }
    if (choices_.one_in(16)) out_[choices_.octet() * 7U % out_.size()] = choices_.octet();
    if (choices_.one_in(32)) out_.resize(out_.size() - choices_.octet() % out_.size());
    return std::move(out_);
  }

 private:
  static constexpr std::array<std::uint16_t, 10> kFlags{0x8400, 0x8000, 0x8403, 0x8400, 0x8403,
                                                        0x8480, 0x8600, 0x8405, 0x8402, 0x8406};
  /// ANY stands for the type that is asked for.
  static constexpr std::array kTypes{RRType::a,    RRType::ns,    RRType::cname, RRType::soa,
                                     RRType::aaaa, RRType::dname, RRType::mx,    RRType::txt,
                                     RRType::ds,   RRType::nsec,  RRType::nsec3, RRType::rrsig,
                                     RRType::opt,  RRType::https, RRType::any,   RRType::any,
                                     RRType::ns,   RRType::cname, RRType::any,   RRType::any};

  static constexpr std::array<std::uint32_t, 6> kTtls{300,        0,          1,
                                                      0x7fffffff, 0x80000000, 0xffffffff};

  void put(Bytes octets) { out_.insert(out_.end(), octets.begin(), octets.end()); }
  void put8(std::size_t value) { out_.push_back(static_cast<std::uint8_t>(value)); }
  void put16(std::size_t value) {
    put8(value >> 8);
    put8(value);
  }
  void put32(std::uint32_t value) {
    put16(value >> 16);
    put16(value & 0xffff);
  }

  /// The question's own name is the likeliest, as a pointer or a copy; else one of the pool, an end
  /// of the question's, or a pointer to anywhere.
  void put_name() {
    switch (choices_.octet() % 8) {
      case 0:
      case 1:
      case 2: put16(0xc00c); break;
      case 3: put(query_.name); break;
      case 4: {
        const Name name = Name::from_valid_wire(query_.name);
        put(name.suffix(choices_.octet() % (name.label_count() + 1)).wire());
        break;
      }
      case 5: put16(0xc000U | choices_.octet()); break;
      default: put(names_[choices_.octet() % names_.size()].wire());
    }
  }

  void put_record() {
    put_name();
    RRType type = choices_.of(kTypes);
    if (type == RRType::any) type = query_.type;
    put16(static_cast<std::size_t>(type));
    put16(choices_.one_in(64) ? 3 : 1);
    put32(choices_.of(kTtls));
    const std::size_t at = out_.size();
    put16(0);
    put_rdata(type);
    std::size_t size = out_.size() - at - 2;
    if (choices_.one_in(64)) size += choices_.octet();
    out_[at] = static_cast<std::uint8_t>(size >> 8);
    out_[at + 1] = static_cast<std::uint8_t>(size);
  }

  void put_rdata(RRType type) {
    switch (type) {
      case RRType::a: return put(addresses_[choices_.octet() % addresses_.size()].octets());
      case RRType::aaaa: return put_filled(16);
      case RRType::ns:
      case RRType::cname:
      case RRType::dname: return put_name();
      case RRType::mx: put16(10); return put_name();
      case RRType::soa:
        put_name();
        put_name();
        return put_filled(20);
      case RRType::txt: put8(5); return put_filled(5);
      case RRType::ds:
        put_filled(3);
        put8(2);
        return put_filled(32);
      case RRType::nsec:
        put_name();
        put8(0);
        put8(1);
        return put_filled(1);
      case RRType::nsec3:
        put_filled(4);
        put8(0);
        put8(20);
        put_filled(20);
        put8(0);
        put8(1);
        return put_filled(1);
      case RRType::rrsig:
        put16(static_cast<std::size_t>(choices_.of(kTypes)));
        put_filled(16);
        put_name();
        return put_filled(8);
      case RRType::https:
        put16(1);
        put_name();
        put16(choices_.octet() % 8);
        put16(4);
        return put_filled(4);
      default: return put_filled(choices_.octet() % 20);
    }
  }

  /// One choice for all octets: what they are hardly matters.
  void put_filled(std::size_t count) { out_.insert(out_.end(), count, choices_.octet()); }

  Choices& choices_;
  const wire::QueryView& query_;
  std::span<const Name> names_;
  std::span<const IpAddress> addresses_;
  Octets out_;
};

}  // namespace siskin::resolve::fuzz
