#include "scenarios/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <map>

#include "scenarios/lines.hpp"
#include "scenarios/subnets.hpp"
#include "siskin/dnssec/anchors.hpp"

namespace siskin::scenarios {
namespace {

/// Of the server clause: without a counterpart, and without a difference in what is compared
/// (docs/behaviour.md says what Siskin does in their place).
constexpr std::array kPassedOver{"target-fetch-policy",
                                 "trust-anchor-signaling",
                                 "val-log-level",
                                 "minimal-responses",
                                 "iter-scrub-promiscuous",
                                 "rrset-roundrobin",
                                 "log-servfail",
                                 "log-time-ascii",
                                 "verbosity",
                                 "ede",
                                 "discard-timeout",
                                 "serve-expired-ttl-reset",
                                 "ede-serve-expired",
                                 "harden-unknown-additional",
                                 "harden-algo-downgrade",
                                 "val-max-restart"};

/// A feature that an option asks for when its value is not the one given here.
struct Feature {
  const char* key;
  const char* off;  ///< null: the key alone asks for it
  const char* name;
};

constexpr std::array<Feature, 8> kMissing{{
    {"harden-referral-path", "no", "validation of the referral path"},
    {"local-data", nullptr, "local zones"},
    {"nsid", nullptr, "NSID"},
    {"answer-cookie", "no", "DNS cookies towards clients"},
    {"cookie-secret", nullptr, "DNS cookies towards clients"},
    {"dns-error-reporting", "no", "error reporting (RFC 9567)"},
    {"cache-min-negative-ttl", "0", "a lower bound of negative TTLs"},
    {"client-subnet-always-forward", "no", "client subnet for clients that tell it alone"},
}};

constexpr std::array<std::pair<const char*, const char*>, 5> kMissingSections{
    {{"forward-zone", "forward zones"},
     {"auth-zone", "local authoritative zones"},
     {"rpz", "response policy zones"},
     {"view", "views"},
     {"cachedb", "an outer cache"}}};

class SetupMaker {
 public:
  explicit SetupMaker(const Scenario& scenario) : scenario_(scenario) {}

  Setup run() {
    setup_.lacks = scenario_.lacks;
    setup_.resolve.priming = false;
    setup_.resolve.case_randomisation = false;
    setup_.resolve.cookies = false;
    setup_.cache.max_ttl = 86400;
    setup_.allowed = {Network::of(IpAddress::v4(127, 0, 0, 0), 8),
                      Network::of(IpAddress::from_text("::1").value(), 128)};
    for (const Setting& setting : scenario_.settings) take(setting);
    add_stubs();
    add_subnets();
    if (serves_stale_) {
      setup_.stale = stale_;
      setup_.cache.stale_max = stale_max_;
    }
    if (hides_version_) setup_.frontend.version.clear();
    if (hides_identity_) setup_.frontend.identity.clear();
    std::ranges::sort(setup_.lacks);
    const auto rest = std::ranges::unique(setup_.lacks);
    setup_.lacks.erase(rest.begin(), rest.end());
    return std::move(setup_);
  }

 private:
  [[noreturn]] void fail(const Setting& setting, const std::string& expected) const {
    throw ScriptError(
        fmt::format("{}:{}: {}: expected {}", scenario_.path, setting.line, setting.key, expected));
  }

  void lack(const std::string& what) { setup_.lacks.push_back(what); }

  const std::string& value(const Setting& setting) const {
    if (setting.values.empty()) fail(setting, "a value");
    return setting.values.front();
  }

  bool is_yes(const Setting& setting) const {
    const std::string& word = value(setting);
    if (word != "yes" && word != "no") fail(setting, "yes or no");
    return word == "yes";
  }

  std::uint32_t number(const Setting& setting) const {
    const std::string& word = value(setting);
    std::uint32_t number = 0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end.ec != std::errc() || end.ptr != word.data() + word.size()) fail(setting, "a number");
    return number;
  }

  IpAddress address(const Setting& setting) const {
    const std::string& word = value(setting);
    const auto found = IpAddress::from_text(word.substr(0, word.find('@')));
    if (!found) fail(setting, "an address");
    return *found;
  }

  Network network(const Setting& setting) const {
    const auto found = Network::from_text(value(setting));
    if (!found) fail(setting, "a network");
    return *found;
  }

  wire::Name name(const Setting& setting) const {
    const auto found = wire::Name::from_text(value(setting));
    if (!found) fail(setting, "a name");
    return *found;
  }

  void take(const Setting& setting) {
    for (const auto& [section, feature] : kMissingSections) {
      if (setting.section_name == section) return lack(feature);
    }
    if (setting.section_name == "stub-zone") return take_stub(setting);
    if (setting.section_name != "server") return lack("section " + setting.section_name);
    if (std::ranges::find(kPassedOver, setting.key) != kPassedOver.end()) return;
    const auto* missing = std::ranges::find(kMissing, setting.key, &Feature::key);
    if (missing != kMissing.end()) {
      if (missing->off == nullptr || value(setting) != missing->off) lack(missing->name);
      return;
    }
    if (!take_option(setting)) lack("option " + setting.key);
  }

