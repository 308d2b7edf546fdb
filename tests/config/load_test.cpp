#include "siskin/config/load.hpp"

#include <unistd.h>

#include <filesystem>

#include "config/folder.hpp"
#include "config/reading.hpp"
#include "support/catch.hpp"

using namespace siskin::config;
using siskin::config::test::Folder;
using siskin::config::test::loaded;
namespace fs = std::filesystem;

namespace {

std::string error_of(const std::string& path) {
  const auto outcome = load_file(path, test::kMachine);
  REQUIRE_FALSE(outcome.has_value());
  REQUIRE(outcome.error().size() == 1);
  return to_string(outcome.error()[0]);
}

}  // namespace

TEST_CASE("config/load: the defaults", "[config]") {
  const Config c = defaults().config;
  REQUIRE(c.server.listen.size() == 2);
  CHECK(c.server.listen[0].to_text() == "127.0.0.1:53");
  CHECK(c.server.listen[1].to_text() == "[::1]:53");
  CHECK(c.server.workers == 0);
  CHECK(c.server.user.empty());
  CHECK(c.server.udp_size == 1232);
  CHECK(c.server.tcp_connections == 256);
  CHECK(c.server.tcp_idle_timeout == std::chrono::seconds(10));
  CHECK(c.server.identity.empty());
  CHECK(c.server.version.empty());
  CHECK(c.memory.limit == MemoryLimit{268435456, 0});
  CHECK(c.cache.min_ttl == 0);
  CHECK(c.cache.max_ttl == 86400);
  CHECK(c.cache.max_negative_ttl == 3600);
  CHECK(c.cache.prefetch == std::chrono::seconds(2));
  CHECK_FALSE(c.cache.serve_stale);
  CHECK(c.cache.stale_max_age == std::chrono::hours(24));
  CHECK(c.cache.stale_wait == std::chrono::milliseconds(1800));
  CHECK(c.cache.stale_recheck == std::chrono::seconds(30));
  CHECK(c.cache.stale_ttl == 30);
  CHECK(c.cache.stale_except.empty());
  CHECK(c.resolver.root_hints.empty());
  CHECK((c.resolver.ipv4 && c.resolver.ipv6));
  CHECK((c.resolver.qname_minimisation && c.resolver.case_randomisation));
  CHECK(c.resolver.allow_upstream.empty());
  CHECK(c.resolver.query_timeout == std::chrono::seconds(8));
  CHECK(c.resolver.edns_udp_size == 1232);
  REQUIRE(c.access.allow.size() == 2);
  CHECK(c.access.allow[0].to_text() == "127.0.0.0/8");
  CHECK(c.access.allow[1].to_text() == "::1/128");
  CHECK(c.ecs == Ecs{{}, 24, 56, {}, 16384});
  CHECK(c.log == Log{siskin::log::Level::info, siskin::log::Format::text, "stderr"});
  CHECK(c.laboratory == Laboratory{53, true, true, TtlClock::monotonic});
  CHECK(defaults().warnings.empty());
  CHECK(loaded("").config == c);
}

