// Broken queries: nothing crashes, replies stay well-formed, and the next good query is answered.
#include <optional>
#include <random>

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::runtime::Transport;
using siskin::wire::Rcode;

namespace {

Octets good_query() {
  QuerySpec spec;
  spec.name = "wWw.example.";
  spec.opts = {OptSpec{}};
  spec.opts[0].options = {0, 10, 0, 8, 1, 2, 3, 4, 5,  6, 7,   8, 0,  3,
                          0, 0,  0, 8, 0, 7, 0, 1, 24, 0, 203, 0, 113};
  return query(spec);
}

WorldOptions with_subnets() {
  WorldOptions options;
  options.subnets.emplace();
  options.subnets->accept_from = {siskin::Network()};
  return options;
}

void check_that_good_queries_are_answered(World& world) {
  REQUIRE(world.handle(good_query()).done == World::Done::replied);
  CHECK(world.last_reply().answer == Lines{"wWw.example. 300 IN A 192.0.2.1"});
}

/// What is not known is answered as soon as it is asked.
void be_quick(World& world) {
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  siskin::resolve::Outcome outcome;
  outcome.error = siskin::wire::ExtendedError{siskin::wire::Ede::network_error, "no network"};
  world.questioners[0]->at_once = outcome;
}

/// The reply, at once or later; nothing when the message is dropped.
std::optional<Reply> reply_to(World& world, const Octets& message, Transport transport) {
  World::Asking asking;
  asking.transport = transport;
  switch (world.handle(message, asking).done) {
    case World::Done::dropped: return std::nullopt;
    case World::Done::replied: return world.last_reply();
    case World::Done::pending: break;
  }
  world.run();
  REQUIRE(world.sink.sent.size() == 1);
  Reply reply = world.sent();
  world.sink.sent.clear();
  return reply;
}

/// Whatever came, a reply is readable to the last octet (read_reply) and not too big.
void try_message(World& world, const Octets& message, Transport transport) {
  const std::optional<Reply> reply = reply_to(world, message, transport);
  if (!reply) return;
  if (transport == Transport::udp) REQUIRE(reply->size <= 1232);
  REQUIRE(reply->id == (message[0] << 8 | message[1]));
}

Octets mutate(Octets message, std::mt19937& random) {
  const auto below = [&random](std::size_t bound) { return random() % bound; };
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    if (message.empty()) message.push_back(0);
    const auto at = static_cast<std::ptrdiff_t>(below(message.size()));
    const auto octet = static_cast<std::uint8_t>(random());
    switch (below(5)) {
      case 0: message[static_cast<std::size_t>(at)] = octet; break;
      case 1:
        message[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 2: message.insert(message.begin() + at, octet); break;
      case 3: message.erase(message.begin() + at); break;
      default: message.resize(static_cast<std::size_t>(at)); break;
    }
  }
  return message;
}

}  // namespace

TEST_CASE("serve/mutation: each prefix of a good query is dropped or gets FORMERR", "[serve]") {
  World world(with_subnets());
  be_quick(world);
  const Octets whole = good_query();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const Octets prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto outcome = world.handle(prefix);
    if (size < 12) {
      CHECK(outcome.done == World::Done::dropped);
      continue;
    }
    REQUIRE(outcome.done == World::Done::replied);
    CHECK(world.last_reply().rcode == Rcode::formerr);
    CHECK(world.last_reply().question == (size < 12 + 13 + 4 ? "" : "wWw.example. IN A"));
    CHECK(world.last_reply().size == (size < 12 + 13 + 4 ? 12 : 12 + 13 + 4));
  }
  check_that_good_queries_are_answered(world);
}

TEST_CASE("serve/mutation: a hundred thousand broken queries break nothing", "[serve]") {
  World world(with_subnets());
  be_quick(world);
  const Octets whole = good_query();
  std::mt19937 random(20240229);  // NOLINT: the same queries each time
  for (int i = 0; i < 100000; ++i) {
    const Transport transport = i % 2 == 0 ? Transport::udp : Transport::tcp;
    try_message(world, mutate(whole, random), transport);
    if (i % 1000 == 0) check_that_good_queries_are_answered(world);
  }
  CHECK(world.frontends[0]->pending() == 0);
  CHECK(world.sink.sent.empty());
  check_that_good_queries_are_answered(world);
}
