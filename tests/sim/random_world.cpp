#include "sim/random_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace siskin::sim {

using wire::Name;
using wire::RRType;

namespace {

constexpr std::size_t kGluelessDepthMax = 2;  ///< server names in zones whose server names are ...
constexpr std::size_t kAliasDepthMax = 4;
constexpr std::array kDataTypes{RRType::a, RRType::aaaa, RRType::txt, RRType::mx};

}  // namespace

/// A zone while it is being drawn.
struct RandomWorld::Plan {
  std::string origin;  ///< with the final dot
  std::size_t parent = 0;
  std::size_t glueless_depth = 0;
  std::string text;
};

/// Draws the plans, the root first.
class RandomWorld::Architect {
 public:
  explicit Architect(SimRandom& random) : random_(random) {}

  void build() {
    plans_.push_back({".", 0, 0, "$TTL 86400\n"});
    add_servers(0);
    const unsigned tlds = random_.between(2, 3);
    for (unsigned i = 1; i <= tlds; ++i) add_zone(fmt::format("t{}.", i), 0);
    tlds_ = plans_.size();
    const unsigned zones = random_.between(10, 30);
    for (unsigned i = 0; i < zones; ++i) add_child();
    for (std::size_t i = 1; i < plans_.size(); ++i) add_hosts(i);
    for (std::size_t i = 1; i < plans_.size(); ++i) add_aliases(i);
    add_alias_loop();
    add_zone_loop();
    add_orphan("unserved", "203.0.113.250");
    add_orphan("lame", first_address_);
    names_.emplace_back("nothing.");
    names_.emplace_back("a.b.nothing.");
    names_.emplace_back(".");
  }

