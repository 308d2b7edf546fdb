// What replies mean, one table a kind.
#include "resolve/classify.hpp"

#include "resolve/describe.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using wire::Rcode;

constexpr std::string_view kSoa = "example. 300 IN SOA ns.example. host.example. 1 2 3 4 60\n";

template <class Table>
void check(const Table& table) {
  for (const Said& said : table) {
    CAPTURE(said.what);
    CHECK(describe(reply_to(said)) == said.meant);
  }
}

}  // namespace

TEST_CASE("resolve/classify: answers", "[resolve]") {
  check(std::array{
      Said{"a set", "example.", "www.example. A", "aa", Rcode::noerror,
           "www.example. 60 IN A 192.0.2.1\nwww.example. 60 IN A 192.0.2.2", "", "",
           "answer | www.example. 60 IN A 192.0.2.1; www.example. 60 IN A 192.0.2.2"},
      Said{"in another letter case", "example.", "www.example. A", "aa", Rcode::noerror,
           "WWW.Example. 60 IN A 192.0.2.1", "", "", "answer | WWW.Example. 60 IN A 192.0.2.1"},
      Said{"among other sets", "example.", "www.example. A", "aa", Rcode::noerror,
           "a.example. 60 IN A 192.0.2.9\nwww.example. 60 IN TXT \"no\"\n"
           "www.example. 60 IN A 192.0.2.1",
           "", "", "answer | www.example. 60 IN A 192.0.2.1"},
      Said{"not authoritative, but no recursion either (fault B29)", "example.", "www.example. A",
           "", Rcode::noerror, "www.example. 60 IN A 192.0.2.1", "", "",
           "answer | www.example. 60 IN A 192.0.2.1"},
      Said{"authoritative from one that also recurses", "example.", "www.example. A", "aa ra",
           Rcode::noerror, "www.example. 60 IN A 192.0.2.1", "", "",
           "answer | www.example. 60 IN A 192.0.2.1"},
      Said{"a CNAME asked for", "example.", "www.example. CNAME", "aa", Rcode::noerror,
           "www.example. 60 IN CNAME a.example.\na.example. 60 IN A 192.0.2.1", "", "",
           "answer | www.example. 60 IN CNAME a.example."},
      Said{"a DNAME asked for", "example.", "d.example. DNAME", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.example.", "", "",
           "answer | d.example. 60 IN DNAME e.example."},
      Said{"a set at the DNAME's own owner", "example.", "d.example. A", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.example.\nd.example. 60 IN A 192.0.2.1", "", "",
           "answer | d.example. 60 IN A 192.0.2.1"},
      Said{"the zone's own servers", ".", ". NS", "aa", Rcode::noerror, ". 60 IN NS a.rt.", "",
           "a.rt. 60 IN A 192.0.2.4", "answer | . 60 IN NS a.rt. | to: . 60: a.rt. 192.0.2.4"},
      Said{"a child's servers: no delegation of it", ".", "example. NS", "aa", Rcode::noerror,
           "example. 60 IN NS a.rt.", "", "a.rt. 60 IN A 192.0.2.4",
           "answer | example. 60 IN NS a.rt."},
      Said{"with its signatures", "example.", "www.example. A", "aa", Rcode::noerror,
           "www.example. 60 IN A 192.0.2.1\n"
           "www.example. 60 IN RRSIG A 13 2 60 20300101000000 20200101000000 1 example. AAAA",
           "", "",
           "answer | www.example. 60 IN A 192.0.2.1; www.example. 60 IN RRSIG A 13 2 60 "
           "20300101000000 20200101000000 1 example. AAAA"},
      Said{"although the RCODE says no", "example.", "www.example. A", "aa", Rcode::nxdomain,
           "www.example. 60 IN A 192.0.2.1", kSoa, "", "answer | www.example. 60 IN A 192.0.2.1"},
  });
}

