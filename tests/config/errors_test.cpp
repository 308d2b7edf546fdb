// The exact words for everything that can be wrong with a file.

#include "config/reading.hpp"
#include "support/catch.hpp"

using siskin::config::test::errors_of;

namespace {

struct Case {
  std::string text;
  std::vector<std::string> errors;  // without "f.toml:"
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text);
    std::vector<std::string> expected;
    for (const std::string& error : c.errors) expected.push_back("f.toml:" + error);
    CHECK(errors_of(c.text) == expected);
  }
}

const std::string kSections =
    "[server], [memory], [cache], [resolver], [local_root], [dnssec], [access], [ecs], [log], "
    "[metrics], "
    "[control] or [laboratory] expected";
const std::string kServerKeys =
    "listen, workers, user, udp_size, tcp_connections, tcp_idle_timeout, identity or version "
    "expected";
const std::string kEndpoint = "ADDRESS:PORT or [IPV6-ADDRESS]:PORT expected";
const std::string kNetwork = "ADDRESS/PREFIX or ADDRESS expected";
const std::string kSize = R"(a size from "8MiB" to "16TiB" or a part from "1%" to "100%" expected)";
const std::string kLater = " asks for a feature that is not there yet, ";

}  // namespace

TEST_CASE("config/errors: unknown sections and keys are named with what was meant", "[config]") {
  check({
      {"[sevrer]\n", {"1:2: sevrer: unknown section, " + kSections + ", did you mean [server]?"}},
      {"\n[zzz]\n", {"2:2: zzz: unknown section, " + kSections}},
      {"zzz.a = 1\n", {"1:1: zzz: unknown section, " + kSections}},
      {"workers = 1\n",
       {"1:1: workers: a key outside of any section, section.key or [section] expected, did you "
        "mean server.workers?"}},
      {"server = 3\n",
       {"1:1: server: an integer is the wrong type, the section [server] expected"}},
      {"[[server]]\n", {"1:3: server: an array is the wrong type, the section [server] expected"}},
      {"[server]\nWokers = 1\n",
       {"2:1: server.Wokers: unknown key, " + kServerKeys + ", did you mean workers?"}},
      {"[server]\nroot_hints = \"\"\n",
       {"2:1: server.root_hints: unknown key, " + kServerKeys +
        ", did you mean resolver.root_hints?"}},
      {"[server]\n\"a\\nb\" = 1\nqqq = 2\n",
       {"2:1: server.\"a\\u000Ab\": unknown key, " + kServerKeys,
        "3:1: server.qqq: unknown key, " + kServerKeys}},
      {"[server.tls]\nx = 1\n", {"1:9: server.tls: unknown key, " + kServerKeys}},
      {"[memory]\nlimits = 1\n",
       {"2:1: memory.limits: unknown key, limit expected, did you mean limit?"}},
  });
}

