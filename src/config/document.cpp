#include "config/document.hpp"

#include "config/prescan.hpp"
#include "config/words.hpp"

// The only file that sees the TOML library.  Its nesting bound and prescan() together keep its
// recursion shallow.  Its assertions are wrong for broken input ("[=", toml++ pull request 301),
// and with NDEBUG it even makes them promises to the compiler; without both, the checks behind them
// report an error as they should.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#define TOML_ASSERT(expression) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace siskin::config {
namespace {

constexpr unsigned kDepth = 3;  // section, value, element of a list

Position position_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

Node::Type type_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::boolean: return Node::Type::boolean;
    case toml::node_type::integer: return Node::Type::integer;
    case toml::node_type::floating_point: return Node::Type::real;
    case toml::node_type::string: return Node::Type::text;
    case toml::node_type::array: return Node::Type::list;
    case toml::node_type::table: return Node::Type::table;
    default: return Node::Type::time;
  }
}

Node convert(const toml::node& from, unsigned depth) {
  Node node;
  node.type = type_of(from);
  node.at = position_of(from.source());
  if (const auto* boolean = from.as_boolean()) node.boolean = boolean->get();
  if (const auto* integer = from.as_integer()) node.integer = integer->get();
  if (const auto* text = from.as_string()) node.text = text->get();
  if (depth == 0) return node;
  if (const auto* list = from.as_array()) {
    for (const toml::node& element : *list) node.elements.push_back(convert(element, depth - 1));
  }
  if (const auto* table = from.as_table()) {
    for (const auto& [key, value] : *table) {
      node.members.push_back(
          {std::string(key.str()), position_of(key.source()), convert(value, depth - 1)});
    }
  }
  return node;
}

}  // namespace

boost::system::result<Node, SyntaxError> parse_document(std::string_view text) {
  if (auto refused = prescan(text)) return *std::move(refused);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return SyntaxError{position_of(error.source()), "TOML: " + printable(error.description())};
  }
  return convert(parsed.table(), kDepth);
}

std::string_view type_name(Node::Type type) noexcept {
  switch (type) {
    case Node::Type::boolean: return "a boolean";
    case Node::Type::integer: return "an integer";
    case Node::Type::real: return "a float";
    case Node::Type::text: return "a string";
    case Node::Type::time: return "a date or time";
    case Node::Type::list: return "an array";
    case Node::Type::table: return "a table";
  }
  return "a value";
}

}  // namespace siskin::config