TEST_CASE("resolve/classify: aliases", "[resolve]") {
  check(std::array{
      Said{"one that leads out of the zone", "example.", "www.example. A", "aa", Rcode::noerror,
           "www.example. 60 IN CNAME www.other.", "", "", "alias | www.example. -> www.other."},
      Said{"one inside, its end not told", "example.", "www.example. A", "aa", Rcode::noerror,
           "www.example. 60 IN CNAME a.example.", "", "", "alias | www.example. -> a.example."},
      Said{"a chain to its end, in any order", "example.", "www.example. A", "aa", Rcode::noerror,
           "b.example. 60 IN A 192.0.2.1\na.example. 60 IN CNAME b.example.\n"
           "www.example. 60 IN CNAME a.example.",
           "", "",
           "answer | www.example. -> a.example. | a.example. -> b.example. | "
           "b.example. 60 IN A 192.0.2.1"},
      Said{"a chain that leaves the zone", "example.", "www.example. A", "aa", Rcode::noerror,
           "www.example. 60 IN CNAME a.example.\na.example. 60 IN CNAME b.other.", "", "",
           "alias | www.example. -> a.example. | a.example. -> b.other."},
      Said{"a DNAME with its CNAME", "example.", "x.y.d.example. A", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.other.\nx.y.d.example. 60 IN CNAME x.y.e.other.", "", "",
           "alias | x.y.d.example. =d.example.=> x.y.e.other."},
      Said{"a DNAME inside the zone, to its end", "example.", "x.d.example. A", "aa",
           Rcode::noerror, "d.example. 60 IN DNAME e.example.\nx.e.example. 60 IN A 192.0.2.1", "",
           "", "answer | x.d.example. =d.example.=> x.e.example. | x.e.example. 60 IN A 192.0.2.1"},
      Said{"the nearest of two DNAMEs", "example.", "x.d.c.example. A", "aa", Rcode::noerror,
           "c.example. 60 IN DNAME far.other.\nd.c.example. 60 IN DNAME near.other.", "", "",
           "alias | x.d.c.example. =d.c.example.=> x.near.other."},
      Said{"to itself (fault A57)", "example.", "a.example. A", "aa", Rcode::noerror,
           "a.example. 60 IN CNAME a.example.", "", "", "alias | a.example. -> a.example."},
      Said{"in a circle (fault A57)", "example.", "a.example. A", "aa", Rcode::noerror,
           "a.example. 60 IN CNAME b.example.\nb.example. 60 IN CNAME a.example.", kSoa, "",
           "alias | a.example. -> b.example. | b.example. -> a.example."},
      Said{"with NXDOMAIN for an end that is elsewhere", "example.", "www.example. A", "aa",
           Rcode::nxdomain, "www.example. 60 IN CNAME www.other.", "", "",
           "alias | www.example. -> www.other."},
      Said{"not authoritative, as from a broken server", "example.", "www.example. A", "",
           Rcode::noerror, "www.example. 60 IN CNAME www.other.", "", "",
           "alias | www.example. -> www.other."},
  });
}

