#include "serve/fetch_group.hpp"

#include <string>

#include "serve/messages.hpp"
#include "support/catch.hpp"

using siskin::IpAddress;
using siskin::Network;
using siskin::resolve::Outcome;
using siskin::resolve::Question;
using siskin::serve::FetchGroup;
using siskin::serve::OnOutcome;
using siskin::serve::SharedOutcome;
using namespace siskin::serve::test;

namespace {

using Subnet = std::optional<Network>;

Subnet subnet(const char* text) {
  return Network::from_text(text).value();
}

/// The n-th /24.
Subnet numbered(unsigned n) {
  return Network::of(IpAddress::v4(198, 51, static_cast<std::uint8_t>(n), 0), 24);
}

Outcome with_scope(std::uint8_t scope) {
  Outcome outcome;
  outcome.scope = scope;
  return outcome;
}

/// The subnets that may begin now.
std::vector<std::string> begun(FetchGroup& group) {
  std::vector<std::string> subnets;
  while (const auto question = group.begin_next()) {
    CHECK(question->name == name("www.example."));
    CHECK(question->type == siskin::wire::RRType::a);
    subnets.push_back(question->subnet ? question->subnet->to_text() : "none");
  }
  return subnets;
}

FetchGroup group() {
  return FetchGroup(Question{name("www.example."), siskin::wire::RRType::a, subnet("10.0.0.0/8")});
}

OnOutcome asker() {
  return [](const SharedOutcome&) {};
}

}  // namespace

TEST_CASE("serve/fetch_group: without client subnets a group is one fetch", "[serve]") {
  FetchGroup g = group();
  CHECK(g.add({}, asker()));
  CHECK(begun(g) == std::vector<std::string>{"none"});
  CHECK_FALSE(g.add({}, asker()));
  CHECK(begun(g).empty());
  CHECK(g.size() == 1);
  CHECK(g.askers() == 2);
  CHECK(g.end({}, with_scope(0)).size() == 2);
  CHECK(g.size() == 0);
  CHECK(g.askers() == 0);
}

TEST_CASE("serve/fetch_group: one subnet goes first, and its outcome for everybody ends it for all",
          "[serve]") {
  FetchGroup g = group();
  for (unsigned n = 0; n < 50; ++n) {
    CHECK(g.add(numbered(n % 25), asker()) == (n < 25));
  }
  CHECK(g.size() == 25);
  CHECK(begun(g) == std::vector<std::string>{"198.51.0.0/24"});
  CHECK(g.end(numbered(0), with_scope(0)).size() == 50);
  CHECK(g.size() == 0);
}

TEST_CASE("serve/fetch_group: once an outcome is tailored, eight may run at a time, fault A3",
          "[serve]") {
  FetchGroup g = group();
  for (unsigned n = 0; n < 20; ++n) g.add(numbered(n), asker());
  CHECK(begun(g).size() == 1);
  CHECK(g.end(numbered(0), with_scope(24)).size() == 1);
  CHECK(begun(g).size() == 8);
  CHECK(begun(g).empty());
  CHECK(g.end(numbered(3), with_scope(24)).size() == 1);
  CHECK(begun(g) == std::vector<std::string>{"198.51.9.0/24"});
  CHECK(g.size() == 18);
}

TEST_CASE("serve/fetch_group: an outcome for everybody leaves alone those that run", "[serve]") {
  FetchGroup g = group();
  for (unsigned n = 0; n < 20; ++n) g.add(numbered(n), asker());
  begun(g);
  g.end(numbered(0), with_scope(24));
  begun(g);
  CHECK(g.end(numbered(1), with_scope(0)).size() == 12);  // its own, and 9 to 19
  CHECK(g.size() == 7);
  CHECK(g.running() == 7);
  CHECK(g.end(numbered(2), with_scope(0)).size() == 1);
}

TEST_CASE("serve/fetch_group: what is said to those who opted out is for nobody else", "[serve]") {
  FetchGroup g = group();
  g.add(subnet("0.0.0.0/0"), asker());
  g.add(numbered(1), asker());
  g.add(numbered(2), asker());
  CHECK(begun(g) == std::vector<std::string>{"0.0.0.0/0"});
  CHECK(g.end(subnet("0.0.0.0/0"), with_scope(0)).size() == 1);
  CHECK(begun(g) == std::vector<std::string>{"198.51.1.0/24"});
}

TEST_CASE("serve/fetch_group: who asks for the same subnet again joins what runs", "[serve]") {
  FetchGroup g = group();
  g.add(numbered(1), asker());
  begun(g);
  CHECK_FALSE(g.add(numbered(1), asker()));
  CHECK(g.add(subnet("198.51.0.0/16"), asker()));
  CHECK(g.end(numbered(1), with_scope(24)).size() == 2);
  CHECK(begun(g) == std::vector<std::string>{"198.51.0.0/16"});
}
