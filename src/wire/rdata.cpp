#include "siskin/wire/rdata.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "siskin/wire/cursor.hpp"
#include "wire/svcb.hpp"

namespace siskin::wire {
namespace {

/// The fields of one type, one letter each, in order:
///   1 2 4 6 8  that many octets          a A  an IPv4, IPv6 address
///   n          an uncompressed name      s    a character-string
///   S          one or more character-strings up to the end
///   b B        any octets to the end; B: at least one
///   l h        octets behind a length octet; h: at least one
///   t          a tag of letters and digits behind a length octet (RFC 8659 §4.1)
///   m M        a type bitmap to the end (RFC 4034 §4.1.2); M: at least one window
///   p          service parameters to the end (RFC 9460 §2.2)
struct Layout {
  RRType type;
  std::string_view fields;
};

constexpr RRType number(std::uint16_t type) noexcept {
  return static_cast<RRType>(type);
}

/// In the order of the types' numbers.
constexpr std::array kLayouts{
    Layout{RRType::a, "a"},           Layout{RRType::ns, "n"},
    Layout{RRType::md, "n"},          Layout{RRType::mf, "n"},
    Layout{RRType::cname, "n"},       Layout{RRType::soa, "nn44444"},
    Layout{RRType::mb, "n"},          Layout{RRType::mg, "n"},
    Layout{RRType::mr, "n"},          Layout{RRType::wks, "a1b"},
    Layout{RRType::ptr, "n"},         Layout{RRType::hinfo, "ss"},
    Layout{RRType::minfo, "nn"},      Layout{RRType::mx, "2n"},
    Layout{RRType::txt, "S"},         Layout{RRType::rp, "nn"},
    Layout{RRType::afsdb, "2n"},      Layout{number(19), "s"},  // X25
    Layout{number(21), "2n"},                                   // RT
    Layout{RRType::sig, "2114442nB"}, Layout{RRType::key, "211b"},
    Layout{RRType::px, "2nn"},        Layout{RRType::aaaa, "A"},
    Layout{RRType::srv, "222n"},      Layout{RRType::naptr, "22sssn"},
    Layout{RRType::kx, "2n"},         Layout{number(37), "221B"},  // CERT
    Layout{RRType::dname, "n"},       Layout{RRType::ds, "211B"},
    Layout{RRType::sshfp, "11B"},     Layout{RRType::rrsig, "2114442nB"},
    Layout{RRType::nsec, "nM"},       Layout{RRType::dnskey, "211B"},
    Layout{RRType::nsec3, "112lhm"},  Layout{RRType::nsec3param, "112l"},
    Layout{RRType::tlsa, "111B"},     Layout{number(53), "111B"},  // SMIMEA
    Layout{RRType::cds, "211B"},      Layout{RRType::cdnskey, "211B"},
    Layout{number(62), "42m"},  // CSYNC
    Layout{RRType::zonemd, "411B"},   Layout{RRType::svcb, "2np"},
    Layout{RRType::https, "2np"},     Layout{number(99), "S"},  // SPF
    Layout{number(104), "28"},                                  // NID
    Layout{number(105), "2a"},                                  // L32
    Layout{number(106), "28"},                                  // L64
    Layout{number(107), "2n"},                                  // LP
    Layout{number(108), "6"},                                   // EUI48
    Layout{number(109), "8"},                                   // EUI64
    Layout{number(256), "22B"},                                 // URI
    Layout{RRType::caa, "1tb"},
};
static_assert(std::ranges::is_sorted(kLayouts, {}, &Layout::type));

void skip_uncompressed_name(Reader& reader, Bytes rdata) noexcept {
  const std::size_t size = name_size(rdata.subspan(reader.position()));
  if (size == 0) return reader.fail();
  reader.skip(size);
}

void skip_strings(Reader& reader) noexcept {
  do {
    reader.skip(reader.u8());
  } while (reader.remaining() > 0);
}

/// Windows with rising numbers and 1 to 32 octets each.
void skip_type_bitmap(Reader& reader) noexcept {
  int last = -1;
  while (reader.remaining() > 0) {
    const int window = reader.u8();
    const std::uint8_t size = reader.u8();
    if (window <= last || size == 0 || size > 32) return reader.fail();
    last = window;
    reader.skip(size);
  }
}

void skip_tag(Reader& reader) noexcept {
  const Bytes tag = reader.bytes(reader.u8());
  const auto is_letter_or_digit = [](std::uint8_t octet) {
    const std::uint8_t lower = to_lower(octet);
    return (lower >= 'a' && lower <= 'z') || (octet >= '0' && octet <= '9');
  };
  if (tag.empty() || !std::ranges::all_of(tag, is_letter_or_digit)) reader.fail();
}

void skip_at_least_one(Reader& reader, std::size_t size) noexcept {
  if (size == 0) return reader.fail();
  reader.skip(size);
}

void skip_field(char field, Reader& reader, Bytes rdata) noexcept {
  switch (field) {
    case 'a': return reader.skip(4);
    case 'A': return reader.skip(16);
    case 'n': return skip_uncompressed_name(reader, rdata);
    case 's':
    case 'l': return reader.skip(reader.u8());
    case 'h': return skip_at_least_one(reader, reader.u8());
    case 'S': return skip_strings(reader);
    case 'b': return reader.skip(reader.remaining());
    case 'B': return skip_at_least_one(reader, reader.remaining());
    case 't': return skip_tag(reader);
    case 'M':
      if (reader.remaining() == 0) return reader.fail();
      return skip_type_bitmap(reader);
    case 'm': return skip_type_bitmap(reader);
    case 'p': return skip_service_parameters(reader);
    default: return reader.skip(static_cast<std::size_t>(field - '0'));
  }
}

}  // namespace

CompressibleLayout compressible_layout(RRType type) noexcept {
  switch (type) {
    case RRType::ns:
    case RRType::md:
    case RRType::mf:
    case RRType::cname:
    case RRType::mb:
    case RRType::mg:
    case RRType::mr:
    case RRType::ptr: return {0, 1};
    case RRType::soa:
    case RRType::minfo: return {0, 2};
    case RRType::mx: return {2, 1};
    default: return {};
  }
}

bool is_well_formed(RRType type, Bytes rdata) noexcept {
  const auto* layout = std::ranges::lower_bound(kLayouts, type, {}, &Layout::type);
  if (layout == kLayouts.end() || layout->type != type) return true;
  Reader reader(rdata);
  for (const char field : layout->fields) {
    if (reader.failed()) return false;
    skip_field(field, reader, rdata);
  }
  return !reader.failed() && reader.remaining() == 0;
}

std::optional<Name> target_of(Bytes rdata) noexcept {
  if (rdata.empty() || name_size(rdata) != rdata.size()) return std::nullopt;
  return Name::from_valid_wire(rdata);
}

std::optional<IpAddress> address_of(RRType type, Bytes rdata) noexcept {
  if (type == RRType::a && rdata.size() == 4) return IpAddress::v4(rdata.first<4>());
  if (type == RRType::aaaa && rdata.size() == 16) return IpAddress::v6(rdata.first<16>());
  return std::nullopt;
}

std::optional<std::uint32_t> soa_minimum(Bytes rdata) noexcept {
  if (!is_well_formed(RRType::soa, rdata)) return std::nullopt;
  return Reader(rdata.last(4)).u32();
}

std::optional<RRType> covered_type(Bytes rrsig_rdata) noexcept {
  if (!is_well_formed(RRType::rrsig, rrsig_rdata)) return std::nullopt;
  return static_cast<RRType>(Reader(rrsig_rdata).u16());
}

}  // namespace siskin::wire
