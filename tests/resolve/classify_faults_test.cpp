// Replies from the fault catalogue that a server has no right to give, or gives oddly.
#include "resolve/describe.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using wire::Rcode;

template <class Table>
void check(const Table& table) {
  for (const Said& said : table) {
    CAPTURE(said.what);
    CHECK(describe(reply_to(said)) == said.meant);
  }
}

}  // namespace

TEST_CASE("resolve/classify: foreign records beside an answer are nowhere, fault A13",
          "[resolve]") {
  check(std::array{
      Said{"in the additional section", "atk.example.", "mx.atk.example. MX", "aa", Rcode::noerror,
           "mx.atk.example. 60 IN MX 10 www.bank.example.", "",
           "www.bank.example. 60 IN A 203.0.113.66",
           "answer | mx.atk.example. 60 IN MX 10 www.bank.example."},
      Said{"in the answer section", "atk.example.", "www.atk.example. A", "aa", Rcode::noerror,
           "www.bank.example. 60 IN A 203.0.113.66\nwww.atk.example. 60 IN A 192.0.2.1", "", "",
           "answer | www.atk.example. 60 IN A 192.0.2.1"},
      Said{"NS in the authority section of an answer", "atk.example.", "www.atk.example. A", "aa",
           Rcode::noerror, "www.atk.example. 60 IN A 192.0.2.1",
           "bank.example. 60 IN NS ns.evil.example.\natk.example. 60 IN NS ns.evil.example.",
           "ns.evil.example. 60 IN A 203.0.113.66", "answer | www.atk.example. 60 IN A 192.0.2.1"},
  });
}

TEST_CASE("resolve/classify: the tail of a chain outside the zone is dropped, fault A15",
          "[resolve]") {
  check(std::array{
      Said{"CNAME", "atk.example.", "a.atk.example. A", "aa", Rcode::noerror,
           "a.atk.example. 60 IN CNAME www.bank.example.\n"
           "www.bank.example. 60 IN A 203.0.113.66",
           "", "", "alias | a.atk.example. -> www.bank.example."},
      Said{"DNAME and CNAME", "atk.example.", "www.d.atk.example. A", "aa", Rcode::noerror,
           "d.atk.example. 60 IN DNAME bank.example.\n"
           "www.d.atk.example. 60 IN CNAME www.bank.example.\n"
           "www.bank.example. 60 IN A 203.0.113.66",
           "", "", "alias | www.d.atk.example. =d.atk.example.=> www.bank.example."},
      Said{"out and in again", "atk.example.", "a.atk.example. A", "aa", Rcode::noerror,
           "a.atk.example. 60 IN CNAME www.bank.example.\n"
           "www.bank.example. 60 IN CNAME b.atk.example.\nb.atk.example. 60 IN A 192.0.2.1",
           "", "", "alias | a.atk.example. -> www.bank.example."},
      Said{"NXDOMAIN for the tail", "atk.example.", "a.atk.example. A", "aa", Rcode::nxdomain,
           "a.atk.example. 60 IN CNAME www.bank.example.",
           "bank.example. 60 IN SOA ns.bank.example. h.bank.example. 1 2 3 4 5\n"
           "atk.example. 60 IN SOA ns.atk.example. h.atk.example. 1 2 3 4 5",
           "", "alias | a.atk.example. -> www.bank.example."},
  });
}

TEST_CASE("resolve/classify: glue from another branch is dropped, fault A17", "[resolve]") {
  check(std::array{
      Said{"three names, one of them not below the asked zone", "example.", "www.test.example. A",
           "", Rcode::noerror, "",
           "test.example. 60 IN NS ns.test.example.\ntest.example. 60 IN NS ns.foo.example.\n"
           "test.example. 60 IN NS ns.bar.",
           "ns.test.example. 60 IN A 192.0.2.1\nns.foo.example. 60 IN A 192.0.2.2\n"
           "ns.bar. 60 IN A 203.0.113.66",
           "referral | to: test.example. 60: ns.test.example. 192.0.2.1, "
           "ns.foo.example. 192.0.2.2, ns.bar."},
      Said{"the root may give all", ".", "www.example. A", "", Rcode::noerror, "",
           "example. 60 IN NS ns.bar.", "ns.bar. 60 IN A 192.0.2.1",
           "referral | to: example. 60: ns.bar. 192.0.2.1"},
  });
}