  bool take_option(const Setting& setting) {
    return take_resolver_option(setting) || take_dnssec_option(setting) ||
           take_cache_option(setting) || take_stale_option(setting) ||
           take_frontend_option(setting) || take_subnet_option(setting);
  }

  bool take_resolver_option(const Setting& setting) {
    resolve::Options& options = setup_.resolve;
    const std::string& key = setting.key;
    if (key == "qname-minimisation") {
      options.qname_minimisation = is_yes(setting);
    } else if (key == "harden-below-nxdomain") {
      options.nxdomain_cut = is_yes(setting);
    } else if (key == "do-ip4") {
      options.ipv4 = is_yes(setting);
    } else if (key == "do-ip6") {
      options.ipv6 = is_yes(setting);
    } else if (key == "max-query-restarts") {
      options.limits.aliases = number(setting);
    } else if (key == "max-global-quota") {
      options.limits.exchanges = number(setting);
    } else if (key == "do-not-query-localhost") {
      if (!is_yes(setting)) {
        options.allow_upstream.push_back(Network::of(IpAddress::v4(127, 0, 0, 0), 8));
      }
    } else if (key == "module-config") {
      if (value(setting).find("iterator") == std::string::npos) lack("module-config");
    } else {
      return false;
    }
    return true;
  }

  bool take_dnssec_option(const Setting& setting) {
    resolve::Validation& validation = setup_.resolve.validation;
    const std::string& key = setting.key;
    if (key == "trust-anchor") {
      take_anchor(setting);
    } else if (key == "domain-insecure") {
      validation.negative_anchors.push_back(name(setting));
    } else if (key == "val-override-date") {
      setup_.date = date(setting);
    } else if (key == "fake-sha1") {
      setup_.takes_sha1_as_good = is_yes(setting);
    } else if (key == "fake-dsa") {
      setup_.takes_dsa_as_good = is_yes(setting);
    } else if (key == "aggressive-nsec") {
      validation.aggressive_nsec = is_yes(setting);
    } else if (key == "harden-dnssec-stripped") {
      if (!is_yes(setting)) lack("data without signatures where there should be some");
    } else {
      return false;
    }
    return true;
  }

  void take_anchor(const Setting& setting) {
    auto anchors = dnssec::parse_trust_anchors(value(setting) + "\n", setting.key);
    if (!anchors) fail(setting, "a DS or DNSKEY record: " + anchors.error().detail);
    auto& all = setup_.resolve.validation.anchors;
    for (dnssec::TrustAnchor& anchor : *anchors) {
      const auto same = std::ranges::find(all, anchor.zone, &dnssec::TrustAnchor::zone);
      if (same == all.end()) {
        all.push_back(std::move(anchor));
      } else {
        std::ranges::move(anchor.ds, std::back_inserter(same->ds));
        std::ranges::move(anchor.dnskey, std::back_inserter(same->dnskey));
      }
    }
    setup_.frontend.validation = true;
  }

  /// "YYYYMMDDHHMMSS", or -1: whatever signatures say, they hold.
  std::optional<std::int64_t> date(const Setting& setting) {
    const std::string& word = value(setting);
    if (word == "-1") {
      lack("signatures that hold at any time");
      return std::nullopt;
    }
    std::tm parts{};
    if (word.size() != 14 || strptime(word.c_str(), "%Y%m%d%H%M%S", &parts) == nullptr) {
      fail(setting, "a date");
    }
    return timegm(&parts);
  }

  bool take_cache_option(const Setting& setting) {
    cache::Cache::Options& options = setup_.cache;
    const std::string& key = setting.key;
    if (key == "cache-min-ttl") {
      options.min_ttl = number(setting);
    } else if (key == "cache-max-ttl") {
      options.max_ttl = number(setting);
      options.max_negative_ttl = std::min(options.max_negative_ttl, options.max_ttl);
    } else if (key == "cache-max-negative-ttl") {
      options.max_negative_ttl = number(setting);
    } else {
      return false;
    }
    return true;
  }

  bool take_stale_option(const Setting& setting) {
    const std::string& key = setting.key;
    if (key == "serve-expired") {
      serves_stale_ = is_yes(setting);
    } else if (key == "serve-expired-ttl") {
      stale_max_ = number(setting) == 0 ? kWeek : number(setting);
    } else if (key == "serve-expired-reply-ttl") {
      setup_.resolve.stale_ttl = number(setting);
    } else if (key == "serve-expired-client-timeout") {
      stale_.client_wait = std::chrono::milliseconds(number(setting));
    } else if (key == "prefetch" || key == "prefetch-key") {
      if (is_yes(setting)) setup_.frontend.renew_below = 2;
    } else {
      return false;
    }
    return true;
  }

