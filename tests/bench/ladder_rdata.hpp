/// RDATA taken apart, one type of C++ for each type of RDATA and a variant over them all: how the
/// first layouts of the ladder keep it.  `Storage`: ladder_storage.hpp.
#pragma once

#include <array>
#include <variant>

#include "bench/ladder_storage.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::cache::bench {

using A = std::array<std::uint8_t, 4>;
using Aaaa = std::array<std::uint8_t, 16>;

/// NS, CNAME, PTR, DNAME.
template <class Storage>
struct Target {
  typename Storage::Octets name;
};

template <class Storage>
struct Txt {
  typename Storage::template List<typename Storage::Octets> strings;
};

/// Any type that has none of its own here.
template <class Storage>
struct Opaque {
  typename Storage::Octets octets;
};

template <class Storage>
struct Mx {
  std::uint16_t preference;
  typename Storage::Octets exchange;
};

template <class Storage>
struct Soa {
  typename Storage::Octets primary;
  typename Storage::Octets mailbox;
  std::array<std::uint32_t, 5> numbers;
};

template <class Storage>
struct Rrsig {
  std::uint16_t covered;
  std::uint8_t algorithm;
  std::uint8_t labels;
  std::array<std::uint32_t, 3> times;
  std::uint16_t key_tag;
  typename Storage::Octets signer;
  typename Storage::Octets signature;
};

template <class Storage>
struct Naptr {
  std::uint16_t order;
  std::uint16_t preference;
  typename Storage::Octets flags;
  typename Storage::Octets services;
  typename Storage::Octets expression;
  typename Storage::Octets replacement;
};

template <class Storage>
using Rdata = std::variant<A, Aaaa, Target<Storage>, Txt<Storage>, Opaque<Storage>,
                           typename Storage::template Large<Mx<Storage>>,
                           typename Storage::template Large<Soa<Storage>>,
                           typename Storage::template Large<Rrsig<Storage>>,
                           typename Storage::template Large<Naptr<Storage>>>;

/// Reads RDATA of one type after the other; the caller has seen that it is well-formed.
template <class Storage>
class RdataParser {
 public:
  explicit RdataParser(wire::Bytes rdata) noexcept : rdata_(rdata), in_(rdata) {}

  Rdata<Storage> parse(wire::RRType type) {
    switch (type) {
      case wire::RRType::a: return address<A>();
      case wire::RRType::aaaa: return address<Aaaa>();
      case wire::RRType::ns:
      case wire::RRType::cname:
      case wire::RRType::ptr:
      case wire::RRType::dname: return Target<Storage>{name()};
      case wire::RRType::txt: return txt();
      case wire::RRType::mx: return large(Mx<Storage>{in_.u16(), name()});
      case wire::RRType::soa: return large(Soa<Storage>{name(), name(), numbers<5>()});
      case wire::RRType::rrsig:
        return large(
            Rrsig<Storage>{in_.u16(), in_.u8(), in_.u8(), numbers<3>(), in_.u16(), name(), rest()});
      case wire::RRType::naptr:
        return large(Naptr<Storage>{in_.u16(), in_.u16(), text(), text(), text(), name()});
      default: return Opaque<Storage>{rest()};
    }
  }

 private:
  using Octets = typename Storage::Octets;

  template <class T>
  static typename Storage::template Large<T> large(T value) {
    return typename Storage::template Large<T>(std::move(value));
  }
  template <class Address>
  Address address() {
    Address made{};
    std::ranges::copy(in_.bytes(made.size()), made.begin());
    return made;
  }
  template <std::size_t Count>
  std::array<std::uint32_t, Count> numbers() {
    std::array<std::uint32_t, Count> made{};
    for (auto& number : made) number = in_.u32();
    return made;
  }
  Octets name() { return octets(wire::name_size(rdata_.subspan(in_.position()))); }
  Octets text() { return octets(in_.u8()); }
  Octets rest() { return octets(in_.remaining()); }
  Octets octets(std::size_t count) { return octets_of<Octets>(in_.bytes(count)); }
  Txt<Storage> txt() {
    std::vector<Octets> strings;
    while (in_.remaining() > 0) strings.push_back(text());
    return {{std::move_iterator(strings.begin()), std::move_iterator(strings.end())}};
  }

  wire::Bytes rdata_;
  wire::Reader in_;
};

template <class Storage>
Rdata<Storage> parse_rdata(wire::RRType type, wire::Bytes rdata) {
  return RdataParser<Storage>(rdata).parse(type);
}

/// Puts RDATA together again, names uncompressed.
class RdataWriter {
 public:
  explicit RdataWriter(wire::Writer& out) noexcept : out_(&out) {}

  void operator()(const A& address) const { out_->bytes(address); }
  void operator()(const Aaaa& address) const { out_->bytes(address); }
  template <class S>
  void operator()(const Target<S>& target) const {
    octets(target.name);
  }
  template <class S>
  void operator()(const Txt<S>& txt) const {
    for (const auto& string : txt.strings) text(string);
  }
  template <class S>
  void operator()(const Opaque<S>& opaque) const {
    octets(opaque.octets);
  }
  template <class S>
  void operator()(const Mx<S>& mx) const {
    out_->u16(mx.preference);
    octets(mx.exchange);
  }
  template <class S>
  void operator()(const Soa<S>& soa) const {
    octets(soa.primary);
    octets(soa.mailbox);
    for (const std::uint32_t number : soa.numbers) out_->u32(number);
  }
  template <class S>
  void operator()(const Rrsig<S>& rrsig) const {
    out_->u16(rrsig.covered);
    out_->u8(rrsig.algorithm);
    out_->u8(rrsig.labels);
    for (const std::uint32_t time : rrsig.times) out_->u32(time);
    out_->u16(rrsig.key_tag);
    octets(rrsig.signer);
    octets(rrsig.signature);
  }
  template <class S>
  void operator()(const Naptr<S>& naptr) const {
    out_->u16(naptr.order);
    out_->u16(naptr.preference);
    for (const auto* string : {&naptr.flags, &naptr.services, &naptr.expression}) text(*string);
    octets(naptr.replacement);
  }
  template <class T>
  void operator()(const Box<T>& boxed) const {
    (*this)(*boxed);
  }

 private:
  template <class Octets>
  void octets(const Octets& octets) const {
    out_->bytes(bytes_of(octets));
  }
  template <class Octets>
  void text(const Octets& string) const {
    out_->u8(static_cast<std::uint8_t>(string.size()));
    octets(string);
  }

  wire::Writer* out_;
};

}  // namespace siskin::cache::bench
