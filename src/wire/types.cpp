#include "siskin/wire/types.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace siskin::wire {
namespace {

struct TypeName {
  std::uint16_t number;
  std::string_view text;
};

/// IANA's mnemonics in the order of their numbers: every enumerator of RRType, and further types
/// that people meet in dumps.
constexpr std::array kTypeNames{
    TypeName{1, "A"},       TypeName{2, "NS"},       TypeName{3, "MD"},
    TypeName{4, "MF"},      TypeName{5, "CNAME"},    TypeName{6, "SOA"},
    TypeName{7, "MB"},      TypeName{8, "MG"},       TypeName{9, "MR"},
    TypeName{10, "NULL"},   TypeName{11, "WKS"},     TypeName{12, "PTR"},
    TypeName{13, "HINFO"},  TypeName{14, "MINFO"},   TypeName{15, "MX"},
    TypeName{16, "TXT"},    TypeName{17, "RP"},      TypeName{18, "AFSDB"},
    TypeName{19, "X25"},    TypeName{20, "ISDN"},    TypeName{21, "RT"},
    TypeName{22, "NSAP"},   TypeName{24, "SIG"},     TypeName{25, "KEY"},
    TypeName{26, "PX"},     TypeName{27, "GPOS"},    TypeName{28, "AAAA"},
    TypeName{29, "LOC"},    TypeName{30, "NXT"},     TypeName{33, "SRV"},
    TypeName{35, "NAPTR"},  TypeName{36, "KX"},      TypeName{37, "CERT"},
    TypeName{39, "DNAME"},  TypeName{41, "OPT"},     TypeName{42, "APL"},
    TypeName{43, "DS"},     TypeName{44, "SSHFP"},   TypeName{45, "IPSECKEY"},
    TypeName{46, "RRSIG"},  TypeName{47, "NSEC"},    TypeName{48, "DNSKEY"},
    TypeName{49, "DHCID"},  TypeName{50, "NSEC3"},   TypeName{51, "NSEC3PARAM"},
    TypeName{52, "TLSA"},   TypeName{53, "SMIMEA"},  TypeName{55, "HIP"},
    TypeName{59, "CDS"},    TypeName{60, "CDNSKEY"}, TypeName{61, "OPENPGPKEY"},
    TypeName{62, "CSYNC"},  TypeName{63, "ZONEMD"},  TypeName{64, "SVCB"},
    TypeName{65, "HTTPS"},  TypeName{99, "SPF"},     TypeName{104, "NID"},
    TypeName{105, "L32"},   TypeName{106, "L64"},    TypeName{107, "LP"},
    TypeName{108, "EUI48"}, TypeName{109, "EUI64"},  TypeName{249, "TKEY"},
    TypeName{250, "TSIG"},  TypeName{251, "IXFR"},   TypeName{252, "AXFR"},
    TypeName{253, "MAILB"}, TypeName{254, "MAILA"},  TypeName{255, "ANY"},
    TypeName{256, "URI"},   TypeName{257, "CAA"},    TypeName{32768, "TA"},
    TypeName{32769, "DLV"},
};
static_assert(std::ranges::is_sorted(kTypeNames, {}, &TypeName::number));

bool equal_text(std::string_view a, std::string_view b) noexcept {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

/// "TYPE" and a decimal number without sign (RFC 3597 §5).
std::optional<RRType> unknown_type_from_text(std::string_view text) noexcept {
  if (text.size() < 5 || !equal_text(text.substr(0, 4), "TYPE")) return std::nullopt;
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + 4, text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<RRType>(number);
}

}  // namespace

std::string to_string(RRType type) {
  const auto number = static_cast<std::uint16_t>(type);
  const auto* row = std::ranges::lower_bound(kTypeNames, number, {}, &TypeName::number);
  if (row != kTypeNames.end() && row->number == number) return std::string(row->text);
  return "TYPE" + std::to_string(number);
}

std::optional<RRType> rrtype_from_text(std::string_view text) {
  const auto* row = std::ranges::find_if(
      kTypeNames, [text](const TypeName& known) { return equal_text(known.text, text); });
  if (row != kTypeNames.end()) return static_cast<RRType>(row->number);
  return unknown_type_from_text(text);
}

bool is_meta(RRType type) noexcept {
  const auto number = static_cast<std::uint16_t>(type);
  return type == RRType::none || type == RRType::opt || (number >= 128 && number < 255);
}

std::string to_string(Rcode rcode) {
  switch (rcode) {
    case Rcode::noerror: return "NOERROR";
    case Rcode::formerr: return "FORMERR";
    case Rcode::servfail: return "SERVFAIL";
    case Rcode::nxdomain: return "NXDOMAIN";
    case Rcode::notimp: return "NOTIMP";
    case Rcode::refused: return "REFUSED";
    case Rcode::yxdomain: return "YXDOMAIN";
    case Rcode::notauth: return "NOTAUTH";
    case Rcode::badvers: return "BADVERS";
    case Rcode::badcookie: return "BADCOOKIE";
  }
  return "RCODE" + std::to_string(static_cast<std::uint16_t>(rcode));
}

}  // namespace siskin::wire