  bool take_frontend_option(const Setting& setting) {
    serve::Frontend::Options& options = setup_.frontend;
    const std::string& key = setting.key;
    if (key == "version") {
      options.version = value(setting);
    } else if (key == "identity") {
      options.identity = value(setting);
    } else if (key == "hide-version") {
      hides_version_ = is_yes(setting);
    } else if (key == "hide-identity") {
      hides_identity_ = is_yes(setting);
    } else if (key == "access-control") {
      take_access(setting);
    } else if (key == "local-zone") {
      // "nodefault" takes a built-in zone away; there is none.
      if (setting.values.size() != 2 || setting.values[1] != "nodefault") lack("local zones");
    } else {
      return false;
    }
    return true;
  }

  bool take_subnet_option(const Setting& setting) {
    const std::string& key = setting.key;
    if (key == "send-client-subnet") {
      subnet_servers_.push_back(network(setting));
    } else if (key == "client-subnet-zone") {
      subnet_zones_.push_back(name(setting));
    } else if (key == "max-client-subnet-ipv4") {
      subnets_.ipv4_prefix = number(setting);
    } else if (key == "max-client-subnet-ipv6") {
      subnets_.ipv6_prefix = number(setting);
    } else {
      return false;
    }
    return true;
  }

  /// Servers are told of in one place by address, in the other by zone: all zones that a stub or a
  /// referral of the scenario puts at such an address.
  void add_subnets() {
    if (subnet_servers_.empty() && subnet_zones_.empty()) return;
    for (const Network& servers : subnet_servers_) {
      for (const StubZone& stub : setup_.stubs) {
        const auto is_told = [&](const IpAddress& at) { return servers.contains(at); };
        if (std::ranges::any_of(stub.addresses, is_told)) subnet_zones_.push_back(stub.name);
      }
      for (const wire::Name& zone : zones_served_at(scenario_, servers)) {
        subnet_zones_.push_back(zone);
      }
    }
    setup_.resolve.subnet_zones = policy::SubnetZones(subnet_zones_);
    subnets_.accept_from = {Network(), Network::from_text("::/0").value()};
    setup_.subnets = subnets_;
    setup_.client = public_address(setup_.client);
    const auto allowed = setup_.allowed;
    for (const Network& clients : allowed) {
      const IpAddress moved = public_address(clients.address());
      setup_.allowed.push_back(Network::of(moved, clients.prefix_length()));
    }
  }

  void take_access(const Setting& setting) {
    if (setting.values.size() != 2) fail(setting, "a network and an action");
    const std::string& action = setting.values[1];
    if (action == "allow" || action == "allow_snoop") {
      setup_.allowed.push_back(network(setting));
    } else {
      lack("access-control " + action);
    }
  }

  void take_stub(const Setting& setting) {
    StubZone& stub = stubs_[setting.section];
    if (setting.key == "name") {
      stub.name = name(setting);
    } else if (setting.key == "stub-addr") {
      stub.addresses.push_back(address(setting));
    } else if (setting.key == "stub-prime") {
      if (is_yes(setting)) lack("a stub zone that is primed");
    } else {
      lack("option " + setting.key);
    }
  }

  void add_stubs() {
    for (auto& [section, stub] : stubs_) setup_.stubs.push_back(std::move(stub));
    const auto is_root = [](const StubZone& stub) { return stub.name.is_root(); };
    if (!setup_.stubs.empty() && std::ranges::none_of(setup_.stubs, is_root)) {
      // Somebody must lead to the other stub zones.
      setup_.stubs.push_back({wire::Name(), {IpAddress::v4(192, 0, 2, 254)}});
    }
    const auto server = wire::Name::from_text("root-hint.").value();
    for (const StubZone& stub : setup_.stubs) {
      if (!stub.name.is_root()) continue;
      for (const IpAddress& at : stub.addresses) setup_.resolve.root_hints.emplace_back(server, at);
    }
  }

  const Scenario& scenario_;
  Setup setup_;
  std::map<std::size_t, StubZone> stubs_;  ///< by the number of their clause
  std::vector<Network> subnet_servers_;
  std::vector<wire::Name> subnet_zones_;
  policy::ClientSubnets::Options subnets_;
  static constexpr std::uint32_t kWeek = 604'800;
  bool serves_stale_ = false;
  Setup::Stale stale_;
  std::uint32_t stale_max_ = 86'400;
  bool hides_version_ = false;
  bool hides_identity_ = false;
};

}  // namespace

Setup make_setup(const Scenario& scenario) {
  return SetupMaker(scenario).run();
}

}  // namespace siskin::scenarios
