#include "scenarios/setup.hpp"

#include "scenarios/parser.hpp"
#include "scenarios/script_text.hpp"
#include "support/catch.hpp"

namespace siskin::scenarios {
namespace {

Setup setup_of(const std::string& options) {
  return make_setup(parse_scenario(script("STEP 1 NOTHING\n", options), "x"));
}

std::vector<std::string> lacks_of(const std::string& options) {
  return setup_of(options).lacks;
}

TEST_CASE("scenarios/setup: options become Siskin's", "[scenarios]") {
  const Setup setup = setup_of(
      " do-ip6: no\n cache-max-ttl: 100 cache-min-ttl: 5\n cache-max-negative-ttl: 7\n"
      " max-query-restarts: 3\n identity: \"me\" # and nobody else\n"
      " access-control: 192.0.2.0/24 allow\n");
  CHECK(setup.lacks.empty());
  CHECK_FALSE(setup.resolve.qname_minimisation);
  CHECK(setup.resolve.ipv4);
  CHECK_FALSE(setup.resolve.ipv6);
  CHECK_FALSE(setup.resolve.priming);
  CHECK(setup.resolve.limits.aliases == 3);
  CHECK(setup.cache.max_ttl == 100);
  CHECK(setup.cache.min_ttl == 5);
  CHECK(setup.cache.max_negative_ttl == 7);
  CHECK(setup.frontend.identity == "me");
  REQUIRE(setup.allowed.size() == 3);
  CHECK(setup.allowed[2].to_text() == "192.0.2.0/24");
  REQUIRE(setup.resolve.root_hints.size() == 1);
  CHECK(setup.resolve.root_hints[0].second == IpAddress::v4(192, 0, 2, 1));
}

TEST_CASE("scenarios/setup: hidden strings are empty", "[scenarios]") {
  CHECK(setup_of(" version: \"1\" hide-version: yes\n").frontend.version.empty());
  CHECK(setup_of(" version: \"1\" hide-version: no\n").frontend.version == "1");
}

TEST_CASE("scenarios/setup: stub zones beside the root are known", "[scenarios]") {
  const Setup setup = setup_of("stub-zone:\n name: \"example.\"\n stub-addr: 192.0.2.9@53\n");
  CHECK(setup.lacks.empty());
  REQUIRE(setup.stubs.size() == 2);
  CHECK(setup.stubs[0].name.to_text() == "example.");
  CHECK(setup.stubs[0].addresses == std::vector{IpAddress::v4(192, 0, 2, 9)});
}

TEST_CASE("scenarios/setup: without a root somebody leads to the stub zones", "[scenarios]") {
  const Setup setup = make_setup(parse_scenario(
      "stub-zone: name: a. stub-addr: 192.0.2.9\nCONFIG_END\nSCENARIO_BEGIN x\nSCENARIO_END\n",
      "x"));
  REQUIRE(setup.stubs.size() == 2);
  CHECK(setup.stubs[1].name.is_root());
  REQUIRE(setup.resolve.root_hints.size() == 1);
  CHECK(setup.resolve.root_hints[0].second == setup.stubs[1].addresses.at(0));
}

TEST_CASE("scenarios/setup: client subnet goes to zones, however the file names them",
          "[scenarios]") {
  const std::string referral =
      root_range(entry("", "www.b.example. IN A",
                       "SECTION AUTHORITY\nb.example. IN NS ns.b.example.\n"
                       "SECTION ADDITIONAL\nns.b.example. IN A 192.0.2.8\n"));
  const std::string options =
      " send-client-subnet: 192.0.2.8/31 client-subnet-zone: c.example.\n"
      " max-client-subnet-ipv4: 20\nstub-zone: name: a.example. stub-addr: 192.0.2.9\n";
  const Setup setup = make_setup(parse_scenario(script(referral, options), "x"));
  CHECK(setup.lacks.empty());
  for (const char* zone : {"a.example.", "b.example.", "c.example."}) {
    CHECK(setup.resolve.subnet_zones.may_tell(wire::Name::from_text(zone).value()));
  }
  CHECK_FALSE(setup.resolve.subnet_zones.may_tell(wire::Name::from_text("d.example.").value()));
  REQUIRE(setup.subnets);
  CHECK(setup.subnets->ipv4_prefix == 20);
  CHECK(setup.client.to_text() == "128.0.0.1");
  CHECK_FALSE(setup_of("").subnets);
}

TEST_CASE("scenarios/setup: expired answers are given when the file says so", "[scenarios]") {
  CHECK_FALSE(setup_of(" serve-expired: no\n").stale);
  CHECK(setup_of(" serve-expired: no\n").cache.stale_max == 0);
  const Setup setup = setup_of(
      " serve-expired: yes\n serve-expired-ttl: 10\n serve-expired-reply-ttl: 5\n"
      " serve-expired-client-timeout: 0\n");
  REQUIRE(setup.stale);
  CHECK(setup.stale->client_wait == Duration(0));
  CHECK(setup.cache.stale_max == 10);
  CHECK(setup.resolve.stale_ttl == 5);
}

TEST_CASE("scenarios/setup: what is not offered is named once", "[scenarios]") {
  using Lacks = std::vector<std::string>;
  CHECK(lacks_of(" local-data: \"a. A 192.0.2.1\"\n local-data: \"b. A 192.0.2.1\"\n") ==
        Lacks{"local zones"});
  CHECK(lacks_of(" serve-expired: yes\n prefetch: yes\n").empty());
  CHECK(lacks_of(" access-control: 192.0.2.0/24 deny\n") == Lacks{"access-control deny"});
  CHECK(lacks_of(" local-zone: example. redirect\n") == Lacks{"local zones"});
  CHECK(lacks_of(" local-zone: test. nodefault\n").empty());
  CHECK(lacks_of("forward-zone: name: \".\" forward-addr: 192.0.2.1\n") == Lacks{"forward zones"});
  CHECK(lacks_of(" no-such-option: 1\n") == Lacks{"option no-such-option"});
}

TEST_CASE("scenarios/setup: a value of the wrong kind is an error with its line", "[scenarios]") {
  const auto error_of = [](const std::string& options) -> std::string {
    try {
      setup_of(options);
    } catch (const ScriptError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of(" do-ip6: perhaps\n") == "x:3: do-ip6: expected yes or no");
  CHECK(error_of(" cache-max-ttl: long\n") == "x:3: cache-max-ttl: expected a number");
  CHECK(error_of(" access-control: here allow\n") == "x:3: access-control: expected a network");
  CHECK(error_of("stub-zone:\n name: a.\n stub-addr: b\n") ==
        "x:5: stub-addr: expected an address");
}

}  // namespace
}  // namespace siskin::scenarios
