/// A small signed internet, and a resolver that validates what it says.
#pragma once

#include <string>
#include <string_view>

#include "sim/base_world.hpp"
#include "sim/signer.hpp"
#include "sim/sim_resolver.hpp"

namespace siskin::sim {

inline constexpr std::string_view kGood = "192.0.2.4";
inline constexpr std::string_view kPlain = "192.0.2.5";
inline constexpr std::string_view kStripped = "192.0.2.6";

/// A signed root and TLD (example.); below that good. is signed, plain. is not, and stripped.
/// should be but is not.
class SignedWorld {
 public:
  /// `more`: of the TLD.
  explicit SignedWorld(const SignOptions& options = {}, const std::string& more = {}) {
    world.add_zone(".", root_zone());
    world.add_zone("example.", sign("example.",
                                    R"(
$TTL 3600
@           NS ns.tld
ns.tld      A 192.0.2.2
www         A 192.0.2.80
alias       CNAME www.good
old         DNAME good
a.b.c       A 192.0.2.81
*.wild      TXT "w"
good        NS ns.good
ns.good     A 192.0.2.4
plain       NS ns.plain
ns.plain    A 192.0.2.5
stripped    NS ns.stripped
ns.stripped A 192.0.2.6
)" + ds_line("good.example.") + ds_line("stripped.example.") +
                                        more,
                                    options));
    world.add_zone("good.example.", sign("good.example.", R"(
$TTL 3600
@    NS ns
ns   A 192.0.2.4
www  A 192.0.2.90
www  A 192.0.2.91
out  CNAME www.plain.example.
)",
                                         options));
    world.add_zone("plain.example.", R"(
$TTL 3600
@    NS ns
ns   A 192.0.2.5
www  A 192.0.2.95
)");
    world.add_zone("stripped.example.", "$TTL 3600\n@ NS ns\nns A 192.0.2.6\nwww A 192.0.2.96\n");
    world.place_servers();
  }

  static std::string root_zone(const SignOptions& options = {}) {
    return sign(".", std::string(R"(
$TTL 86400
@             NS ns.root.
ns.root.      A  192.0.2.1
example.      NS ns.tld.example.
ns.tld.example. A 192.0.2.2
)") + ds_line("example."),
                options);
  }

  World world;
};

inline SimResolver::Settings validating() {
  SimResolver::Settings settings;
  settings.resolve.validation.anchors = {anchor_for(".")};
  return settings;
}

inline std::string verdict_of(const resolve::Outcome& outcome) {
  std::string text = to_string(outcome.rcode) + (outcome.is_secure ? " secure" : "");
  if (outcome.error) text += " EDE " + std::to_string(static_cast<unsigned>(outcome.error->code));
  if (outcome.error) text += " " + outcome.error->text;
  return text;
}

inline std::string verdict(SimResolver& resolver, std::string_view name, wire::RRType type) {
  return verdict_of(resolver.ask(name, type));
}

}  // namespace siskin::sim