TEST_CASE("config/errors: a wrong type says which one and what fits", "[config]") {
  check({
      {"[server]\nworkers = \"2\"\nlisten = \"127.0.0.1:53\"\ntcp_idle_timeout = 8\n",
       {"2:11: server.workers: a string is the wrong type, an integer from 0 to 1024 (threads) "
        "expected",
        "3:10: server.listen: a string is the wrong type, a list of one or more " + kEndpoint +
            ", did you mean [\"127.0.0.1:53\"]?",
        "4:20: server.tcp_idle_timeout: an integer is the wrong type, a duration from \"100ms\" to "
        "\"10m\" expected, did you mean \"8s\"?"}},
      {"[memory]\nlimit = 268435456\n",
       {"2:9: memory.limit: an integer is the wrong type, " + kSize +
        ", did you mean \"256MiB\"?"}},
      {"[memory]\nlimit = true\n", {"2:9: memory.limit: a boolean is the wrong type, " + kSize}},
      {"[server]\nworkers = 1.5\nlisten = [[]]\nuser = 1979-05-27\nidentity = {}\n",
       {"2:11: server.workers: a float is the wrong type, an integer from 0 to 1024 (threads) "
        "expected",
        "3:11: server.listen: an array is the wrong type, a string expected",
        "4:8: server.user: a date or time is the wrong type, text of at most 255 octets expected",
        "5:12: server.identity: a table is the wrong type, text of at most 255 octets expected"}},
      {"[resolver]\nipv4 = \"yes\"\n",
       {"2:8: resolver.ipv4: a string is the wrong type, true or false expected"}},
      {"[dnssec]\nvalidation = 0\ntrust_anchors = 3\nnegative_trust_anchors = [\"\"]\n",
       {"2:14: dnssec.validation: an integer is the wrong type, true or false expected",
        "3:17: dnssec.trust_anchors: an integer is the wrong type, a path, or a list of records as "
        "text expected",
        "4:27: dnssec.negative_trust_anchors: \"\" is no domain name, a name such as "
        "\"cdn.example.\" expected"}},
      {"[dnssec]\ntrust_anchors = \"/a path\"\n",
       {"2:17: dnssec.trust_anchors: \"/a path\" holds blanks, a path without any, or a list "
        "expected"}},
      {"[dnssec]\ntrust_anchors = \"/no/such\"\n",
       {"2:17: dnssec.trust_anchors: \"/no/such\": No such file or directory, a path, or a list of "
        "records as text expected"}},
      {"[dnssec]\ntrust_anchors = [\". DS 1 8 2 AA\", \"/etc/key\"]\n",
       {"2:35: dnssec.trust_anchors: \"/etc/key\" is no record, text such as \". DS 20326 8 2 "
        "E06D...\" expected"}},
      {"[dnssec]\nnegative_trust_anchors = [\"a.example until 2026-06-31\", \"b.example until \",\n"
       "\"-.example. until 2026-12-31T18:00:00Z\", \"until 2026-12-31\", \"c until d until e\"]\n",
       {"2:27: dnssec.negative_trust_anchors: \"2026-06-31\" is no date, such as 2026-12-31 or "
        "2026-12-31T18:00:00Z expected",
        "2:57: dnssec.negative_trust_anchors: \"\" is no date, such as 2026-12-31 or "
        "2026-12-31T18:00:00Z expected",
        "3:42: dnssec.negative_trust_anchors: \"until 2026-12-31\" is no domain name, a name such "
        "as \"cdn.example.\" expected",
        "3:62: dnssec.negative_trust_anchors: \"d until e\" is no date, such as 2026-12-31 or "
        "2026-12-31T18:00:00Z expected"}},
  });
}

TEST_CASE("config/errors: numbers, sizes and durations out of bounds are refused", "[config]") {
  check({
      {"[server]\nworkers = -1\nudp_size = 511\ntcp_connections = 0\n",
       {"2:11: server.workers: -1 is too small, an integer from 0 to 1024 (threads) expected",
        "3:12: server.udp_size: 511 is too small, an integer from 512 to 4096 (octets) expected",
        "4:19: server.tcp_connections: 0 is too small, an integer from 1 to 65536 (connections) "
        "expected"}},
      {"[resolver]\nedns_udp_size = 9223372036854775807\n",
       {"2:17: resolver.edns_udp_size: 9223372036854775807 is too big, an integer from 512 to 4096 "
        "(octets) expected"}},
      {"[memory]\nlimit = \"256MB\"\n",
       {"2:9: memory.limit: \"256MB\" is no size, " + kSize + ", did you mean \"256MiB\"?"}},
      {"[memory]\nlimit = \"0%\"\n", {"2:9: memory.limit: \"0%\" is no size, " + kSize}},
      {"[memory]\nlimit = \"101%\"\n", {"2:9: memory.limit: \"101%\" is no size, " + kSize}},
      {"[memory]\nlimit = \"0\"\n", {"2:9: memory.limit: \"0\" is too small, " + kSize}},
      {"[memory]\nlimit = \"-1MiB\"\n", {"2:9: memory.limit: \"-1MiB\" is no size, " + kSize}},
      {"[memory]\nlimit = \"17TiB\"\n", {"2:9: memory.limit: \"17TiB\" is too big, " + kSize}},
      {"[memory]\nlimit = \"99999999999999GiB\"\n",
       {"2:9: memory.limit: \"99999999999999GiB\" is no size, " + kSize}},
      {"[resolver]\nquery_timeout = \"61s\"\n",
       {"2:17: resolver.query_timeout: \"61s\" is too long, a duration from \"100ms\" to \"1m\" "
        "expected"}},
      {"[resolver]\nquery_timeout = \"99ms\"\n",
       {"2:17: resolver.query_timeout: \"99ms\" is too short, a duration from \"100ms\" to \"1m\" "
        "expected"}},
      {"[resolver]\nquery_timeout = \"99999999999999999h\"\n",
       {"2:17: resolver.query_timeout: \"99999999999999999h\" is no duration, a duration from "
        "\"100ms\" to \"1m\" expected"}},
      {"[laboratory]\nupstream_port = 0\n",
       {"2:17: laboratory.upstream_port: 0 is too small, an integer from 1 to 65535 expected"}},
  });
}

