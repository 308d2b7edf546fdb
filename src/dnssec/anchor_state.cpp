#include "siskin/dnssec/anchor_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "siskin/base/date.hpp"
#include "siskin/text/print.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::dnssec {
namespace {

using wire::RRType;

constexpr std::string_view kHead =
    "; State of trust anchors (RFC 5011), written by siskind.  Without this file it begins anew "
    "with\n"
    "; what the configuration trusts, keys that were revoked since included.\n";

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
}

/// The first word of `rest`, which then begins with the next.
std::string_view next_word(std::string_view& rest) {
  skip_blanks(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(word.size());
  skip_blanks(rest);
  return word;
}

Result<StoredKey> parse_line(std::string_view line) {
  const auto wrong = [](std::string words) { return Error{Errc::malformed, std::move(words)}; };
  const std::string_view state_word = next_word(line);
  const auto state = key_state_from(state_word);
  if (!state) return wrong(fmt::format("\"{}\" is no state of a key, such as valid", state_word));
  const std::string_view date_word = next_word(line);
  const auto date = date_from(date_word);
  if (!date) return wrong(fmt::format("\"{}\" is no date such as 2026-12-05T12:00:00Z", date_word));
  const auto records = text::parse_records(line);
  if (!records) {
    const std::string& detail = records.error().detail;  // "line 1: what is wrong"
    return wrong(detail.substr(detail.find(": ") + 2));
  }
  if (records->size() != 1 || records->front().type != RRType::dnskey) {
    return wrong("a DNSKEY record was expected behind the date");
  }
  const text::Record& record = records->front();
  const auto key = Dnskey::parse(record.rdata);
  if (!key || !key->may_sign() || key->is_revoked()) {
    return wrong("a zone's key was expected, without the flag REVOKE");
  }
  return StoredKey{record.owner, {record.rdata, *state, *date}};
}

bool is_silent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == ';';
}

}  // namespace

std::string print_anchor_state(std::span<const TrustPoint> points) {
  std::string text(kHead);
  for (const TrustPoint& point : points) {
    for (const TrackedKey& key : point.keys()) {
      text += fmt::format("{} {} {} DNSKEY {}\n", to_string(key.state), date_text(key.date),
                          point.zone().to_text(), text::print_rdata(RRType::dnskey, key.rdata));
    }
  }
  return text;
}

Result<std::vector<StoredKey>> parse_anchor_state(std::string_view text, std::string_view source) {
  std::vector<StoredKey> keys;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (is_silent(line)) continue;
    auto key = parse_line(line);
    const auto is_again = [&](const StoredKey& other) {
      return other.zone == key->zone && other.key.rdata == key->key.rdata;
    };
    if (key && std::ranges::any_of(keys, is_again)) {
      key = Error{Errc::malformed, "this key stands on a line before"};
    }
    if (!key) {
      return Error{Errc::malformed, fmt::format("{}:{}: {}", source, number, key.error().detail)};
    }
    keys.push_back(std::move(*key));
  }
  return keys;
}

std::vector<TrustPoint> trust_points(std::vector<TrustAnchor> configured,
                                     const std::vector<StoredKey>& keys) {
  std::vector<TrustPoint> points;
  for (TrustAnchor& anchor : configured) {
    std::vector<TrackedKey> own;
    for (const StoredKey& stored : keys) {
      if (stored.zone == anchor.zone) own.push_back(stored.key);
    }
    points.emplace_back(std::move(anchor), std::move(own));
  }
  return points;
}

std::vector<TrustAnchor> anchors_of(std::span<const TrustPoint> points) {
  std::vector<TrustAnchor> anchors;
  for (const TrustPoint& point : points) {
    TrustAnchor anchor = point.anchor();
    if (!anchor.ds.empty() || !anchor.dnskey.empty()) anchors.push_back(std::move(anchor));
  }
  return anchors;
}

}  // namespace siskin::dnssec
