#include "siskin/dnssec/denial.hpp"

#include <algorithm>

#include "dnssec/nsec3.hpp"
#include "dnssec/signed_zone.hpp"
#include "support/catch.hpp"

namespace siskin::dnssec::test {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

const Work::Limits kPlenty{1000, 100'000};

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

std::string text_of(Proof proof) {
  switch (proof) {
    case Proof::missing: return "missing";
    case Proof::proved: return "proved";
    case Proof::opt_out: return "opt-out";
    case Proof::insecure: return "insecure";
  }
  return "?";
}

/// What all denial records of a zone together prove.
struct Chain {
  explicit Chain(int algorithm) : zone(algorithm) {
    for (const RRset& set : zone.sets) {
      if (set.type == RRType::nsec || set.type == RRType::nsec3) records.push_back(set);
    }
  }

  Denial denial() const { return Denial(name("example."), records); }
  std::string no_name(std::string_view of) const {
    Work work(kPlenty);
    return text_of(denial().no_name(name(of), work));
  }
  std::string no_data(std::string_view of, RRType type) const {
    Work work(kPlenty);
    return text_of(denial().no_data(name(of), type, work));
  }
  std::string no_ds(std::string_view of) const {
    Work work(kPlenty);
    return text_of(denial().no_ds(name(of), work));
  }
  std::string no_closer_match(std::string_view of, std::size_t labels) const {
    Work work(kPlenty);
    return text_of(denial().no_closer_match(name(of), labels, work));
  }

  SignedZone zone;
  std::vector<RRset> records;
};

TEST_CASE("dnssec/denial: names that are not there, and those that are", "[dnssec]") {
  for (const int algorithm : {13, 15}) {
    CAPTURE(algorithm);
    const Chain chain(algorithm);
    for (const auto* of :
         {"a.example.", "zzz.example.", "x.mail.example.", "b.deep.example.", "0.terminal.example.",
          "x.deep.empty.non.terminal.example.", "\\000.example.", "MAIL1.example.", "x.example."}) {
      CAPTURE(of);
      CHECK(chain.no_name(of) == "proved");
    }
    for (const auto* of :
         {"example.", "mail.example.", "terminal.example.", "non.terminal.example.", "www.example.",
          "wild.example.", "x.wild.example.", "*.wild.example.", "secure.example.",
          "insecure.example.", "old.example.", "target.example.", "elsewhere.", "."}) {
      CAPTURE(of);
      CHECK(chain.no_name(of) == "missing");
    }
  }
}

TEST_CASE("dnssec/denial: nothing is said of what is below a cut or a DNAME (fault A33)",
          "[dnssec]") {
  for (const int algorithm : {13, 15, 16}) {
    CAPTURE(algorithm);
    const Chain chain(algorithm);
    for (const auto* of : {"x.secure.example.", "a.b.secure.example.", "x.old.example."}) {
      CAPTURE(of);
      CHECK(chain.no_name(of) == "missing");
      CHECK(chain.no_data(of, RRType::a) == "missing");
      CHECK(chain.no_ds(of) == "missing");
    }
    CHECK(chain.no_data("secure.example.", RRType::a) == "missing");
    CHECK(chain.no_data("secure.example.", RRType::txt) == "missing");
    // The zone's own apex has no DS, which only its parent can tell (fault B93).
    CHECK(chain.no_data("example.", RRType::ds) == "missing");
    CHECK(chain.no_ds("example.") == "missing");
  }
}

TEST_CASE("dnssec/denial: types that are not there, and those that are", "[dnssec]") {
  for (const int algorithm : {13, 15, 16}) {
    CAPTURE(algorithm);
    const Chain chain(algorithm);
    CHECK(chain.no_data("mail.example.", RRType::aaaa) == "proved");
    CHECK(chain.no_data("mail.example.", RRType::ds) == "proved");
    CHECK(chain.no_data("mail.example.", RRType::a) == "missing");
    CHECK(chain.no_data("example.", RRType::a) == "proved");
    CHECK(chain.no_data("example.", RRType::soa) == "missing");
    CHECK(chain.no_data("example.", RRType::caa) == "missing");    // in the second window
    CHECK(chain.no_data("www.example.", RRType::a) == "missing");  // there is a CNAME
    CHECK(chain.no_data("odd.example.", static_cast<RRType>(65280)) == "missing");
    CHECK(chain.no_data("odd.example.", static_cast<RRType>(65281)) == "proved");
    CHECK(chain.no_data("terminal.example.", RRType::a) == "proved");  // empty non-terminals
    CHECK(chain.no_data("non.terminal.example.", RRType::txt) == "proved");
    CHECK(chain.no_data("wild.example.", RRType::a) == "proved");
    if (algorithm == 16) continue;
    CHECK(chain.no_data("x.y.wild.example.", RRType::a) == "proved");  // by the wildcard
    CHECK(chain.no_data("x.wild.example.", RRType::mx) == "missing");
    CHECK(chain.no_data("a.example.", RRType::a) == "missing");  // no such name, no wildcard
  }
}

TEST_CASE("dnssec/denial: delegations with and without DS", "[dnssec]") {
  for (const int algorithm : {13, 15}) {
    CAPTURE(algorithm);
    const Chain chain(algorithm);
    CHECK(chain.no_ds("insecure.example.") == "proved");
    CHECK(chain.no_ds("secure.example.") == "missing");
    CHECK(chain.no_ds("mail.example.") == "missing");  // no delegation at all
    CHECK(chain.no_ds("nothing.example.") == "missing");
    CHECK(chain.no_data("insecure.example.", RRType::ds) == "proved");
  }
  const Chain opt_out(16);
  CHECK(opt_out.no_ds("insecure.example.") == "opt-out");
  CHECK(opt_out.no_ds("nothing.example.") == "opt-out");
  CHECK(opt_out.no_ds("secure.example.") == "missing");
  CHECK(opt_out.no_ds("mail.example.") == "missing");
  CHECK(opt_out.no_name("a.example.") == "opt-out");  // fault B91: not to be called secure
  CHECK(opt_out.no_data("insecure.example.", RRType::ds) == "opt-out");
  CHECK(opt_out.no_data("x.wild.example.", RRType::a) == "opt-out");
}

TEST_CASE("dnssec/denial: what a wildcard was expanded to has nothing nearer", "[dnssec]") {
  for (const int algorithm : {13, 15}) {
    CAPTURE(algorithm);
    const Chain chain(algorithm);
    CHECK(chain.no_closer_match("x.wild.example.", 2) == "proved");
    CHECK(chain.no_closer_match("a.b.c.wild.example.", 2) == "proved");
    CHECK(chain.no_closer_match("mail.example.", 1) == "missing");
    CHECK(chain.no_closer_match("x.non.terminal.example.", 1) == "missing");
    CHECK(chain.no_closer_match("terminal.example.", 1) == "missing");
    CHECK(chain.no_closer_match("x.wild.example.", 3) == "missing");
  }
}

TEST_CASE("dnssec/denial: a proof with a part left out is none", "[dnssec]") {
  for (const int algorithm : {13, 15}) {
    CAPTURE(algorithm);
    const Chain whole(algorithm);
    for (const auto* of : {"a.example.", "b.deep.example.", "0.terminal.example."}) {
      CAPTURE(of);
      // Leave out what is not needed, then all that is left is.
      std::vector<RRset> needed = whole.records;
      for (std::size_t i = 0; i < needed.size();) {
        std::vector<RRset> less = needed;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
        Work work(kPlenty);
        if (Denial(name("example."), less).no_name(name(of), work) == Proof::proved) {
          needed = less;
        } else {
          ++i;
        }
      }
      CHECK(needed.size() >= (algorithm == 13 ? 1 : 2));
      CHECK(needed.size() <= (algorithm == 13 ? 2 : 3));
      for (std::size_t i = 0; i < needed.size(); ++i) {
        std::vector<RRset> less = needed;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
        Work work(kPlenty);
        CHECK(Denial(name("example."), less).no_name(name(of), work) == Proof::missing);
      }
    }
  }
}

TEST_CASE("dnssec/denial: records of other zones are left out (fault A31)", "[dnssec]") {
  const auto proof = [](std::string_view zone_text, const char* of) {
    Work work(kPlenty);
    const Denial denial(name("b.example."), text::parse_zone(zone_text).value());
    return text_of(denial.no_name(name(of), work));
  };
  const char* const kLast = "z.b.example. 60 IN NSEC b.example. A\n";
  const std::string last(kLast);
  CHECK(proof(last + "b.example. 60 IN NSEC a.b.example. SOA NS\n", "zz.b.example.") == "proved");
  CHECK(proof("z.b.example. 60 IN NSEC example. A\nb.example. 60 IN NSEC a.b.example. SOA NS\n",
              "zz.b.example.") == "missing");
  CHECK(proof("example. 60 IN NSEC z.example. SOA NS\n", "x.b.example.") == "missing");
  CHECK(proof("b.example. 60 IN NSEC c.example. SOA NS\n", "x.b.example.") == "missing");
}

TEST_CASE("dnssec/denial: NSEC3 records that RFC 5155 section 8 says to ignore", "[dnssec]") {
  const Chain whole(15);
  const auto proof = [&](auto change) {
    std::vector<RRset> changed = whole.records;
    for (RRset& set : changed) {
      const wire::Bytes rdata = *set.records.begin();
      std::vector<std::uint8_t> octets(rdata.begin(), rdata.end());
      change(set.owner, octets);
      set.records = {};
      set.records.add(octets);
    }
    Work work(kPlenty);
    return text_of(Denial(name("example."), changed).no_name(name("a.example."), work));
  };
  using Octets = std::vector<std::uint8_t>;
  CHECK(proof([](Name&, Octets&) {}) == "proved");
  CHECK(proof([](Name&, Octets& o) { o[0] = 2; }) == "missing");     // a hash of another kind
  CHECK(proof([](Name&, Octets& o) { o[1] = 0x02; }) == "missing");  // an unknown flag
  CHECK(proof([](Name&, Octets& o) { o[1] |= 0x80; }) == "missing");
  CHECK(proof([](Name&, Octets& o) { o.resize(20); }) == "missing");  // its hash is cut off
  CHECK(proof([](Name& owner, Octets&) {
          const std::string text = owner.to_text();
          owner = name(text.substr(0, text.find('.')) + ".sub.example.");
        }) == "missing");
}

TEST_CASE("dnssec/denial: iterations above 50 are not computed (RFC 9276)", "[dnssec]") {
  const std::string hash(32, '0');
  const auto with = [&](unsigned iterations) {
    const std::string text = hash + ".example. 60 IN NSEC3 1 0 " + std::to_string(iterations) +
                             " AB " + std::string(32, 'V') + " A\n";
    return text::parse_zone(text).value();
  };
  Work work(kPlenty);
  const Denial costly(name("example."), with(51));
  CHECK_FALSE(costly.is_empty());
  CHECK(costly.no_name(name("a.example."), work) == Proof::insecure);
  CHECK(costly.no_data(name("a.example."), RRType::a, work) == Proof::insecure);
  CHECK(costly.no_ds(name("a.example."), work) == Proof::insecure);
  CHECK(costly.no_closer_match(name("a.example."), 1, work) == Proof::insecure);
  CHECK(work.hashes() == 0);
  const Denial affordable(name("example."), with(50));
  CHECK(affordable.no_name(name("a.example."), work) == Proof::missing);
  CHECK(work.hashes() > 0);
}

TEST_CASE("dnssec/denial: a deep name costs no more hashes than there are (fault A45)",
          "[dnssec]") {
  const Chain chain(15);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "a.";
  Work work({0, 20});
  CHECK(chain.denial().no_name(name(deep + "example."), work) == Proof::missing);
  CHECK(work.hashes() == 20);
  CHECK(work.exhausted() == stats::Metric::limit_hashes);
  CHECK(chain.denial().no_data(name(deep + "example."), RRType::a, work) == Proof::missing);
  CHECK(work.hashes() == 20);
}

TEST_CASE("dnssec/denial: the hash and base32hex of RFC 5155 appendix A", "[dnssec]") {
  const std::array<std::uint8_t, 4> salt{0xaa, 0xbb, 0xcc, 0xdd};
  const auto hash_of = [&](const char* of) { return nsec3_hash(name(of), salt, 12); };
  const auto decoded = [](std::string_view text) {
    return from_base32hex({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  CHECK(hash_of("example.") == decoded("0p9mhaveqvm6t7vbl5lop2u3t2rp3tom"));
  CHECK(hash_of("A.Example.") == decoded("35mthgpgcu1qg68fab165klnsnk3dpvl"));
  CHECK(hash_of("*.w.example.") == decoded("R53BQ7CC2UVMUBFU5OCMM6PERS9TK9EN"));
  CHECK_FALSE(decoded("0p9mhaveqvm6t7vbl5lop2u3t2rp3to").has_value());
  CHECK_FALSE(decoded("wp9mhaveqvm6t7vbl5lop2u3t2rp3tom").has_value());
}

TEST_CASE("dnssec/denial: the order of RFC 4034 section 6.1", "[dnssec]") {
  const std::array in_order{"example.",         "a.example.",      "yljkjljk.a.example.",
                            "Z.a.example.",     "zABC.a.EXAMPLE.", "z.example.",
                            "\\001.z.example.", "*.z.example.",    "\\200.z.example."};
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    for (std::size_t j = 0; j < in_order.size(); ++j) {
      const int order = compare_canonical(name(in_order.at(i)), name(in_order.at(j)));
      CHECK((order < 0) == (i < j));
      CHECK((order == 0) == (i == j));
    }
  }
}

}  // namespace
}  // namespace siskin::dnssec::test
