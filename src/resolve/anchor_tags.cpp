#include "resolve/anchor_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace siskin::resolve {
namespace {

using wire::Name;
using wire::RRType;

constexpr std::string_view kIsTrusted = "root-key-sentinel-is-ta-";
constexpr std::string_view kIsNotTrusted = "root-key-sentinel-not-ta-";
constexpr std::size_t kTagDigits = 5;  ///< always five (RFC 8509 §2)

/// The number behind `prefix`.
std::optional<std::uint16_t> tag_behind(std::string_view prefix, std::string_view label) {
  if (label.size() != prefix.size() + kTagDigits || !label.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = label.substr(prefix.size());
  std::uint16_t tag = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), tag);
  if (end.ec != std::errc() || end.ptr != digits.data() + digits.size()) return std::nullopt;
  return tag;
}

bool is_trusted(std::uint16_t tag, const std::vector<dnssec::TrustAnchor>& anchors) {
  return std::ranges::any_of(anchors, [tag](const dnssec::TrustAnchor& anchor) {
    const auto tags = tags_of(anchor);
    return anchor.zone.is_root() && std::ranges::find(tags, tag) != tags.end();
  });
}

}  // namespace

std::vector<std::uint16_t> tags_of(const dnssec::TrustAnchor& anchor) {
  std::vector<std::uint16_t> tags;
  for (const auto& rdata : anchor.ds) {
    if (const auto ds = dnssec::Ds::parse(rdata)) tags.push_back(ds->tag);
  }
  for (const auto& rdata : anchor.dnskey) {
    if (const auto key = dnssec::Dnskey::parse(rdata)) tags.push_back(key->tag);
  }
  std::ranges::sort(tags);
  const auto rest = std::ranges::unique(tags);
  tags.erase(rest.begin(), rest.end());
  return tags;
}

std::optional<Name> signal_name(const dnssec::TrustAnchor& anchor) {
  std::string label = "_ta";
  for (const std::uint16_t tag : tags_of(anchor)) label += fmt::format("-{:04x}", tag);
  return anchor.zone.with_label(
      {reinterpret_cast<const std::uint8_t*>(label.data()), label.size()});
}

bool is_sentinel_failure(const Name& name, RRType type,
                         const std::vector<dnssec::TrustAnchor>& anchors) {
  if (type != RRType::a && type != RRType::aaaa) return false;
  const Name lowered = name.lowered();
  const wire::Bytes first = lowered.first_label();
  const std::string_view label(reinterpret_cast<const char*>(first.data()), first.size());
  if (const auto tag = tag_behind(kIsTrusted, label)) return !is_trusted(*tag, anchors);
  if (const auto tag = tag_behind(kIsNotTrusted, label)) return is_trusted(*tag, anchors);
  return false;
}

}  // namespace siskin::resolve
