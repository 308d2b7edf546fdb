/// The part of the internet that the fault tests share.
#pragma once

#include <string>
#include <string_view>

#include "sim/world.hpp"

namespace siskin::sim {

inline constexpr std::string_view kRoot = "192.0.2.1";
inline constexpr std::string_view kExample = "192.0.2.2";
inline constexpr std::string_view kTest = "192.0.2.3";
/// Where attackers would like the resolver to go.
inline constexpr std::string_view kEvil = "203.0.113.66";

/// A root with the TLDs example. and test., one server each; what the tests add goes in between.
inline void add_base(World& world, std::string_view example_text, std::string_view test_text = "",
                     std::string_view root_text = "") {
  world.add_zone(".", std::string(R"(
$TTL 86400
@             NS ns.root.
ns.root.      A  192.0.2.1
example.      NS ns.tld.example.
ns.tld.example. A 192.0.2.2
test.         NS ns.tld.test.
ns.tld.test.  A  192.0.2.3
)") + std::string(root_text));
  world.add_zone("example.",
                 "$TTL 3600\n@ NS ns.tld\nns.tld A 192.0.2.2\n" + std::string(example_text));
  world.add_zone("test.", "$TTL 3600\n@ NS ns.tld\nns.tld A 192.0.2.3\n" + std::string(test_text));
  world.add_server(kRoot, {"."});
  world.add_server(kExample, {"example."});
  world.add_server(kTest, {"test."});
}

}  // namespace siskin::sim