TEST_CASE("resolve/classify: negative answers", "[resolve]") {
  constexpr std::string_view nsec = "example. 60 IN NSEC b.example. NS SOA\n";
  const std::string soa_and_nsec = std::string(nsec) + std::string(kSoa);
  check(std::array{
      Said{"NXDOMAIN with an SOA", "example.", "no.example. A", "aa", Rcode::nxdomain, "", kSoa, "",
           "nxdomain | no: example. SOA"},
      Said{"NXDOMAIN with proof, the SOA comes first", "example.", "no.example. A", "aa",
           Rcode::nxdomain, "", soa_and_nsec, "", "nxdomain | no: example. SOA example. NSEC"},
      Said{"NXDOMAIN of a zone below on the same server", "example.", "a.b.example. A", "aa",
           Rcode::nxdomain, "", "b.example. 60 IN SOA ns.b.example. h.b.example. 1 2 3 4 5", "",
           "nxdomain | no: b.example. SOA"},
      Said{"NXDOMAIN without an SOA", "example.", "no.example. A", "aa", Rcode::nxdomain, "", "",
           "", "nxdomain"},
      Said{"NXDOMAIN with an SOA, not authoritative", "example.", "no.example. A", "",
           Rcode::nxdomain, "", kSoa, "", "nxdomain | no: example. SOA"},
      Said{"NXDOMAIN at the end of aliases", "example.", "www.example. A", "aa", Rcode::nxdomain,
           "www.example. 60 IN CNAME no.example.", kSoa, "",
           "nxdomain | www.example. -> no.example. | no: example. SOA"},
      Said{"NODATA with an SOA", "example.", "www.example. AAAA", "aa", Rcode::noerror, "", kSoa,
           "", "nodata | no: example. SOA"},
      Said{"NODATA of another type in the answer", "example.", "www.example. AAAA", "aa",
           Rcode::noerror, "www.example. 60 IN A 192.0.2.1", kSoa, "", "nodata | no: example. SOA"},
      Said{"NODATA with nothing at all", "example.", "www.example. AAAA", "aa", Rcode::noerror, "",
           "", "", "nodata"},
      Said{"NODATA with an SOA, not authoritative", "example.", "www.example. AAAA", "",
           Rcode::noerror, "", kSoa, "", "nodata | no: example. SOA"},
      Said{"NODATA at the end of aliases", "example.", "www.example. AAAA", "aa", Rcode::noerror,
           "www.example. 60 IN CNAME a.example.", kSoa, "",
           "nodata | www.example. -> a.example. | no: example. SOA"},
      Said{"a DS that is not there, from the parent", "example.", "sub.example. DS", "aa",
           Rcode::noerror, "", kSoa, "", "nodata | no: example. SOA"},
      Said{"NODATA with proof and no SOA, not authoritative", "example.", "www.example. AAAA", "",
           Rcode::noerror, "", "www.example. 60 IN NSEC z.example. A\nwww.other. 60 IN NSEC z. A",
           "", "nodata | no: www.example. NSEC"},
      Said{"NXDOMAIN with proof and no SOA, not authoritative", "example.", "no.example. A", "",
           Rcode::nxdomain, "", "a.example. 60 IN NSEC z.example. A", "",
           "nxdomain | no: a.example. NSEC"},
      Said{"proof that a wildcard made the alias, its end not told", "example.", "www.example. A",
           "aa", Rcode::noerror, "www.example. 60 IN CNAME a.example.",
           "a.example. 60 IN NSEC z.example. A", "", "alias | www.example. -> a.example."},
      Said{"proof beside servers of a zone above", "example.", "www.example. A", "", Rcode::noerror,
           "", ". 60 IN NS a.rt.\na.example. 60 IN NSEC z.example. A", "",
           "lame | upward referral to ."},
      Said{"denial records of other names in the zone only", "example.", "no.example. A", "aa",
           Rcode::nxdomain, "",
           "example. 300 IN SOA ns.example. host.example. 1 2 3 4 60\n"
           "a.example. 60 IN NSEC z.example. A\nother. 60 IN NSEC z.other. A\n"
           "a.example. 60 IN A 192.0.2.1",
           "", "nxdomain | no: example. SOA a.example. NSEC"},
  });
}

