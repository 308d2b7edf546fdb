/// Random signed internets whose servers lie in every way that signatures are there to show.
#include <algorithm>
#include <map>
#include <string>

#include "sim/oracle.hpp"
#include "sim/outcome_text.hpp"
#include "sim/random.hpp"
#include "sim/signed_lies.hpp"
#include "sim/signed_world.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::array kZones{"a.one.", "b.one.", "c.one.", "d.two.", "e.two.", "sub.a.one."};
constexpr std::array kHosts{"www",      "x",       "deep.er", "alias", "far",
                            "any.wild", "www.old", "no",      "ns"};
constexpr std::uint32_t kTtl = 3600;  ///< of all there is
constexpr std::array kTypes{RRType::a, RRType::aaaa, RRType::txt, RRType::mx};

/// Each zone has an honest server, dead or alive, and one that lies half of the time.
class LyingInternet {
 public:
  LyingInternet(std::uint64_t seed, bool has_honest_servers) : random_(seed) {
    std::map<std::string, std::string> texts;
    for (const std::string zone : kZones) {
      texts[zone] = text_of(zone);
      add_cut(texts, zone.substr(zone.find('.') + 1), zone);
    }
    for (const std::string tld : {"one.", "two."}) {
      texts[tld] += "@ 3600 NS h." + tld + "\n@ 3600 NS l." + tld + "\n" + addresses(tld, "");
      add_cut(texts, ".", tld);
    }
    texts["."] += "@ 3600 NS h.root.\n@ 3600 NS l.root.\n" + addresses(".", ".root");
    for (const auto& [zone, text] : texts) {
      world.add_zone(zone, is_signed(zone) ? sign(zone, text, options_[zone]) : text);
    }
    world.place_servers();
    for (const auto& [zone, text] : texts) {
      world.server(address(zone, 200)).vices.hooks.push_back(lies_.pick(random_));
      world.server(address(zone, 100)).vices.is_dead = !has_honest_servers;
    }
  }

  World world;

 private:
  /// Root and TLDs always, so that there are chains to break.
  bool is_signed(const std::string& zone) {
    if (!options_.contains(zone)) {
      SignOptions options;
      options.nsec3 = random_.below(2) == 0;
      options.opt_out = options.nsec3 && random_.below(2) == 0;
      options.iterations = static_cast<std::uint16_t>(random_.below(3));
      options_[zone] = options;
      signed_[zone] = zone.find('.') + 1 >= zone.size() || random_.below(4) != 0;
    }
    return signed_[zone];
  }

  std::string address(const std::string& zone, unsigned base) {
    const auto [at, is_new] = numbers_.try_emplace(zone, numbers_.size());
    return "198.18." + std::to_string(base) + "." + std::to_string(at->second + 1);
  }

  std::string addresses(const std::string& zone, const std::string& below) {
    const std::string rest = below.empty() ? "." + zone : below + ".";
    return "h" + rest + " 3600 A " + address(zone, 100) + "\nl" + rest + " 3600 A " +
           address(zone, 200) + "\n";
  }

  void add_cut(std::map<std::string, std::string>& texts, const std::string& parent,
               const std::string& zone) {
    texts[parent] += zone + " 3600 NS h." + zone + "\n" + zone + " 3600 NS l." + zone + "\n" +
                     addresses(zone, "");
    if (is_signed(zone)) texts[parent] += ds_line(zone);
  }

  std::string text_of(const std::string& zone) {
    std::string text = "@ 3600 NS h\n@ 3600 NS l\nwww 3600 A 192.0.2.1\nwww 3600 TXT \"t\"\n";
    text += addresses(zone, "");
    if (random_.below(2) == 0) text += "x 3600 MX 5 www\n";
    if (random_.below(2) == 0) text += "deep.er 3600 A 192.0.2.2\n";
    if (random_.below(2) == 0) text += "alias 3600 CNAME www\n";
    if (random_.below(2) == 0)
      text += "far 3600 CNAME www." + std::string(kZones[random_.below(5)]) + "\n";
    if (random_.below(2) == 0) text += "*.wild 3600 TXT \"w\"\n*.wild 3600 A 192.0.2.3\n";
    if (random_.below(2) == 0)
      text += "old 3600 DNAME " + std::string(kZones[random_.below(5)]) + "\n";
    return text;
  }

