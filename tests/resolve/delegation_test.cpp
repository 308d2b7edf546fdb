#include "resolve/delegation.hpp"

#include "resolve/describe.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

Delegation made(std::string_view ns, std::string_view additional, std::string_view asked_zone,
                std::size_t names_max = 20) {
  return make_delegation(set_of(ns), sets(additional), name(asked_zone), names_max);
}

std::string kept(const Delegation& delegation) {
  return describe(from_cache(delegation.zone, to_cache(delegation)));
}

class CacheRig {
 public:
  void keep(const Delegation& delegation, std::int64_t second) {
    CHECK(cache_.store(delegation.zone, cache::kDelegationSlot, to_cache(delegation),
                       at_second(second)));
  }

  std::string deepest(std::string_view qname, std::int64_t second) {
    const auto found = deepest_delegation(cache_, name(qname), at_second(second));
    if (!found) return "nothing";
    CHECK(found->from_cache);
    return describe(*found);
  }

  std::vector<IpAddress> glue(std::string_view server) const {
    return cached_glue(cache_, name(server), at_second(0));
  }

 private:
  cache::Cache cache_{cache::Cache::Options{}};
};

}  // namespace

TEST_CASE("resolve/delegation: names in order, each with its addresses in theirs", "[resolve]") {
  CHECK(describe(made("example. 300 IN NS ns2.example.\nexample. 300 IN NS ns1.example.",
                      "ns1.example. 60 IN A 192.0.2.9\nns1.example. 60 IN A 192.0.2.1\n"
                      "ns2.example. 60 IN AAAA 2001:db8::2\nns1.example. 60 IN AAAA 2001:db8::1",
                      ".")) ==
        "example. 300: ns2.example. 2001:db8::2, ns1.example. 192.0.2.9 192.0.2.1 2001:db8::1");
}

TEST_CASE("resolve/delegation: it is new, not from the cache", "[resolve]") {
  CHECK_FALSE(made("example. 300 IN NS ns.example.", "", ".").from_cache);
}

TEST_CASE("resolve/delegation: glue is for names at or below the asked zone, fault A17",
          "[resolve]") {
  struct Row {
    std::string_view ns, zone;
    bool taken;
  };
  for (const Row& row :
       {Row{"ns.test.example.", "example.", true}, Row{"ns.foo.example.", "example.", true},
        Row{"example.", "example.", true}, Row{"NS.Test.EXAMPLE.", "example.", true},
        Row{"ns.bar.", "example.", false}, Row{"ns.notexample.", "example.", false},
        Row{"com.", "example.", false}, Row{"ns.bar.", ".", true}}) {
    CAPTURE(row.ns, row.zone);
    const std::string server(row.ns);
    const Delegation delegation =
        made("test.example. 60 IN NS " + server, server + " 60 IN A 192.0.2.1", row.zone);
    REQUIRE(delegation.servers.size() == 1);
    CHECK(delegation.servers[0].addresses.size() == (row.taken ? 1 : 0));
  }
}

TEST_CASE("resolve/delegation: addresses of names that are no servers are left out", "[resolve]") {
  CHECK(describe(made("test.example. 60 IN NS ns.test.example.",
                      "www.test.example. 60 IN A 192.0.2.1\n"
                      "ns.test.example. 60 IN TXT \"192.0.2.2\"",
                      "example.")) == "test.example. 60: ns.test.example.");
}

TEST_CASE("resolve/delegation: a name or address told twice counts once", "[resolve]") {
  CHECK(describe(made("example. 60 IN NS ns.example.\nexample. 60 IN NS NS.EXAMPLE.",
                      "ns.example. 60 IN A 192.0.2.1\nns.example. 60 IN A 192.0.2.1", ".")) ==
        "example. 60: ns.example. 192.0.2.1");
}

TEST_CASE("resolve/delegation: names beyond the limit are dropped, and then their glue, fault A63",
          "[resolve]") {
  constexpr std::string_view ns =
      "example. 60 IN NS a.example.\nexample. 60 IN NS A.example.\nexample. 60 IN NS b.example.\n"
      "example. 60 IN NS c.example.";
  constexpr std::string_view glue = "a.example. 60 IN A 192.0.2.1\nc.example. 60 IN A 192.0.2.3";
  CHECK(describe(made(ns, glue, ".", 3)) ==
        "example. 60: a.example. 192.0.2.1, b.example., c.example. 192.0.2.3");
  CHECK(describe(made(ns, glue, ".", 2)) == "example. 60: a.example. 192.0.2.1, b.example.");
}

TEST_CASE("resolve/delegation: at most eight addresses of one name", "[resolve]") {
  std::string glue;
  for (int i = 1; i <= 12; ++i) glue += "ns.example. 60 IN A 192.0.2." + std::to_string(i) + "\n";
  const Delegation delegation = made("example. 60 IN NS ns.example.", glue, ".");
  REQUIRE(delegation.servers[0].addresses.size() == 8);
  CHECK(delegation.servers[0].addresses.back() == ip("192.0.2.8"));
}