TEST_CASE("config/errors: a percentage needs to know the machine and to be enough", "[config]") {
  const auto words = [](std::uint64_t machine) {
    const auto outcome = siskin::config::parse_text("[memory]\nlimit = \"1%\"", "f.toml", machine);
    return to_string(outcome.error().at(0));
  };
  CHECK(words(0) ==
        "f.toml:2:9: memory.limit: the memory of this machine is unknown, a size such as "
        "\"256MiB\" expected");
  CHECK(words(838860799) ==
        "f.toml:2:9: memory.limit: \"1%\" of 838860799 octets is too small, " + kSize);
}

TEST_CASE("config/errors: a bad element of a list is shown at its own place", "[config]") {
  check({
      {"[server]\nlisten = [\"127.0.0.1:53\",\n  \"127.0.0.1\", \"::1\",\n  \"[::1]\", "
       "\"127.0.0.1:0\",\n  \"[::ffff:1.2.3.4]:53\", \"localhost:53\", 7]\n",
       {"3:3: server.listen: \"127.0.0.1\" is no address with a port, " + kEndpoint +
            ", did you mean \"127.0.0.1:53\"?",
        "3:16: server.listen: \"::1\" is no address with a port, " + kEndpoint +
            ", did you mean \"[::1]:53\"?",
        "4:3: server.listen: \"[::1]\" is no address with a port, " + kEndpoint +
            ", did you mean \"[::1]:53\"?",
        "4:12: server.listen: \"127.0.0.1:0\" has port 0, a port from 1 to 65535 expected",
        "5:3: server.listen: \"[::ffff:1.2.3.4]:53\" is an IPv4 address inside IPv6, the IPv4 "
        "address itself expected, did you mean \"1.2.3.4:53\"?",
        "5:26: server.listen: \"localhost:53\" is no address with a port, " + kEndpoint,
        "5:42: server.listen: an integer is the wrong type, a string expected"}},
      {"[access]\nallow = [\"10.0.0.1/8\", \"10/8\", \"::1/129\", \"a\\u0000b\"]\n",
       {"2:10: access.allow: \"10.0.0.1/8\" sets bits beyond its prefix, " + kNetwork +
            ", did you mean \"10.0.0.0/8\"?",
        "2:24: access.allow: \"10/8\" is no network, " + kNetwork,
        "2:32: access.allow: \"::1/129\" is no network, " + kNetwork,
        "2:43: access.allow: \"a\\u0000b\" is no network, " + kNetwork}},
  });
}

TEST_CASE("config/errors: listen is neither empty nor has an address twice", "[config]") {
  check({
      {"[server]\nlisten = []\n",
       {"2:10: server.listen: an empty list, a list of one or more " + kEndpoint}},
      {"[server]\nlisten = [\"[::1]:53\",\n  \"[::2]:53\", \"[0:0::1]:53\"]\n",
       {"3:15: server.listen: \"[0:0::1]:53\" stands on line 2 already, each address and port once "
        "expected"}},
  });
}

TEST_CASE("config/errors: keys that contradict each other are reported at the later one",
          "[config]") {
  check({
      {"[cache]\nmin_ttl = 600\nmax_ttl = 300\n",
       {"3:11: cache.max_ttl: 300 is below min_ttl on line 2, at least 600 expected"}},
      {"[cache]\nmax_ttl = 300\nmin_ttl = 600\n",
       {"3:11: cache.min_ttl: 600 is above max_ttl on line 2, at most 300 expected"}},
      {"[cache]\nmin_ttl = 86400\nmax_ttl = 0\n",  // only what is wrong in itself
       {"3:11: cache.max_ttl: 0 is too small, an integer from 1 to 604800 (seconds) expected"}},
      {"[cache]\nmax_ttl = 60\n", {}},  // below the default of max_negative_ttl: no contradiction
      {"[resolver]\nipv6 = false\nipv4 = false\n",
       {"3:8: resolver.ipv4: no address family is left to ask servers with, true for ipv4 or ipv6 "
        "expected"}},
  });
}

TEST_CASE("config/errors: words out of a list, with the one that was meant", "[config]") {
  check({
      {"[log]\nlevel = \"inof\"\nformat = \"xml\"\ntarget = \"\"\n",
       {"2:9: log.level: \"inof\" is not known, \"trace\", \"debug\", \"info\", \"warn\" or "
        "\"error\" expected, did you mean \"info\"?",
        "3:10: log.format: \"xml\" is not known, \"text\" or \"json\" expected",
        "4:10: log.target: \"\" is too short, text of 1 to 4095 octets expected"}},
      {"[laboratory]\nttl_clock = \"wal\"\n",
       {"2:13: laboratory.ttl_clock: \"wal\" is not known, \"monotonic\" or \"wall\" expected, did "
        "you mean \"wall\"?"}},
  });
}