TEST_CASE("resolve/classify: referrals up and sideways are lame, fault A19", "[resolve]") {
  check(std::array{
      Said{"to the root", "lame.example.", "www.lame.example. A", "", Rcode::noerror, "",
           ". 60 IN NS a.rt.", "a.rt. 60 IN A 203.0.113.66", "lame | upward referral to ."},
      Said{"to the root, as if with authority", "lame.example.", "www.lame.example. A", "aa",
           Rcode::noerror, "", ". 60 IN NS a.rt.", "", "lame | upward referral to ."},
      Said{"to the parent", "lame.example.", "www.lame.example. A", "", Rcode::noerror, "",
           "example. 60 IN NS ns.example.", "", "lame | upward referral to example."},
      Said{"to a sibling", "lame.example.", "www.lame.example. A", "", Rcode::noerror, "",
           "other.example. 60 IN NS ns.example.", "", "lame | sideways referral to other.example."},
      Said{"to the zone itself", "lame.example.", "www.lame.example. A", "", Rcode::noerror, "",
           "lame.example. 60 IN NS ns.example.", "", "lame | sideways referral to lame.example."},
      Said{"below the zone, but not above the name", "lame.example.", "www.lame.example. A", "",
           Rcode::noerror, "", "sub.lame.example. 60 IN NS ns.example.", "",
           "lame | sideways referral to sub.lame.example."},
      Said{"below the name", "lame.example.", "www.lame.example. A", "", Rcode::noerror, "",
           "a.www.lame.example. 60 IN NS ns.example.", "",
           "lame | sideways referral to a.www.lame.example."},
  });
}

TEST_CASE("resolve/classify: a DNAME from outside the zone is dropped, fault A21", "[resolve]") {
  check(std::array{
      Said{"with a CNAME, which stays an ordinary one", "atk.example.", "x.atk.example. A", "aa",
           Rcode::noerror,
           "example. 60 IN DNAME evil.example.\nx.atk.example. 60 IN CNAME x.atk.evil.example.", "",
           "", "alias | x.atk.example. -> x.atk.evil.example."},
      Said{"alone", "atk.example.", "x.atk.example. A", "aa", Rcode::noerror,
           "example. 60 IN DNAME evil.example.", "", "", "nodata"},
      Said{"in the authority section", "atk.example.", "x.atk.example. A", "", Rcode::noerror, "",
           "atk.example. 60 IN DNAME evil.example.", "", "lame | empty answer without authority"},
      Said{"a sibling's", "example.", "x.a.example. A", "aa", Rcode::noerror,
           "b.example. 60 IN DNAME evil.example.", "", "", "nodata"},
  });
}

