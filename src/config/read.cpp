#include "config/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "config/addresses.hpp"
#include "config/amounts.hpp"
#include "config/file.hpp"
#include "config/words.hpp"
#include "siskin/base/date.hpp"

namespace siskin::config {
namespace {

constexpr std::size_t kElementOctets = 1024;

/// An element of a list of texts.
boost::system::result<std::string, Complaint> element_from(std::string_view text) {
  const std::string expected = fmt::format("text of 1 to {} octets", kElementOctets);
  if (has_control_character(text)) {
    return Complaint{shown(text) + " holds a control character", "text without any"};
  }
  if (text.empty()) return Complaint{"\"\" is too short", expected};
  if (text.size() > kElementOctets) return Complaint{shown(text) + " is too long", expected};
  return std::string(text);
}

/// A record of a list of trust anchors, of which more is said when it is used.
boost::system::result<std::string, Complaint> anchor_from(std::string_view text) {
  auto record = element_from(text);
  if (record && is_anchor_path(*record)) {
    return Complaint{shown(text) + " is no record", "text such as \". DS 20326 8 2 E06D...\""};
  }
  return record;
}

boost::system::result<wire::Name, Complaint> name_from(std::string_view text) {
  if (has_control_character(text)) {
    return Complaint{shown(text) + " holds a control character", "text without any"};
  }
  // A blank is legal in a name, but in a configuration something else was meant.
  const bool has_blank = text.find(' ') != std::string_view::npos;
  const auto name = wire::Name::from_text(text);
  if (!name || text.empty() || has_blank) {
    return Complaint{shown(text) + " is no domain name", "a name such as \"cdn.example.\""};
  }
  return *name;
}

/// "example." or "example. until 2026-12-31".
boost::system::result<NegativeAnchor, Complaint> negative_anchor_from(std::string_view text) {
  constexpr std::string_view kUntil = " until ";
  const std::size_t end = text.find(kUntil);
  const auto zone = name_from(text.substr(0, end));
  if (!zone) return zone.error();
  NegativeAnchor anchor{*zone, std::nullopt};
  if (end == std::string_view::npos) return anchor;
  const std::string_view date = text.substr(end + kUntil.size());
  anchor.until = date_from(date);
  if (!anchor.until) {
    return Complaint{shown(date) + " is no date", "such as 2026-12-31 or 2026-12-31T18:00:00Z"};
  }
  return anchor;
}

/// Reads one option's node; each function reports and gives nothing where the node is wrong.
class Reader {
 public:
  Reader(const Option& option, std::uint64_t machine_bytes, Report& report)
      : option_(option), machine_bytes_(machine_bytes), report_(report) {}

  std::optional<Value> read(const Node& node);

 private:
  std::optional<Value> integer(const Node& node);
  std::optional<Value> duration(const Node& node);
  std::optional<Value> memory(const Node& node);
  std::optional<Value> text(const Node& node);
  std::optional<Value> path(const Node& node);
  std::optional<Value> word(const Node& node);
  std::optional<Value> anchors(const Node& node);
  template <class T>
  std::optional<Value> list(const Node& node,
                            boost::system::result<T, Complaint> (*from)(std::string_view));
  std::optional<MemoryLimit> resolved(const Node& node, MemoryLimit limit);
  bool is_distinct(const Node& list, std::span<const Endpoint> endpoints);
  bool is_clean(const Node& node);

  std::nullopt_t refuse(const Node& node, std::string wrong, std::string expected,
                        std::string meant = {}) {
    report_.add(node.at, option_.name(),
                Complaint{std::move(wrong), std::move(expected), std::move(meant)});
    return std::nullopt;
  }

  std::nullopt_t refuse(const Node& node, std::string wrong) {
    return refuse(node, std::move(wrong), expectation(option_));
  }

  std::nullopt_t refuse_type(const Node& node, std::string expected, std::string meant = {}) {
    std::string wrong = fmt::format("{} is the wrong type", type_name(node.type));
    return refuse(node, std::move(wrong), std::move(expected), std::move(meant));
  }