  std::vector<Plan>& plans() { return plans_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Target {
    std::string name;
    std::size_t alias_depth;
  };

  const std::string& any_origin() { return plans_[pick_zone()].origin; }
  std::size_t pick_zone() {
    return 1 + random_.below(static_cast<std::uint32_t>(plans_.size() - 1));
  }
  std::size_t pick_tld() { return 1 + random_.below(static_cast<std::uint32_t>(tlds_ - 1)); }

  static std::string below(const std::string& label, const std::string& origin) {
    return label + "." + (origin == "." ? "" : origin);
  }

  unsigned ttl() { return random_.pick(std::array{30U, 60U, 300U, 3600U, 86400U}); }

  std::string new_ipv4() {
    ++ipv4_;
    return fmt::format("198.51.{}.{}", 100 + ipv4_ / 250, 1 + ipv4_ % 250);
  }

  /// Address records of a new host, now and then with an address that is somebody's already.
  std::string addresses(const std::string& host) {
    std::string text;
    const bool only_ipv6 = random_.chance(0.1);
    if (!only_ipv6) {
      std::string address = new_ipv4();
      if (!used_.empty() && random_.chance(0.2)) address = random_.pick(used_);
      used_.push_back(address);
      if (first_address_.empty()) first_address_ = address;
      text += fmt::format("{} A {}\n", host, address);
    }
    if (only_ipv6 || random_.chance(0.3)) {
      text += fmt::format("{} AAAA 2001:db8::{:x}\n", host, ++ipv6_);
    }
    return text;
  }

  void add_child() {
    const std::size_t parent = random_.chance(0.7) ? pick_tld() : pick_zone();
    std::string label = fmt::format("z{}", plans_.size());
    if (random_.chance(0.15)) label += ".ent";
    add_zone(below(label, plans_[parent].origin), parent);
  }

  void add_zone(const std::string& origin, std::size_t parent) {
    Plan plan{origin, parent, 0, fmt::format("$TTL {}\n", ttl())};
    if (random_.chance(0.5)) {
      plan.text += fmt::format("@ {} SOA ns host 1 7200 900 604800 {}\n", ttl(), ttl());
    }
    plans_.push_back(std::move(plan));
    add_servers(plans_.size() - 1);
    names_.push_back(origin);
  }

  void add_servers(std::size_t zone) {
    const unsigned count = random_.between(1, 3);
    for (unsigned i = 0; i < count; ++i) {
      const bool own = zone <= 3 || random_.chance(0.6);
      const std::string host = own ? own_server(zone, i) : foreign_server(zone);
      plans_[zone].text += fmt::format("@ NS {}\n", host);
      if (zone != 0) {
        plans_[plans_[zone].parent].text += fmt::format("{} NS {}\n", plans_[zone].origin, host);
      }
    }
  }

  /// A name in the zone, with glue in the parent.
  std::string own_server(std::size_t zone, unsigned number) {
    std::string host = below(fmt::format("ns{}{}", number, random_.chance(0.2) ? ".nic" : ""),
                             zone == 0 ? "servers." : plans_[zone].origin);
    const std::string records = addresses(host);
    plans_[zone].text += records;
    if (zone != 0) plans_[plans_[zone].parent].text += records;
    return host;
  }

  /// A name in an earlier zone, which the parent has no glue for unless it is its own.
  std::string foreign_server(std::size_t zone) {
    std::size_t home = 1 + random_.below(static_cast<std::uint32_t>(zone - 1));
    while (plans_[home].glueless_depth >= kGluelessDepthMax) --home;
    Plan& plan = plans_[zone];
    plan.glueless_depth = std::max(plan.glueless_depth, plans_[home].glueless_depth + 1);
    std::string host = below(fmt::format("serves{}", zone), plans_[home].origin);
    if (plans_[home].text.find("\n" + host + " ") == std::string::npos) {
      plans_[home].text += addresses(host);
    }
    return host;
  }

  void add_hosts(std::size_t zone) {
    Plan& plan = plans_[zone];
    const unsigned hosts = random_.between(1, 4);
    for (unsigned i = 0; i < hosts; ++i) {
      std::string host =
          below(fmt::format("h{}{}", i, random_.chance(0.2) ? ".x.y" : ""), plan.origin);
      add_data(plan, host);
      add_name(host, 0);
      if (host.find(".x.y.") != std::string::npos) names_.push_back(below("x.y", plan.origin));
    }
    if (random_.chance(0.2)) {
      add_data(plan, below("*.w", plan.origin));
      add_name(below("any.thing.w", plan.origin), 0);
      add_name(below("some.w", plan.origin), 0);
      names_.push_back(below("w", plan.origin));
    }
    names_.push_back(below("missing", plan.origin));
    names_.push_back(below("missing.h0", plan.origin));
  }

  void add_name(const std::string& name, std::size_t alias_depth) {
    names_.push_back(name);
    targets_.push_back({name, alias_depth});
  }

  void add_data(Plan& plan, const std::string& host) {
    if (random_.chance(0.7)) plan.text += fmt::format("{} {} A {}\n", host, ttl(), new_ipv4());
    if (random_.chance(0.3)) plan.text += fmt::format("{} A {}\n", host, new_ipv4());
    if (random_.chance(0.3)) plan.text += fmt::format("{} AAAA 2001:db8:1::{:x}\n", host, ++ipv6_);
    if (random_.chance(0.4)) plan.text += fmt::format("{} TXT \"of {}\"\n", host, plan.origin);
    if (random_.chance(0.1)) add_big_text(plan, host);
    if (random_.chance(0.2)) plan.text += fmt::format("{} MX 10 mail.{}\n", host, any_origin());
  }

  /// Too big for UDP.
  void add_big_text(Plan& plan, const std::string& host) {
    for (int i = 0; i < 20; ++i) {
      plan.text +=
          fmt::format("{} TXT \"{}\"\n", host, std::string(100, static_cast<char>('a' + i)));
    }
  }

  void add_aliases(std::size_t zone) {
    Plan& plan = plans_[zone];
    const unsigned aliases = random_.between(0, 3);
    for (unsigned i = 0; i < aliases; ++i) {
      const Target target = random_.pick(targets_);
      if (target.alias_depth >= kAliasDepthMax) continue;
      std::string name = below(fmt::format("c{}", i), plan.origin);
      if (random_.chance(0.15)) {
        plan.text += fmt::format("*.{} CNAME {}\n", name, target.name);
        name = "made.up." + name;
      } else {
        plan.text += fmt::format("{} {} CNAME {}\n", name, ttl(), target.name);
        if (random_.chance(0.2)) {
          plan.text += fmt::format("under.{} A {}\n", name, new_ipv4());
          add_name("under." + name, 0);
        }
      }
      add_name(name, target.alias_depth + 1);
    }
    if (random_.chance(0.2)) {
      const std::string owner = below("d", plan.origin);
      plan.text += fmt::format("{} DNAME {}\n", owner, any_origin());
      names_.push_back(owner);
      for (const char* label : {"h0", "h1", "x.y", "c0", "nope"}) {
        names_.push_back(std::string(label) + "." + owner);
      }
    }
    if (random_.chance(0.1)) {
      plan.text += fmt::format("dangling CNAME gone.{}\n", any_origin());
      add_name(below("dangling", plan.origin), 1);
    }
  }

  void add_alias_loop() {
    const std::size_t one = pick_zone();
    const std::size_t two = pick_zone();
    const std::string first = below("loop1", plans_[one].origin);
    const std::string second = below("loop2", plans_[two].origin);
    plans_[one].text += fmt::format("{} CNAME {}\n", first, second);
    plans_[two].text += fmt::format("{} CNAME {}\n", second, first);
    names_.push_back(first);
  }

  /// Two zones, each served by a name of the other (fault A53).
  void add_zone_loop() {
    const std::size_t parent = pick_tld();
    const std::string one = below("one", plans_[parent].origin);
    const std::string two = below("two", plans_[parent].origin);
    for (const auto& [origin, other] : {std::pair(one, two), std::pair(two, one)}) {
      plans_[parent].text += fmt::format("{} NS ns.{}\n", origin, other);
      plans_.push_back({origin, parent, 0, fmt::format("@ NS ns.{}\n", other)});
      plans_.back().text += addresses(below("ns", origin));
      names_.push_back("www." + origin);
    }
  }

  /// A delegation to a zone that nobody serves.
  void add_orphan(const std::string& label, const std::string& address) {
    Plan& parent = plans_[pick_tld()];
    const std::string origin = below(label, parent.origin);
    parent.text += fmt::format("{} NS ns.{}\nns.{} A {}\n", origin, origin, origin, address);
    names_.push_back("www." + origin);
  }

  SimRandom& random_;
  std::vector<Plan> plans_;
  std::size_t tlds_ = 0;
  unsigned ipv4_ = 0;
  unsigned ipv6_ = 0;
  std::vector<std::string> used_;
  std::string first_address_;
  std::vector<std::string> names_;
  std::vector<Target> targets_;
};

RandomWorld::RandomWorld(std::uint64_t seed, const RandomWorldOptions& options) {
  SimRandom random(seed);
  Architect architect(random);
  architect.build();
  for (const Plan& plan : architect.plans()) {
    world_.add_zone(plan.origin, plan.text);
    text_ += fmt::format("; zone {}\n{}\n", plan.origin, plan.text);
  }
  world_.place_servers();
  for (std::size_t i = 0; i < options.questions; ++i) {
    const std::string& name = random.pick(architect.names());
    RRType type = random.pick(kDataTypes);
    if (random.chance(0.1)) {
      type = random.pick(std::array{RRType::ns, RRType::soa, RRType::ds, RRType::cname});
    }
    questions_.push_back({Name::from_text(name).value(), type});
  }
  if (options.with_vices) corrupt(world_, random);
}

}  // namespace siskin::sim
