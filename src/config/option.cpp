#include "config/option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/amounts.hpp"
#include "config/words.hpp"
#include "siskin/base/check.hpp"
#include "siskin/base/date.hpp"

namespace siskin::config {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

template <class T>
constexpr bool kIsNumber = (std::integral<T> && !std::same_as<T, bool>) || std::is_enum_v<T>;

template <class Range>
std::string list_text(const Range& elements, auto text_of) {
  std::string out = "[";
  for (const auto& element : elements) {
    if (out.size() > 1) out += ", ";
    out += quote(text_of(element));
  }
  return out + "]";
}

std::string counted(const Option& option, std::string_view what) {
  const std::string_view least = option.min > 0 ? "a list of one or more " : "a list of ";
  return std::string(least) + std::string(what);
}

std::string text_expectation(const Option& option) {
  return option.min == 0 ? fmt::format("text of at most {} octets", option.max)
                         : fmt::format("text of {} to {} octets", option.min, option.max);
}

std::string word_expectation(const Option& option) {
  std::vector<std::string> choices;
  for (const std::string_view word : option.words) choices.push_back(quote(word));
  return either(choices);
}

}  // namespace

std::optional<std::size_t> find_option(std::string_view section, std::string_view key) noexcept {
  const auto found = std::ranges::find_if(
      options(), [&](const Option& o) { return o.section == section && o.key == key; });
  if (found == options().end()) return std::nullopt;
  return static_cast<std::size_t>(found - options().begin());
}

std::size_t row_of(std::string_view name) noexcept {
  const auto dot = name.find('.');
  const auto row = find_option(name.substr(0, dot), name.substr(dot + 1));
  SISKIN_CHECK(row.has_value());
  return *row;
}

std::string expectation(const Option& option) {
  switch (option.kind) {
    case Kind::boolean: return "true or false";
    case Kind::integer: {
      const std::string of = option.unit.empty() ? "" : fmt::format(" ({})", option.unit);
      return fmt::format("an integer from {} to {}{}", option.min, option.max, of);
    }
    case Kind::duration:
      return fmt::format("a duration from \"{}\" to \"{}\"",
                         duration_text(std::chrono::milliseconds(option.min)),
                         duration_text(std::chrono::milliseconds(option.max)));
    case Kind::memory:
      return fmt::format("a size from \"{}\" to \"{}\" or a part from \"1%\" to \"100%\"",
                         bytes_text(option.min), bytes_text(option.max));
    case Kind::text: return text_expectation(option);
    case Kind::path: return "the path of a readable file, or \"\"";
    case Kind::word: return word_expectation(option);
    case Kind::endpoints: return counted(option, "ADDRESS:PORT or [IPV6-ADDRESS]:PORT");
    case Kind::networks: return counted(option, "ADDRESS/PREFIX");
    case Kind::names: return counted(option, "names");
    case Kind::texts: return counted(option, "text");
    case Kind::anchors: return "a path, or a list of records as text";
    case Kind::negative_anchors: return counted(option, "names, each perhaps with \"until DATE\"");
  }
  return {};
}

std::string NegativeAnchor::to_text() const {
  return zone.to_text() + (until ? " until " + date_text(*until) : "");
}

void store(const Option& option, Value value, Config& into) {
  std::visit(
      [&]<class A>(const A& access) {
        if constexpr (std::same_as<A, std::monostate>) {
          SISKIN_CHECK(option.is_offered());
        } else {
          auto& field = access.writable(into);
          using T = std::remove_reference_t<decltype(field)>;
          if constexpr (kIsNumber<T>) {
            field = static_cast<T>(std::get<std::uint64_t>(value));
          } else {
            field = std::get<T>(std::move(value));
          }
        }
      },
      option.field);
}

Value fetch(const Option& option, const Config& from) {
  return std::visit(
      [&]<class A>(const A& access) -> Value {
        if constexpr (std::same_as<A, std::monostate>) {
          SISKIN_CHECK(option.is_offered());
          return false;
        } else {
          const auto& field = access.readable(from);
          using T = std::remove_cvref_t<decltype(field)>;
          if constexpr (kIsNumber<T>) {
            return static_cast<std::uint64_t>(field);
          } else {
            return field;
          }
        }
      },
      option.field);
}

std::string value_text(const Option& option, const Value& value) {
  return std::visit(
      Overloaded{
          [](bool b) { return std::string(b ? "true" : "false"); },
          [&](std::uint64_t n) {
            return option.kind == Kind::word ? quote(option.words[n]) : std::to_string(n);
          },
          [](Duration d) { return quote(duration_text(d)); },
          [](const MemoryLimit& m) {
            return quote(m.percent > 0 ? fmt::format("{}%", m.percent) : bytes_text(m.bytes));
          },
          [](const std::string& text) { return quote(text); },
          [&](const std::vector<std::string>& texts) {
            if (option.kind == Kind::anchors && texts.empty()) return quote("");
            return list_text(texts, [](const std::string& text) { return text; });
          },
          [](const auto& list) {
            return list_text(list, [](const auto& element) { return element.to_text(); });
          },
      },
      value);
}

}  // namespace siskin::config
