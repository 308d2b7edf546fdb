/// A TOML document as plain values with their places; hides the TOML library from the rest.
#pragma once

#include <boost/system/result.hpp>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace siskin::config {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Member;

struct Node {
  enum class Type : std::uint8_t { boolean, integer, real, text, time, list, table };

  Type type = Type::table;
  Position at;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;
  std::vector<Node> elements;   ///< list
  std::vector<Member> members;  ///< table
};

struct Member {
  std::string key;
  Position at;
  Node value;
};

struct SyntaxError {
  Position at;
  std::string message;
};

/// The document's root table.  Children are kept three levels deep (section, value, element);
/// what lies deeper is never valid here and loses its content, not its type.
boost::system::result<Node, SyntaxError> parse_document(std::string_view text);

/// "an integer", "a string", for messages.
std::string_view type_name(Node::Type type) noexcept;

}  // namespace siskin::config