TEST_CASE("resolve/delegation: any octet may be in a server's name, fault B19", "[resolve]") {
  CHECK(describe(made("example. 60 IN NS ns-1.example.:.\nexample. 60 IN NS \\000\\.a.example.",
                      "\\000\\.a.example. 60 IN A 192.0.2.1", ".")) ==
        "example. 60: ns-1.example.:., \\000\\.a.example. 192.0.2.1");
}

TEST_CASE("resolve/delegation: the cache gives back what it was given", "[resolve]") {
  for (const auto& [ns, glue] : {
           std::pair{"example. 300 IN NS ns.example.", ""},
           std::pair{"example. 300 IN NS ns.example.\nexample. 300 IN NS n2.other.",
                     "ns.example. 60 IN A 192.0.2.1\nns.example. 60 IN A 192.0.2.2\n"
                     "ns.example. 60 IN AAAA 2001:db8::1\nn2.other. 60 IN AAAA 2001:db8::2"},
           std::pair{". 300 IN NS a.rt.", "a.rt. 60 IN A 198.41.0.4"},
       }) {
    const Delegation delegation = made(ns, glue, ".");
    CHECK(kept(delegation) == describe(delegation));
  }
}

TEST_CASE("resolve/delegation: glue that passed its check is not checked again", "[resolve]") {
  // "example." gave it for a name below itself; the delegation's own zone is deeper.
  CHECK(kept(made("test.example. 60 IN NS ns.foo.example.", "ns.foo.example. 60 IN A 192.0.2.1",
                  "example.")) == "test.example. 60: ns.foo.example. 192.0.2.1");
}

TEST_CASE("resolve/delegation: as a cache entry it is an NS set and glue", "[resolve]") {
  const cache::Value value =
      to_cache(made("example. 300 IN NS ns.example.",
                    "ns.example. 60 IN AAAA 2001:db8::1\nns.example. 60 IN A 192.0.2.1", "."));
  CHECK(value.kind == cache::Kind::delegation);
  CHECK(value.ttl == 300);
  CHECK(value.answer.empty());
  CHECK(text_of(value.authority) == "example. 300 IN NS ns.example.");
  CHECK(text_of(value.additional) ==
        "ns.example. 300 IN A 192.0.2.1; ns.example. 300 IN AAAA 2001:db8::1");
}

TEST_CASE("resolve/delegation: the deepest one at or above a name is found", "[resolve]") {
  CacheRig rig;
  CHECK(rig.deepest("www.a.example.", 0) == "nothing");
  rig.keep(made(". 1000 IN NS a.rt.", "a.rt. 60 IN A 198.41.0.4", "."), 0);
  rig.keep(made("example. 500 IN NS ns.example.", "ns.example. 60 IN A 192.0.2.1", "."), 0);
  rig.keep(made("a.example. 100 IN NS ns.other.", "", "example."), 0);
  CHECK(rig.deepest("www.a.example.", 0) == "a.example. 100: ns.other.");
  CHECK(rig.deepest("A.Example.", 0) == "A.Example. 100: ns.other.");
  CHECK(rig.deepest("b.example.", 0) == "example. 500: ns.example. 192.0.2.1");
  CHECK(rig.deepest("xa.example.", 0) == "example. 500: ns.example. 192.0.2.1");
  CHECK(rig.deepest("com.", 0) == ". 1000: a.rt. 198.41.0.4");
  CHECK(rig.deepest(".", 0) == ". 1000: a.rt. 198.41.0.4");
}

TEST_CASE("resolve/delegation: glue of a server is looked for up to the root", "[resolve]") {
  CacheRig rig;
  rig.keep(made(". 1000 IN NS a.rt.", "a.rt. 60 IN A 198.41.0.4", "."), 0);
  rig.keep(made("example. 500 IN NS ns.a.example.", "ns.a.example. 60 IN A 192.0.2.1", "."), 0);
  rig.keep(made("a.example. 100 IN NS ns.other.", "", "example."), 0);
  CHECK(rig.glue("ns.a.example.") == std::vector{IpAddress::v4(192, 0, 2, 1)});
  CHECK(rig.glue("a.rt.") == std::vector{IpAddress::v4(198, 41, 0, 4)});
  CHECK(rig.glue("ns.other.").empty());
  CHECK(rig.glue(".").empty());
}

TEST_CASE("resolve/delegation: it ends with its TTL, then the one above serves, fault A25",
          "[resolve]") {
  CacheRig rig;
  rig.keep(made("example. 500 IN NS ns.example.", "ns.example. 9 IN A 192.0.2.1", "."), 1000);
  rig.keep(made("a.example. 60 IN NS ns.other.", "", "example."), 1000);
  CHECK(rig.deepest("www.a.example.", 1059) == "a.example. 1: ns.other.");
  CHECK(rig.deepest("www.a.example.", 1060) == "example. 440: ns.example. 192.0.2.1");
  CHECK(rig.deepest("www.a.example.", 1500) == "nothing");
}

}  // namespace siskin::resolve::test
