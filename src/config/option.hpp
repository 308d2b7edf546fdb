/// The table of options: one row a key.  Parsing, checking, defaults, printing and the reference
/// page are all driven by it; a new key is a field in config.hpp and a row in option_table.cpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "siskin/config/config.hpp"

namespace siskin::config {

/// How a value is written in TOML and what Option::min and max bound.
enum class Kind : std::uint8_t {
  boolean,
  integer,           ///< the number
  duration,          ///< text "500ms", "8s", "2m"; milliseconds
  memory,            ///< text "256MiB" or "50%"; bytes
  text,              ///< octets
  path,              ///< text; the file must be readable unless it is empty; octets
  word,              ///< text out of Option::words; nothing
  endpoints,         ///< list of ADDRESS:PORT; elements
  networks,          ///< list of ADDRESS/PREFIX; elements
  names,             ///< list of domain names; elements
  texts,             ///< list of text; elements
  anchors,           ///< one text, a path, or a list of text; elements
  negative_anchors,  ///< list of domain names, each perhaps with an end; elements
};

/// A checked value on its way between text and a field; a word is its index in Option::words.
using Value = std::variant<bool, std::uint64_t, Duration, MemoryLimit, std::string,
                           std::vector<Endpoint>, std::vector<Network>, std::vector<wire::Name>,
                           std::vector<std::string>, std::vector<NegativeAnchor>>;

/// Where a value of type T lives in a Config.
template <class T>
struct FieldOf {
  T& (*writable)(Config&);
  const T& (*readable)(const Config&);
};

template <auto Section, auto Key>
constexpr auto field_of() {
  using T = std::remove_reference_t<decltype(std::declval<Config&>().*Section.*Key)>;
  return FieldOf<T>{[](Config& c) -> T& { return c.*Section.*Key; },
                    [](const Config& c) -> const T& { return c.*Section.*Key; }};
}

/// std::monostate: the feature is not there yet, and only the default is accepted.
using Field =
    std::variant<std::monostate, FieldOf<bool>, FieldOf<std::uint16_t>, FieldOf<std::uint32_t>,
                 FieldOf<Duration>, FieldOf<MemoryLimit>, FieldOf<std::string>,
                 FieldOf<std::vector<Endpoint>>, FieldOf<std::vector<Network>>,
                 FieldOf<std::vector<wire::Name>>, FieldOf<std::vector<std::string>>,
                 FieldOf<std::vector<NegativeAnchor>>, FieldOf<siskin::log::Level>,
                 FieldOf<siskin::log::Format>, FieldOf<TtlClock>>;

struct Option {
  std::string_view section;
  std::string_view key;
  Kind kind = Kind::boolean;
  Field field = {};
  std::string_view default_text;  ///< TOML, written as value_text() writes it
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::string_view unit = {};
  std::span<const std::string_view> words = {};
  std::string_view source;  ///< the RFC, or the reason for the default
  bool reloadable = false;  ///< may change in a running daemon (otherwise by restart only)
  std::string_view help;    ///< one paragraph

  bool is_offered() const noexcept { return !std::holds_alternative<std::monostate>(field); }
  std::string name() const { return std::string(section) + "." + std::string(key); }
};

struct Section {
  std::string_view name;
  std::string_view help;
};

std::span<const Section> sections() noexcept;
std::span<const Option> options() noexcept;  ///< in order of sections()
/// The row of "section.key".
std::optional<std::size_t> find_option(std::string_view section, std::string_view key) noexcept;

/// The row of a "section.key" that exists.
std::size_t row_of(std::string_view name) noexcept;

/// "an integer from 0 to 1024": completes "... expected", and is the reference page's type.
std::string expectation(const Option& option);

void store(const Option& option, Value value, Config& into);       ///< the option must be offered
Value fetch(const Option& option, const Config& from);             ///< likewise
std::string value_text(const Option& option, const Value& value);  ///< TOML

}  // namespace siskin::config