TEST_CASE("resolve/classify: referrals", "[resolve]") {
  check(std::array{
      Said{"with glue", ".", "www.example. A", "", Rcode::noerror, "",
           "example. 3600 IN NS ns.example.\nexample. 3600 IN NS ns.other.",
           "ns.example. 60 IN A 192.0.2.53\nns.example. 60 IN AAAA 2001:db8::53",
           "referral | to: example. 3600: ns.example. 192.0.2.53 2001:db8::53, ns.other."},
      Said{"to the name itself", ".", "example. A", "", Rcode::noerror, "",
           "example. 60 IN NS ns.other.", "", "referral | to: example. 60: ns.other."},
      Said{"over several labels", ".", "a.b.c.example. A", "", Rcode::noerror, "",
           "c.example. 60 IN NS ns.other.", "", "referral | to: c.example. 60: ns.other."},
      Said{"with AA set, as some do", ".", "www.example. A", "aa", Rcode::noerror, "",
           "example. 60 IN NS ns.other.", "", "referral | to: example. 60: ns.other."},
      Said{"from a server that also recurses", ".", "www.example. A", "ra", Rcode::noerror, "",
           "example. 60 IN NS ns.other.", "", "referral | to: example. 60: ns.other."},
      Said{"with the DS of the child", ".", "www.example. A", "", Rcode::noerror, "",
           "example. 60 IN NS ns.other.\nexample. 60 IN DS 1 13 2 "
           "0000000000000000000000000000000000000000000000000000000000000000",
           "", "referral | to: example. 60: ns.other."},
      Said{"the first useful NS set counts", ".", "www.example. A", "", Rcode::noerror, "",
           ". 60 IN NS a.rt.\nexample. 60 IN NS ns.other.", "",
           "referral | to: example. 60: ns.other."},
      Said{"for a DS, to a zone above its owner", ".", "sub.example. DS", "", Rcode::noerror, "",
           "example. 60 IN NS ns.other.", "", "referral | to: example. 60: ns.other."},
      Said{"for a DS, to its owner: no data", "example.", "sub.example. DS", "", Rcode::noerror, "",
           "sub.example. 60 IN NS ns.sub.example.", "ns.sub.example. 60 IN A 192.0.2.9", "nodata"},
      Said{"for a DS, to its owner, with the DS", "example.", "sub.example. DS", "", Rcode::noerror,
           "",
           "sub.example. 60 IN NS ns.sub.example.\nsub.example. 70 IN DS 1 8 2 00ff\n"
           "sub.example. 70 IN RRSIG DS 13 2 70 20300101000000 20200101000000 1 example. AAAA",
           "",
           "answer | sub.example. 70 IN DS 1 8 2 00ff; sub.example. 70 IN RRSIG DS 13 2 70 "
           "20300101000000 20200101000000 1 example. AAAA"},
      Said{"for a DS, to its owner, with the proof", "example.", "sub.example. DS", "",
           Rcode::noerror, "",
           "sub.example. 60 IN NS ns.sub.example.\nsub.example. 60 IN NSEC z.example. NS RRSIG "
           "NSEC\n"
           "other. 60 IN NSEC z. NS",
           "", "nodata | no: sub.example. NSEC"},
  });
}

TEST_CASE("resolve/classify: a DNAME that makes the name too long", "[resolve]") {
  const std::string label(63, 'x');
  const std::string question = label + "." + label + "." + label + ".d.example. A";
  const std::string dname = "d.example. 60 IN DNAME " + label + ".other.";
  CHECK(describe(reply_to({"too long", "example.", question, "aa", Rcode::yxdomain, dname, "", "",
                           ""})) == "yxdomain | by d.example.");
  CHECK(describe(reply_to({"RCODE not set", "example.", question, "aa", Rcode::noerror, dname, "",
                           "", ""})) == "yxdomain | by d.example.");
  check(std::array{
      Said{"YXDOMAIN without a reason", "example.", "www.example. A", "aa", Rcode::yxdomain, "", "",
           "", "broken | YXDOMAIN"},
  });
}

TEST_CASE("resolve/classify: lame servers", "[resolve]") {
  check(std::array{
      Said{"refused", "example.", "www.example. A", "", Rcode::refused, "", "", "",
           "lame | REFUSED"},
      Said{"not authoritative by RCODE", "example.", "www.example. A", "", Rcode::notauth, "", "",
           "", "lame | NOTAUTH"},
      Said{"refused although records are there", "example.", "www.example. A", "aa", Rcode::refused,
           "www.example. 60 IN A 192.0.2.1", "", "", "lame | REFUSED"},
      Said{"an empty answer (fault B29)", "example.", "www.example. AAAA", "", Rcode::noerror, "",
           "", "", "lame | empty answer without authority"},
      Said{"records that do not belong", "example.", "www.example. AAAA", "", Rcode::noerror,
           "www.other. 60 IN AAAA 2001:db8::1", "", "", "lame | empty answer without authority"},
      Said{"NXDOMAIN without an SOA or AA", "example.", "www.example. A", "", Rcode::nxdomain, "",
           "", "", "lame | NXDOMAIN without authority"},
  });
}

TEST_CASE("resolve/classify: broken servers", "[resolve]") {
  for (const auto& [rcode, words] :
       {std::pair{Rcode::formerr, "FORMERR"}, std::pair{Rcode::servfail, "SERVFAIL"},
        std::pair{Rcode::notimp, "NOTIMP"}, std::pair{Rcode::badvers, "BADVERS"},
        std::pair{Rcode::badcookie, "BADCOOKIE"}, std::pair{static_cast<Rcode>(3841), "RCODE3841"},
        std::pair{static_cast<Rcode>(8), "RCODE8"}}) {
    const std::string meant = "broken | " + std::string(words);
    CHECK(describe(reply_to({"", "example.", "www.example. A", "aa", rcode,
                             "www.example. 60 IN A 192.0.2.1", kSoa, "", ""})) == meant);
  }
}