TEST_CASE("resolve/classify: an SOA from above the zone is dropped, faults A23 and B51",
          "[resolve]") {
  check(std::array{
      Said{"NXDOMAIN with the root's", "shop.example.", "no.shop.example. A", "aa", Rcode::nxdomain,
           "", ". 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "nxdomain"},
      Said{"NXDOMAIN with the parent's", "shop.example.", "no.shop.example. A", "aa",
           Rcode::nxdomain, "", "example. 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "nxdomain"},
      Said{"not authoritative either", "shop.example.", "no.shop.example. A", "", Rcode::nxdomain,
           "", ". 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "lame | NXDOMAIN without authority"},
      Said{"NODATA", "shop.example.", "no.shop.example. A", "aa", Rcode::noerror, "",
           ". 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "nodata"},
      Said{"NODATA, not authoritative", "shop.example.", "no.shop.example. A", "", Rcode::noerror,
           "", ". 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "lame | empty answer without authority"},
      Said{"one beside the name", "shop.example.", "no.shop.example. A", "aa", Rcode::nxdomain, "",
           "sub.shop.example. 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "nxdomain"},
      Said{"the good one behind it is taken", "shop.example.", "no.shop.example. A", "aa",
           Rcode::nxdomain, "",
           ". 60 IN SOA a.rt. h.rt. 1 2 3 4 5\nshop.example. 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "",
           "nxdomain | no: shop.example. SOA"},
  });
}

TEST_CASE("resolve/classify: what a recursive server found is not the zone's word, fault A61",
          "[resolve]") {
  check(std::array{
      Said{"an answer", "t.example.", "www.t.example. A", "ra", Rcode::noerror,
           "www.t.example. 60 IN A 192.0.2.1", "", "", "lame | answer is not authoritative"},
      Said{"an alias", "t.example.", "www.t.example. A", "ra", Rcode::noerror,
           "www.t.example. 60 IN CNAME www.other.", "", "", "lame | answer is not authoritative"},
      Said{"nothing", "t.example.", "www.t.example. A", "ra", Rcode::noerror, "", "", "",
           "lame | answer is not authoritative"},
      Said{"NXDOMAIN", "t.example.", "www.t.example. A", "ra", Rcode::nxdomain, "",
           "t.example. 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "lame | answer is not authoritative"},
      Said{"NODATA", "t.example.", "www.t.example. A", "ra", Rcode::noerror, "",
           "t.example. 60 IN SOA a.rt. h.rt. 1 2 3 4 5", "", "lame | answer is not authoritative"},
      Said{"failure", "t.example.", "www.t.example. A", "ra", Rcode::servfail, "", "", "",
           "broken | SERVFAIL"},
      Said{"referral to the root", "t.example.", "www.t.example. A", "ra", Rcode::noerror, "",
           ". 60 IN NS a.rt.", "", "lame | upward referral to ."},
  });
}

TEST_CASE("resolve/classify: NXDOMAIN that also carries NS is no referral, fault B33",
          "[resolve]") {
  check(std::array{
      Said{"of the zone", "example.", "no.example. A", "aa", Rcode::nxdomain, "",
           "example. 60 IN NS ns.example.\nexample. 60 IN SOA ns.example. h.example. 1 2 3 4 5", "",
           "nxdomain | no: example. SOA"},
      Said{"asked of the zone above", ".", "no.example. A", "aa", Rcode::nxdomain, "",
           "example. 60 IN SOA ns.example. h.example. 1 2 3 4 5\nexample. 60 IN NS ns.example.", "",
           "nxdomain | no: example. SOA"},
      Said{"NODATA too", ".", "no.example. A", "aa", Rcode::noerror, "",
           "example. 60 IN NS ns.example.\nexample. 60 IN SOA ns.example. h.example. 1 2 3 4 5", "",
           "nodata | no: example. SOA"},
  });
}

TEST_CASE("resolve/classify: a whole answer is taken, whatever NS come along, fault B35",
          "[resolve]") {
  check(std::array{
      Said{"chain and odd NS", "i.example.", "www.i.example. A", "aa", Rcode::noerror,
           "www.i.example. 60 IN CNAME i.example.\ni.example. 60 IN A 192.0.2.1",
           "i.example. 60 IN NS dead1.example.\ni.example. 60 IN NS dead2.example.", "",
           "answer | www.i.example. -> i.example. | i.example. 60 IN A 192.0.2.1"},
      Said{"NS that would be a referral", "example.", "www.i.example. A", "aa", Rcode::noerror,
           "www.i.example. 60 IN A 192.0.2.1", "i.example. 60 IN NS dead1.example.", "",
           "answer | www.i.example. 60 IN A 192.0.2.1"},
  });
}

TEST_CASE("resolve/classify: of two aliases at one owner the first counts, fault B37",
          "[resolve]") {
  constexpr std::string_view two_cnames =
      "w.example. 60 IN CNAME a.next.example.\nw.example. 60 IN CNAME b.next.example.";
  const Said two{"", "example.", "w.example. A", "aa", Rcode::noerror, two_cnames, "", "", ""};
  const Reply reply = reply_to(two);
  CHECK(describe(reply) == "alias | w.example. -> a.next.example.");
  CHECK(text_of(reply.aliases.at(0).cname) == "w.example. 60 IN CNAME a.next.example.");

  constexpr std::string_view two_dnames =
      "d.example. 60 IN DNAME a.next.\nd.example. 60 IN DNAME b.next.";
  const Reply dname =
      reply_to({"", "example.", "w.d.example. A", "aa", Rcode::noerror, two_dnames, "", "", ""});
  CHECK(describe(dname) == "alias | w.d.example. =d.example.=> w.a.next.");
  CHECK(text_of(*dname.aliases.at(0).dname) == "d.example. 60 IN DNAME a.next.");

  check(std::array{
      Said{"asked for by type", "example.", "w.example. CNAME", "aa", Rcode::noerror, two_cnames,
           "", "", "answer | w.example. 60 IN CNAME a.next.example."},
      Said{"DNAMEs asked for by type", "example.", "d.example. DNAME", "aa", Rcode::noerror,
           two_dnames, "", "", "answer | d.example. 60 IN DNAME a.next."},
  });
}

TEST_CASE("resolve/classify: below a DNAME nothing else is believed, fault B41", "[resolve]") {
  check(std::array{
      Said{"a set at the name", "example.", "foo.d.example. A", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.other.\nfoo.d.example. 60 IN A 192.0.2.1", "", "",
           "alias | foo.d.example. =d.example.=> foo.e.other."},
      Said{"the CNAME asked for is the one it makes", "example.", "foo.d.example. CNAME", "aa",
           Rcode::noerror, "d.example. 60 IN DNAME e.other.\nfoo.d.example. 9 IN CNAME foo.evil.",
           "", "", "answer | by d.example. | foo.d.example. 60 IN CNAME foo.e.other."},
      Said{"also when the server does not make it", "example.", "foo.d.example. CNAME", "aa",
           Rcode::noerror, "d.example. 60 IN DNAME e.other.", "", "",
           "answer | by d.example. | foo.d.example. 60 IN CNAME foo.e.other."},
      Said{"another DNAME below it", "example.", "foo.d.example. DNAME", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.other.\nfoo.d.example. 9 IN DNAME evil.", "", "",
           "alias | foo.d.example. =d.example.=> foo.e.other."},
  });
}

TEST_CASE("resolve/classify: a DNAME without its CNAME is one all the same, fault B39",
          "[resolve]") {
  check(std::array{
      Said{"alone", "example.", "foo.d.example. A", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.other.", "", "",
           "alias | foo.d.example. =d.example.=> foo.e.other."},
      Said{"with another CNAME than it makes (fault B41)", "example.", "foo.d.example. A", "aa",
           Rcode::noerror, "d.example. 60 IN DNAME e.other.\nfoo.d.example. 60 IN CNAME foo.evil.",
           "", "", "alias | foo.d.example. =d.example.=> foo.e.other."},
      Said{"to its end, which lies in the zone", "example.", "foo.d.example. A", "aa",
           Rcode::noerror, "d.example. 60 IN DNAME e.example.\nfoo.e.example. 60 IN A 192.0.2.1",
           "", "",
           "answer | foo.d.example. =d.example.=> foo.e.example. | "
           "foo.e.example. 60 IN A 192.0.2.1"},
      Said{"a chain of two", "example.", "foo.d.example. A", "aa", Rcode::noerror,
           "d.example. 60 IN DNAME e.example.\ne.example. 60 IN DNAME f.other.", "", "",
           "alias | foo.d.example. =d.example.=> foo.e.example. | "
           "foo.e.example. =e.example.=> foo.f.other."},
  });
}

}  // namespace siskin::resolve::test