  const Option& option_;
  std::uint64_t machine_bytes_;
  Report& report_;
};

std::optional<Value> Reader::read(const Node& node) {
  switch (option_.kind) {
    case Kind::boolean:
      if (node.type != Node::Type::boolean) return refuse_type(node, expectation(option_));
      return node.boolean;
    case Kind::integer: return integer(node);
    case Kind::duration: return duration(node);
    case Kind::memory: return memory(node);
    case Kind::text: return text(node);
    case Kind::path: return path(node);
    case Kind::word: return word(node);
    case Kind::endpoints: return list(node, endpoint_from);
    case Kind::networks: return list(node, network_from);
    case Kind::names: return list(node, name_from);
    case Kind::texts: return list(node, element_from);
    case Kind::anchors: return anchors(node);
    case Kind::negative_anchors: return list(node, negative_anchor_from);
  }
  return std::nullopt;
}

std::optional<Value> Reader::integer(const Node& node) {
  if (node.type != Node::Type::integer) return refuse_type(node, expectation(option_));
  if (std::cmp_less(node.integer, option_.min)) {
    return refuse(node, fmt::format("{} is too small", node.integer));
  }
  if (std::cmp_greater(node.integer, option_.max)) {
    return refuse(node, fmt::format("{} is too big", node.integer));
  }
  return static_cast<std::uint64_t>(node.integer);
}

std::optional<Value> Reader::duration(const Node& node) {
  if (node.type != Node::Type::text) {
    const bool number = node.type == Node::Type::integer && node.integer >= 0;
    return refuse_type(node, expectation(option_),
                       number ? quote(fmt::format("{}s", node.integer)) : "");
  }
  const auto duration = duration_from(node.text);
  if (!duration) return refuse(node, shown(node.text) + " is no duration");
  if (*duration < std::chrono::milliseconds(option_.min)) {
    return refuse(node, shown(node.text) + " is too short");
  }
  if (*duration > std::chrono::milliseconds(option_.max)) {
    return refuse(node, shown(node.text) + " is too long");
  }
  return *duration;
}

std::optional<Value> Reader::memory(const Node& node) {
  if (node.type != Node::Type::text) {
    const bool number = node.type == Node::Type::integer && node.integer >= 0;
    return refuse_type(node, expectation(option_),
                       number ? quote(bytes_text(static_cast<std::uint64_t>(node.integer))) : "");
  }
  const auto limit = memory_from(node.text);
  if (!limit) {
    const std::string meant = memory_meant(node.text);
    return refuse(node, shown(node.text) + " is no size", expectation(option_),
                  meant.empty() ? "" : quote(meant));
  }
  return resolved(node, *limit);
}

std::optional<MemoryLimit> Reader::resolved(const Node& node, MemoryLimit limit) {
  std::string what = shown(node.text);
  if (limit.percent > 0) {
    if (machine_bytes_ == 0) {
      return refuse(node, "the memory of this machine is unknown", "a size such as \"256MiB\"");
    }
    limit.bytes = part_of(machine_bytes_, limit.percent);
    what += fmt::format(" of {} octets", machine_bytes_);
  }
  if (limit.bytes < option_.min) return refuse(node, what + " is too small");
  if (limit.bytes > option_.max) return refuse(node, what + " is too big");
  return limit;
}

bool Reader::is_clean(const Node& node) {
  if (!has_control_character(node.text)) return true;
  refuse(node, shown(node.text) + " holds a control character", "text without any");
  return false;
}

std::optional<Value> Reader::text(const Node& node) {
  if (node.type != Node::Type::text) return refuse_type(node, expectation(option_));
  if (!is_clean(node)) return std::nullopt;
  if (node.text.size() < option_.min) return refuse(node, shown(node.text) + " is too short");
  if (node.text.size() > option_.max) return refuse(node, shown(node.text) + " is too long");
  return node.text;
}

std::optional<Value> Reader::path(const Node& node) {
  auto path = text(node);
  if (!path || node.text.empty()) return path;
  if (const auto readable = check_readable(node.text); !readable) {
    return refuse(node, fmt::format("{}: {}", shown(node.text), readable.error().detail));
  }
  return path;
}

std::optional<Value> Reader::word(const Node& node) {
  if (node.type != Node::Type::text) return refuse_type(node, expectation(option_));
  const auto found = std::ranges::find(option_.words, node.text);
  if (found != option_.words.end()) {
    return static_cast<std::uint64_t>(found - option_.words.begin());
  }
  const std::vector<std::string> words(option_.words.begin(), option_.words.end());
  const std::string meant = nearest(node.text, words);
  return refuse(node, shown(node.text) + " is not known", expectation(option_),
                meant.empty() ? "" : quote(meant));
}

std::optional<Value> Reader::anchors(const Node& node) {
  if (node.type == Node::Type::list) return list(node, anchor_from);
  if (node.type != Node::Type::text) return refuse_type(node, expectation(option_));
  if (node.text.empty()) return std::vector<std::string>{};
  if (!is_anchor_path(node.text)) {
    return refuse(node, shown(node.text) + " holds blanks", "a path without any, or a list");
  }
  const auto path = text(node);
  if (!path) return std::nullopt;
  if (const auto readable = check_readable(node.text); !readable) {
    return refuse(node, fmt::format("{}: {}", shown(node.text), readable.error().detail));
  }
  return std::vector<std::string>{node.text};
}

template <class T>
std::optional<Value> Reader::list(const Node& node,
                                  boost::system::result<T, Complaint> (*from)(std::string_view)) {
  if (node.type != Node::Type::list) {
    const bool single = node.type == Node::Type::text && !node.text.empty();
    return refuse_type(node, expectation(option_),
                       single ? fmt::format("[{}]", shown(node.text)) : "");
  }
  if (node.elements.size() < option_.min) return refuse(node, "an empty list");
  if (node.elements.size() > option_.max) {
    return refuse(node, fmt::format("a list of {}", node.elements.size()),
                  fmt::format("at most {}", option_.max));
  }
  std::vector<T> values;
  for (const Node& e : node.elements) {
    if (e.type != Node::Type::text) {
      refuse_type(e, "a string");
    } else if (auto value = from(e.text)) {
      values.push_back(*std::move(value));
    } else {
      report_.add(e.at, option_.name(), value.error());
    }
  }
  if (values.size() < node.elements.size()) return std::nullopt;
  if constexpr (std::same_as<T, Endpoint>) {
    if (!is_distinct(node, values)) return std::nullopt;
  }
  return values;
}

bool Reader::is_distinct(const Node& list, std::span<const Endpoint> endpoints) {
  bool distinct = true;
  for (std::size_t i = 1; i < endpoints.size(); ++i) {
    const auto first = std::ranges::find(endpoints.first(i), endpoints[i]);
    if (first == endpoints.first(i).end()) continue;
    const Position at = list.elements[static_cast<std::size_t>(first - endpoints.begin())].at;
    refuse(list.elements[i],
           fmt::format("{} stands on line {} already", shown(list.elements[i].text), at.line),
           "each address and port once");
    distinct = false;
  }
  return distinct;
}

}  // namespace

std::optional<Value> read_value(const Option& option, const Node& node, std::uint64_t machine_bytes,
                                Report& report) {
  return Reader(option, machine_bytes, report).read(node);
}

}  // namespace siskin::config