TEST_CASE("resolve/classify: as many names of a referral as allowed", "[resolve]") {
  std::string ns;
  for (int i = 10; i < 35; ++i) ns += "example. 60 IN NS n" + std::to_string(i) + ".other.\n";
  const Said said{"", ".", "www.example. A", "", Rcode::noerror, "", ns, "", ""};
  CHECK(reply_to(said, 20).delegation->servers.size() == 20);
  CHECK(reply_to(said, 20).delegation->servers.back().name == name("n29.other."));
  CHECK(reply_to(said, 1).delegation->servers.size() == 1);
  CHECK(reply_to(said, 100).delegation->servers.size() == 25);
}

TEST_CASE("resolve/classify: a chain longer than any query may follow ends as an alias",
          "[resolve]") {
  std::string chain;
  for (int i = 0; i < 30; ++i) {
    chain +=
        "n" + std::to_string(i) + ".example. 60 IN CNAME n" + std::to_string(i + 1) + ".example.\n";
  }
  for (const Rcode rcode : {Rcode::noerror, Rcode::nxdomain}) {
    // The RCODE and the SOA are about the chain's end, not about where we stopped.
    const Reply reply =
        reply_to({"", "example.", "n0.example. A", "aa", rcode, chain, kSoa, "", ""});
    CHECK(word(reply.kind) == "alias");
    CHECK(reply.aliases.size() == 16);
    CHECK(reply.denial.empty());
  }
}

TEST_CASE("resolve/classify: a synthesised CNAME has the DNAME's TTL and its labels", "[resolve]") {
  const RRset dname = set_of("d.example. 600 IN DNAME target.other.");
  const auto alias = synthesise(dname, name("WWW.a.d.example."));
  REQUIRE(alias);
  CHECK(alias->target.to_text() == "WWW.a.target.other.");
  CHECK(text_of(alias->cname) == "WWW.a.d.example. 600 IN CNAME WWW.a.target.other.");
  CHECK(*alias->dname == dname);

  CHECK_FALSE(synthesise(dname, name("d.example.")));
  CHECK_FALSE(synthesise(dname, name("xd.example.")));
}

TEST_CASE("resolve/classify: a synthesised name has up to 255 octets and no more", "[resolve]") {
  const std::string label(63, 'x');
  const std::string three = label + "." + label + "." + label + ".";
  const auto target_of_octets = [&](std::size_t octets) {
    const RRset dname = set_of("d.example. 60 IN DNAME " + std::string(octets, 'y') + ".");
    return synthesise(dname, name(three + "d.example."));
  };
  // 3 * 64 octets before, a label of n and its length, the root.
  REQUIRE(target_of_octets(61));
  CHECK(target_of_octets(61)->target.size() == 255);
  CHECK_FALSE(target_of_octets(62));
}

TEST_CASE("resolve/classify: to the root a DNAME only takes labels away", "[resolve]") {
  const auto alias = synthesise(set_of("d.example. 60 IN DNAME ."), name("www.d.example."));
  REQUIRE(alias);
  CHECK(alias->target.to_text() == "www.");
}

TEST_CASE("resolve/classify: a negative answer lives for the lesser of TTL and MINIMUM, fault B53",
          "[resolve]") {
  const auto ttl_of = [](std::string_view ttl, std::string_view minimum) {
    return negative_ttl(sets("example. " + std::string(ttl) + " IN SOA ns.example. h.example. " +
                             "1 2 3 4 " + std::string(minimum)));
  };
  CHECK(ttl_of("86400", "60") == 60);
  CHECK(ttl_of("60", "86400") == 60);
  CHECK(ttl_of("60", "60") == 60);
  CHECK(ttl_of("300", "2147483647") == 300);
  CHECK(ttl_of("0", "300") == 0);
  CHECK(ttl_of("300", "0") == 0);
  CHECK(negative_ttl({}) == 0);
  CHECK(negative_ttl(sets("example. 60 IN NSEC a.example. NS")) == 0);
}

}  // namespace siskin::resolve::test