TEST_CASE("config/errors: control characters and NUL are refused wherever they stand", "[config]") {
  using namespace std::string_literals;
  check({
      {"[log]\ntarget = \"a\\u0007b\"\n",
       {"2:10: log.target: \"a\\u0007b\" holds a control character, text without any expected"}},
      {"[server]\nuser = \"\"\"a\nb\"\"\"\n",
       {"2:8: server.user: \"a\\u000Ab\" holds a control character, text without any expected"}},
      {"[ecs]\nzones = [\"a\\u0000\"]\n",
       {"2:10: ecs.zones: \"a\\u0000\" holds a control character, text without any expected"}},
      {"[dnssec]\nnegative_trust_anchors = [\"a\\u0000\"]\n",
       {"2:27: dnssec.negative_trust_anchors: \"a\\u0000\" holds a control character, text without "
        "any expected"}},
      {"# a comment\n#\0\n"s, {"2:2: a NUL byte, text expected"}},
      {"[server]\nuser = 'a\0'"s, {"2:10: a NUL byte, text expected"}},
  });
}

TEST_CASE("config/errors: a key of a later feature is accepted as off only", "[config]") {
  check({
      {"[metrics]\nlisten = \"\"\n[control]\n"
       "socket = \"\"\n[laboratory]\nspecial_names = false\n",
       {}},
      {"[metrics]\nlisten = \"127.0.0.1:9953\"\n[control]\nsocket = \"/run/s\"\n",
       {"2:10: metrics.listen: \"127.0.0.1:9953\"" + kLater + "\"\" expected",
        "4:10: control.socket: \"/run/s\"" + kLater + "\"\" expected"}},
      {"[laboratory]\nspecial_names = true\n",
       {"2:17: laboratory.special_names: true" + kLater + "false expected"}},
  });
}

TEST_CASE("config/errors: zones of client subnet are domain names, prefixes are bounded",
          "[config]") {
  const std::string name = " is no domain name, a name such as \"cdn.example.\" expected";
  const std::string network = "ADDRESS/PREFIX or ADDRESS expected";
  check({
      {"[ecs]\nzones = [\"a..b\", \"ok.example\", \"\"]\nipv4_prefix = 33\nipv6_prefix = 65\n",
       {"2:10: ecs.zones: \"a..b\"" + name, "2:32: ecs.zones: \"\"" + name,
        "3:15: ecs.ipv4_prefix: 33 is too big, an integer from 0 to 32 (bits) expected",
        "4:15: ecs.ipv6_prefix: 65 is too big, an integer from 0 to 64 (bits) expected"}},
      {"[ecs]\nzones = \"cdn.example.\"\naccept_from = [\"10.0.0.1/8\"]\n",
       {"2:9: ecs.zones: a string is the wrong type, a list of names expected, did you mean "
        "[\"cdn.example.\"]?",
        "3:16: ecs.accept_from: \"10.0.0.1/8\" sets bits beyond its prefix, " + network +
            ", did you mean \"10.0.0.0/8\"?"}},
  });
}

TEST_CASE("config/errors: all errors of a file come in the order of its lines", "[config]") {
  check({{"[log]\nlevel = 1\n[cache]\nmax_ttl = -1\n[access]\nallow = 3\n[nope]\n",
          {"2:9: log.level: an integer is the wrong type, \"trace\", \"debug\", \"info\", \"warn\" "
           "or \"error\" expected",
           "4:11: cache.max_ttl: -1 is too small, an integer from 1 to 604800 (seconds) expected",
           "6:9: access.allow: an integer is the wrong type, a list of ADDRESS/PREFIX expected",
           "7:2: nope: unknown section, " + kSections}}});
}

TEST_CASE("config/errors: broken TOML is reported with its place", "[config]") {
  // The words after the place are the TOML library's and change with its version.
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[server]\nworkers = \n", "f.toml:2:11: TOML: "},
      {"[server]\nworkers = 1\nworkers = 2\n", "f.toml:3:"},
      {"[server\n", "f.toml:1:"},
      {"[server]\n[server]\n", "f.toml:2:"},
      {"[=", "f.toml:1:2: TOML: "},  // an assertion in toml++ 3.3
      {"# \xff", "f.toml:1:"},
      {"[server]\nworkers = 99999999999999999999\n", "f.toml:2:"},
      {"[server]\nlisten = [\"127.0.0.1:53\"\nworkers = 1\n", "f.toml:3:"},
  };
  for (const auto& [text, beginning] : cases) {
    CAPTURE(text);
    const auto errors = errors_of(text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].substr(0, beginning.size()) == beginning);
    CHECK(errors[0].size() > beginning.size() + 10);
  }
}