TEST_CASE("config/load: every key that is offered reaches its field", "[config]") {
  const Folder folder;
  const std::string hints = folder.put("root.hints", "");
  const Config c = loaded(R"(
    [server]
    listen = ["0.0.0.0:5300"]
    workers = 4
    user = "siskin"
    udp_size = 4096
    tcp_connections = 1
    tcp_idle_timeout = "1500ms"
    identity = "n\u00e4me"
    version = "none \"of\" yours"
    [memory]
    limit = "50%"
    [cache]
    min_ttl = 5
    max_ttl = 6
    max_negative_ttl = 0
    prefetch = "0s"
    serve_stale = true
    stale_max_age = "72h"
    stale_wait = "0ms"
    stale_recheck = "1m"
    stale_ttl = 1
    stale_except = ["bank.example"]
    [resolver]
    root_hints = ")" + hints +
                          R"("
    ipv4 = false
    qname_minimisation = false
    case_randomisation = false
    allow_upstream = ["127.0.0.0/8", "fd00::/8"]
    query_timeout = "1m"
    edns_udp_size = 512
    [dnssec]
    trust_anchor_state = "/var/lib/siskin/anchors"
    negative_trust_anchors = ["a.example", "b.example. until 2026-12-31T18:00:00Z"]
    [access]
    allow = []
    [ecs]
    zones = ["cdn.example", "Shop.test."]
    ipv4_prefix = 20
    ipv6_prefix = 0
    accept_from = ["10.0.0.0/8"]
    variants_max = 100
    [log]
    level = "debug"
    format = "json"
    target = "/var/log/siskin"
    [laboratory]
    upstream_port = 65535
    priming = false
    ttl_clock = "wall")")
                       .config;
  CHECK(c.server.listen.at(0).to_text() == "0.0.0.0:5300");
  CHECK(c.server.workers == 4);
  CHECK(c.server.user == "siskin");
  CHECK(c.server.udp_size == 4096);
  CHECK(c.server.tcp_connections == 1);
  CHECK(c.server.tcp_idle_timeout == std::chrono::milliseconds(1500));
  CHECK(c.server.identity == "näme");
  CHECK(c.server.version == "none \"of\" yours");
  CHECK(c.memory.limit == MemoryLimit{test::kMachine / 2, 50});
  CHECK(c.cache.min_ttl == 5);
  CHECK(c.cache.max_ttl == 6);
  CHECK(c.cache.max_negative_ttl == 0);
  CHECK(c.cache.prefetch == siskin::Duration(0));
  CHECK(c.cache.serve_stale);
  CHECK(c.cache.stale_max_age == std::chrono::hours(72));
  CHECK(c.cache.stale_wait == siskin::Duration(0));
  CHECK(c.cache.stale_recheck == std::chrono::minutes(1));
  CHECK(c.cache.stale_ttl == 1);
  CHECK(c.cache.stale_except.at(0).to_text() == "bank.example.");
  CHECK(c.resolver.root_hints == hints);
  CHECK(c.dnssec.trust_anchor_state == "/var/lib/siskin/anchors");
  REQUIRE(c.dnssec.negative_trust_anchors.size() == 2);
  CHECK(c.dnssec.negative_trust_anchors[0].zone.to_text() == "a.example.");
  CHECK_FALSE(c.dnssec.negative_trust_anchors[0].until);
  CHECK(c.dnssec.negative_trust_anchors[1].zone.to_text() == "b.example.");
  CHECK(c.dnssec.negative_trust_anchors[1].until ==
        siskin::WallTime(std::chrono::seconds(1'798'740'000)));
  CHECK((!c.resolver.ipv4 && c.resolver.ipv6));
  CHECK((!c.resolver.qname_minimisation && !c.resolver.case_randomisation));
  CHECK(c.resolver.allow_upstream.at(1).to_text() == "fd00::/8");
  CHECK(c.resolver.query_timeout == std::chrono::minutes(1));
  CHECK(c.resolver.edns_udp_size == 512);
  CHECK(c.access.allow.empty());
  REQUIRE(c.ecs.zones.size() == 2);
  CHECK(c.ecs.zones[0].to_text() == "cdn.example.");
  CHECK(c.ecs.zones[1].to_text() == "Shop.test.");
  CHECK(c.ecs.ipv4_prefix == 20);
  CHECK(c.ecs.ipv6_prefix == 0);
  CHECK(c.ecs.accept_from.at(0).to_text() == "10.0.0.0/8");
  CHECK(c.ecs.variants_max == 100);
  CHECK(c.log == Log{siskin::log::Level::debug, siskin::log::Format::json, "/var/log/siskin"});
  CHECK(c.laboratory == Laboratory{65535, false, true, TtlClock::wall});
}

TEST_CASE("config/load: dotted keys, inline tables, a byte order mark and CRLF are TOML too",
          "[config]") {
  CHECK(loaded("server.workers = 3").config.server.workers == 3);
  CHECK(loaded("server = { workers = 3 }").config.server.workers == 3);
  CHECK(loaded("\xEF\xBB\xBF[server]\r\nworkers = 3\r\n").config.server.workers == 3);
}

TEST_CASE("config/load: the origin of each value is remembered", "[config]") {
  const Loaded l =
      loaded("[server]\n\nworkers = 0 # the default, but said\nlisten = [\n\"[::]:1\"]");
  CHECK(origin(l, "server.workers") == "f.toml:3");
  CHECK(origin(l, "server.listen") == "f.toml:4");
  CHECK(origin(l, "server.user") == "default");
}

TEST_CASE("config/load: a laboratory key that differs from its default is a warning", "[config]") {
  const Loaded l = loaded(
      "[laboratory]\nttl_clock = \"wall\"\npriming = true\nupstream_port = 5353\n[cache]\nmin_ttl "
      "= 9");
  REQUIRE(l.warnings.size() == 2);
  CHECK(to_string(l.warnings[0]) ==
        "f.toml:2:13: laboratory.ttl_clock: \"wall\" instead of \"monotonic\", for test rigs only");
  CHECK(to_string(l.warnings[1]) ==
        "f.toml:4:17: laboratory.upstream_port: 5353 instead of 53, for test rigs only");
}

TEST_CASE("config/load: a file is read, and its name leads each line", "[config]") {
  const Folder folder;
  const std::string good = folder.put("good.toml", "[server]\nworkers = 2\n");
  const auto outcome = load_file(good, test::kMachine);
  REQUIRE(outcome.has_value());
  CHECK(outcome->config.server.workers == 2);
  CHECK(origin(*outcome, "server.workers") == good + ":2");
  const std::string bad = folder.put("bad.toml", "[cache]\nmax_ttl = 0\n");
  CHECK(error_of(bad) ==
        bad +
            ":2:11: cache.max_ttl: 0 is too small, an integer from 1 to 604800 (seconds) expected");
}

TEST_CASE("config/load: a file that cannot be read says why", "[config]") {
  const Folder folder;
  const std::string after = ", a readable TOML file of at most 1 MiB expected";
  const std::string missing = (folder.path() / "missing.toml").string();
  CHECK(error_of(missing) == missing + ": cannot be read: No such file or directory" + after);
  CHECK(error_of("/") == "/: cannot be read: is a directory" + after);
  CHECK(error_of("/dev/null") == "/dev/null: cannot be read: is not a regular file" + after);
  const std::string big = folder.put("big.toml", std::string((1U << 20U) + 1, '#'));
  CHECK(error_of(big) == big + ": cannot be read: is too big" + after);
  CHECK(load_file(folder.put("just.toml", std::string(1U << 20U, '#')), 0).has_value());
  if (::geteuid() != 0) {  // root may read everything
    const std::string closed = folder.put("closed.toml", "");
    fs::permissions(closed, fs::perms::none);
    CHECK(error_of(closed) == closed + ": cannot be read: Permission denied" + after);
  }
}

TEST_CASE("config/load: the root hints file must be there and readable", "[config]") {
  const Folder folder;
  const auto error = [&](const std::string& path) {
    return test::errors_of("[resolver]\nroot_hints = '" + path + "'");
  };
  const std::string after = ", the path of a readable file, or \"\" expected";
  CHECK(error("") == std::vector<std::string>{});
  CHECK(error(folder.put("hints", "")) == std::vector<std::string>{});
  CHECK(
      error("/nonexistent/hints") ==
      std::vector<std::string>{"f.toml:2:14: resolver.root_hints: \"/nonexistent/hints\": No such "
                               "file or directory" +
                               after});
  CHECK(error("/") == std::vector<std::string>{
                          "f.toml:2:14: resolver.root_hints: \"/\": is a directory" + after});
}