  SimRandom random_;
  SignedLies lies_;
  std::map<std::string, SignOptions> options_;
  std::map<std::string, bool> signed_;
  std::map<std::string, std::size_t> numbers_;

 public:
  bool is_secure(const Name& zone) const {
    for (Name at = zone;; at = at.parent()) {
      const auto known = signed_.find(at.to_text());
      if (known != signed_.end() && !known->second) return false;
      if (at.is_root()) return true;
    }
  }

  /// Where unsigned zones may hide, absence is as insecure as what they would say.
  bool is_opt_out(const std::string& zone) const { return options_.at(zone).opt_out; }
};

resolve::Outcome without_proofs(resolve::Outcome outcome) {
  std::erase_if(outcome.authority, [](const RRset& set) { return set.type != RRType::soa; });
  return outcome;
}

/// Of what an answer holds from signed zones, the first that their data does not have, or not for
/// so long.  An alias from an unsigned zone may lead anywhere, but what it leads to is judged for
/// itself.
std::string forged_part(const LyingInternet& internet, const Oracle& oracle,
                        const resolve::Outcome& outcome) {
  for (const RRset& set : outcome.answer) {
    if (!internet.is_secure(set.owner)) continue;
    const auto expected = oracle.expect(set.owner, set.type).answer;
    const auto is_same = [&set](const RRset& other) {
      return other.owner == set.owner && other.type == set.type && other.records == set.records;
    };
    if (std::ranges::none_of(expected, is_same) || set.ttl > kTtl) {
      return set.owner.to_text() + " " + to_string(set.type);
    }
  }
  return "";
}

TEST_CASE("sim/signed_random: whatever servers say, signed zones yield the truth or nothing",
          "[sim]") {
  const bool has_honest_servers = GENERATE(true, false);
  CAPTURE(has_honest_servers);
  std::size_t secure = 0;
  std::size_t failed = 0;
  std::size_t asked = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    LyingInternet internet(seed, has_honest_servers);
    const Oracle oracle(internet.world);
    auto settings = validating();
    settings.seed = seed;
    SimResolver resolver(internet.world, settings);
    for (const std::string zone : kZones) {
      // Of unsigned zones anything can be said, and an alias may lead there.
      for (const std::string host : kHosts) {
        const auto name = Name::from_text(host + "." + zone).value();
        for (const RRType type : kTypes) {
          const auto outcome = resolver.ask({name, type});
          ++asked;
          if (outcome.rcode == wire::Rcode::servfail) ++failed;
          if (outcome.is_secure) ++secure;
          {
            CAPTURE(seed, name.to_text(), to_string(type), to_text(outcome));
            CHECK(forged_part(internet, oracle, outcome) == "");
          }
          if (!outcome.is_secure && !internet.is_secure(Name::from_text(zone).value())) continue;
          if (!outcome.is_secure && !outcome.answer.empty()) continue;  // it led elsewhere
          if (!outcome.is_secure && internet.is_opt_out(zone)) continue;
          CAPTURE(seed, name.to_text(), to_string(type), to_text(outcome));
          CHECK(Oracle::disagreement(oracle.expect(name, type), without_proofs(outcome), true) ==
                "");
        }
      }
    }
  }
  CAPTURE(asked, secure, failed);
  if (has_honest_servers) {
    CHECK(secure > asked / 2);
    CHECK(failed == 0);
  } else {
    CHECK(secure > asked / 20);
    CHECK(failed > asked / 10);
  }
}

}  // namespace
}  // namespace siskin::sim
