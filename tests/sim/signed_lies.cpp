#include "sim/signed_lies.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "sim/signer.hpp"
#include "siskin/dnssec/records.hpp"
#include "siskin/wire/header.hpp"

namespace siskin::sim {

using dnssec::Rrsig;
using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

/// Signed sets as they were said, a few of each kind.
struct SignedLies::Loot {
  std::vector<RRset> denials;
  std::vector<RRset> positive;
  std::vector<RRset> expanded;

  void keep(const Reply& reply) {
    for (const RRset& set : reply.authority) {
      if (set.type == RRType::nsec || set.type == RRType::nsec3) put(denials, set);
    }
    for (const RRset& set : reply.answer) {
      if (set.signatures.empty()) continue;
      const auto signature = Rrsig::parse(*set.signatures.begin());
      if (!signature || signature->labels > dnssec::signed_labels(set.owner)) continue;
      put(dnssec::is_expanded(*signature, set.owner) ? expanded : positive, set);
    }
  }

 private:
  static void put(std::vector<RRset>& to, const RRset& set) {
    constexpr std::size_t kKeptMax = 60;
    const auto is_same = [&set](const RRset& known) {
      return known.owner == set.owner && known.type == set.type;
    };
    if (to.size() < kKeptMax && std::ranges::none_of(to, is_same)) to.push_back(set);
  }
};

namespace {

using Octets = std::vector<std::uint8_t>;
using Change = std::function<void(RRset&)>;

constexpr std::array<std::uint8_t, 4> kForged{203, 0, 113, 66};
constexpr SignOptions kPast{.inception = 1'700'000'000, .expiration = 1'710'000'000};
constexpr SignOptions kFuture{.inception = 1'889'000'000, .expiration = 1'890'000'000};

RRset forged_for(const Name& owner) {
  RRset set{owner, RRType::a, 3600, {}, {}};
  set.records.add(kForged);
  return set;
}

void each_set(Reply& reply, const Change& change) {
  for (auto* section : {&reply.answer, &reply.authority}) {
    for (RRset& set : *section) change(set);
  }
}

void each_signature(Reply& reply, const std::function<void(Octets&)>& change) {
  each_set(reply, [&change](RRset& set) {
    wire::RecordList changed;
    for (const Bytes rdata : set.signatures) {
      Octets copy(rdata.begin(), rdata.end());
      change(copy);
      changed.add(copy);
    }
    set.signatures = std::move(changed);
  });
}

void answer_with(Reply& reply, std::vector<RRset> answer) {
  reply.answer = std::move(answer);
  reply.authority.clear();
  reply.rcode = wire::Rcode::noerror;
  reply.flags |= wire::flag::aa;
}

void deny_with(Reply& reply, std::vector<RRset> proof, wire::Rcode rcode) {
  const auto is_soa = [](const RRset& set) { return set.type == RRType::soa; };
  std::erase_if(reply.authority, std::not_fn(is_soa));
  std::ranges::move(proof, std::back_inserter(reply.authority));
  reply.answer.clear();
  reply.rcode = rcode;
  reply.flags |= wire::flag::aa;
}

std::string signer_of(const RRset& set) {
  const auto signature = Rrsig::parse(*set.signatures.begin());
  return signature ? signature->signer.to_text() : ".";
}

/// Other addresses, which the zone signed at another time.
void sign_at(Reply& reply, const SignOptions& time) {
  each_set(reply, [&time](RRset& set) {
    if (set.signatures.empty()) return;
    const std::string signer = signer_of(set);
    set.signatures = {};
    if (set.type == RRType::a) set.records = forged_for(set.owner).records;
    sign_set(set, signer, time);
  });
}

bool is_denial(const RRset& set) {
  return set.type == RRType::nsec || set.type == RRType::nsec3;
}

/// A zone that has nothing to say about the name.
std::string neighbour_of(const Name& name) {
  for (const std::string zone : {"a.one.", "d.two.", "evil."}) {
    if (!name.is_at_or_below(Name::from_text(zone).value())) return zone;
  }
  return "evil.";
}

/// From its first name to the last of all names.
RRset neighbours_denial(const Name& name) {
  const std::string zone = neighbour_of(name);
  RRset set{Name::from_text("0." + zone).value(), RRType::nsec, 300, {}, {}};
  const Name next = Name::from_text("zzzz.").value();
  Octets rdata(next.wire().begin(), next.wire().end());
  constexpr std::array<std::uint8_t, 8> kRrsigAndNsec{0, 6, 0, 0, 0, 0, 0, 3};
  rdata.insert(rdata.end(), kRrsigAndNsec.begin(), kRrsigAndNsec.end());
  set.records.add(rdata);
  sign_set(set, zone);
  return set;
}

void without_signatures(Reply& reply) {
  each_set(reply, [](RRset& set) { set.signatures = {}; });
}

void spoilt_signatures(Reply& reply) {
  each_signature(reply, [](Octets& rdata) { rdata.back() ^= 1U; });
}

void fewer_labels(Reply& reply) {
  each_signature(reply, [](Octets& rdata) {
    if (rdata[3] > 0) --rdata[3];
  });
}

/// Longer than the zone said when it signed.
void longer_lives(Reply& reply) {
  each_set(reply, [](RRset& set) { set.ttl = 80'000; });
}

void other_original_ttl(Reply& reply) {
  longer_lives(reply);
  each_signature(reply, [](Octets& rdata) { rdata[5] = 1; });
}

void other_addresses(Reply& reply) {
  each_set(reply, [](RRset& set) {
    if (set.type == RRType::a) set.records = forged_for(set.owner).records;
  });
}

/// No keys, says the referral.
void no_ds(Reply& reply) {
  std::erase_if(reply.authority,
                [](const RRset& set) { return set.type == RRType::ds || is_denial(set); });
}

void other_ds(Reply& reply) {
  each_set(reply, [](RRset& set) {
    if (set.type != RRType::ds) return;
    const std::string zone = set.owner.to_text();
    set.records = {};
    set.records.add(ds_of(zone, dnskey_of(zone, {.key = 9})));
  });
}

void other_keys(const Query& query, Reply& reply) {
  if (query.type != RRType::dnskey || reply.answer.empty()) return;
  const std::string zone = query.name.to_text();
  RRset& keys = reply.answer.front();
  keys.records.add(dnskey_of(zone, {.key = 9}));
  sign_by(keys, zone, {.key = 9});
}

void half_a_proof(Reply& reply) {
  const auto first = std::ranges::find_if(reply.authority, is_denial);
  if (first != reply.authority.end()) reply.authority.erase(first);
}

void other_rcode(Reply& reply) {
  const bool is_nxdomain = reply.rcode == wire::Rcode::nxdomain;
  reply.rcode = is_nxdomain ? wire::Rcode::noerror : wire::Rcode::nxdomain;
}

void signed_by_neighbour(const Query& query, Reply& reply) {
  RRset forged = forged_for(query.name);
  sign_set(forged, neighbour_of(query.name));
  answer_with(reply, {forged});
}

/// As another name's owner, with its signatures.
void moved(std::vector<RRset> sets, const Query& query, Reply& reply) {
  std::erase_if(sets, [&query](const RRset& set) { return set.type != query.type; });
  if (sets.empty()) return;
  RRset set = sets[query.id / 2 % sets.size()];
  set.owner = query.name;
  answer_with(reply, {set});
}

}  // namespace

SignedLies::SignedLies() : loot_(std::make_shared<Loot>()) {}

Hook SignedLies::pick(SimRandom& random) const {
  using Lie = std::function<void(const Loot&, const Query&, Reply&)>;
  const auto simply = [](void (*lie)(Reply&)) {
    return [lie](const Loot&, const Query&, Reply& reply) { lie(reply); };
  };
  const std::array ways{
      Lie(simply(without_signatures)),
      Lie(simply(spoilt_signatures)),
      Lie(simply(fewer_labels)),
      Lie(simply(longer_lives)),
      Lie(simply(other_original_ttl)),
      Lie(simply(other_addresses)),
      Lie(simply(no_ds)),
      Lie(simply(other_ds)),
      Lie(simply(half_a_proof)),
      Lie(simply(other_rcode)),
      Lie([](const Loot&, const Query&, Reply& reply) { reply.authority.clear(); }),
      Lie([](const Loot&, const Query&, Reply& reply) { reply.is_silent = true; }),
      Lie([](const Loot&, const Query&, Reply& reply) { sign_at(reply, kPast); }),
      Lie([](const Loot&, const Query&, Reply& reply) { sign_at(reply, kFuture); }),
      Lie([](const Loot&, const Query& query, Reply& reply) { other_keys(query, reply); }),
      Lie([](const Loot&, const Query& query, Reply& reply) {
        answer_with(reply, {forged_for(query.name)});
      }),
      Lie([](const Loot&, const Query& query, Reply& reply) {
        reply.answer.insert(reply.answer.begin(), forged_for(query.name));
      }),
      Lie([](const Loot&, const Query&, Reply& reply) {
        if (!reply.answer.empty()) deny_with(reply, {}, wire::Rcode::nxdomain);
      }),
      Lie([](const Loot& loot, const Query&, Reply& reply) {
        deny_with(reply, loot.denials, wire::Rcode::nxdomain);
      }),
      Lie([](const Loot& loot, const Query&, Reply& reply) {
        deny_with(reply, loot.denials, wire::Rcode::noerror);
      }),
      Lie([](const Loot&, const Query& query, Reply& reply) {
        deny_with(reply, {neighbours_denial(query.name)}, wire::Rcode::nxdomain);
      }),
      Lie([](const Loot&, const Query& query, Reply& reply) { signed_by_neighbour(query, reply); }),
      Lie([](const Loot& loot, const Query& query, Reply& reply) {
        moved(loot.positive, query, reply);
      }),
      Lie([](const Loot& loot, const Query& query, Reply& reply) {
        moved(loot.expanded, query, reply);
      }),
  };
  const auto way = static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(ways.size())));
  return
      [loot = loot_, lie = ways[way], seed = random.below(1000)](const Query& query, Reply& reply) {
        loot->keep(reply);
        if ((query.id + seed) % 2 != 0) lie(*loot, query, reply);
      };
}

}  // namespace siskin::sim
