#include "siskin/config/print.hpp"

#include "config/option.hpp"
#include "config/reading.hpp"
#include "support/catch.hpp"

using namespace siskin::config;
using siskin::config::test::loaded;

namespace {

constexpr std::string_view kUnusual = R"(
[server]
listen = ["0.0.0.0:53", "[2001:db8::1]:5353"]
identity = "back\\slash \"quote\" \u00E9"
tcp_idle_timeout = "90s"
[memory]
limit = "75%"
[cache]
min_ttl = 1
[resolver]
ipv6 = false
allow_upstream = ["127.0.0.0/8"]
query_timeout = "250ms"
[dnssec]
trust_anchor_state = "/var/lib/siskin/anchors"
negative_trust_anchors = ["Broken.example", "other.example. until 2026-12-31"]
[log]
format = "json"
[laboratory]
ttl_clock = "wall"
)";

}  // namespace

TEST_CASE("config/print: what is printed reads back to an equal configuration", "[config]") {
  for (const std::string_view text : {std::string_view(""), kUnusual}) {
    CAPTURE(text);
    const Loaded first = loaded(text);
    const Loaded second = loaded(print_config(first));
    CHECK(second.config == first.config);
    CHECK(second.warnings.size() == first.warnings.size());
  }
}

TEST_CASE("config/print: each line says where its value comes from", "[config]") {
  const std::string text = print_config(loaded(kUnusual));
  for (const std::string_view line :
       {"listen = [\"0.0.0.0:53\", \"[2001:db8::1]:5353\"]  # f.toml:3\n",
        "identity = \"back\\\\slash \\\"quote\\\" \\u00E9\"  # f.toml:4\n",
        "tcp_idle_timeout = \"90s\"  # f.toml:5\n", "limit = \"75%\"  # f.toml:7\n",
        "\n[resolver]\nroot_hints = \"\"  # default\nipv4 = true  # default\nipv6 = false  # "
        "f.toml:11",
        "query_timeout = \"250ms\"  # f.toml:13\n",
        "trust_anchor_state = \"/var/lib/siskin/anchors\"  # f.toml:15\n",
        "negative_trust_anchors = [\"Broken.example.\", "
        "\"other.example. until 2026-12-31T00:00:00Z\"]  # f.toml:16\n",
        "validation = true  # default\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("config/print: every option is in the print and in the reference page", "[config]") {
  const std::string print = print_config(defaults());
  const std::string page = reference_page();
  for (const Option& option : options()) {
    CAPTURE(option.name());
    CHECK(print.find("\n" + std::string(option.key) + " = " + std::string(option.default_text) +
                     "  # default\n") != std::string::npos);
    const auto entry = page.find("\n### " + option.name() + "\n");
    REQUIRE(entry != std::string::npos);
    const std::string body = page.substr(entry, page.find("\n### ", entry + 1) - entry);
    CHECK(body.find("- Default: `" + std::string(option.default_text) + "`\n") !=
          std::string::npos);
    CHECK((body.find("**Not there yet**") == std::string::npos) == option.is_offered());
  }
}

TEST_CASE("config/print: a file name cannot break out of its comment", "[config]") {
  const auto outcome = parse_text("server.workers = 1", "a\n[nope]\nb", 0);
  REQUIRE(outcome.has_value());
  CHECK(print_config(*outcome).find("workers = 1  # a?[nope]?b:1\n") != std::string::npos);
}
