// Queries that wait for a fetch, through the whole of Frontend and Fetches.
#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::resolve::Outcome;
using siskin::runtime::Transport;
using siskin::wire::Ede;
using siskin::wire::ExtendedError;
using siskin::wire::Rcode;
using siskin::wire::RRType;
namespace flag = siskin::wire::flag;

namespace {

constexpr auto kPending = World::Done::pending;

Outcome address_outcome(const std::string& owner = "www.example.") {
  Outcome outcome;
  outcome.rcode = Rcode::noerror;
  outcome.answer = {a_set(owner, 300, {"192.0.2.1"})};
  return outcome;
}

QuerySpec asking(const std::string& text) {
  QuerySpec spec;
  spec.name = text;
  return spec;
}

QuerySpec with_edns(QuerySpec spec = {}) {
  spec.opts = {OptSpec{}};
  return spec;
}

}  // namespace

TEST_CASE("serve/miss: the reply follows when the fetch ends", "[serve]") {
  World world;
  CHECK(world.handle(query({})).done == kPending);
  CHECK(world.frontends[0]->pending() == 1);
  world.run();
  CHECK(world.sink.sent.empty());
  world.asked().answer(address_outcome());
  world.run();
  REQUIRE(world.sink.sent.size() == 1);
  const Reply reply = world.sent();
  CHECK(reply.id == 0x1234);
  CHECK(reply.flags == (flag::qr | flag::rd | flag::ra));
  CHECK(reply.question == "www.example. IN A");
  CHECK(reply.answer == Lines{"www.example. 300 IN A 192.0.2.1"});
  CHECK_FALSE(reply.opt);
  CHECK(world.frontends[0]->pending() == 0);
  CHECK(world.sink.abandoned == 0);
}

TEST_CASE("serve/miss: a hundred askers on two cores make one fetch, each gets its own reply",
          "[serve]") {
  WorldOptions options;
  options.cores = 2;
  World world(options);
  const auto spelling = [](unsigned i) {
    std::string text = "abcdefgh.example.";
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (i >> bit & 1) text[bit] = static_cast<char>(text[bit] - 'a' + 'A');
    }
    return text;
  };
  for (unsigned i = 0; i < 100; ++i) {
    QuerySpec spec = asking(spelling(i));
    spec.id = static_cast<std::uint16_t>(7000 + i);
    spec.flags = static_cast<std::uint16_t>(flag::rd | (i % 3 == 0 ? flag::cd : 0));
    World::Asking from;
    from.core = i % 2;
    from.port = static_cast<std::uint16_t>(20000 + i);
    REQUIRE(world.handle(query(spec), from).done == kPending);
    if (i % 10 == 0) world.run();
  }
  world.run();
  CHECK(world.questions_asked() == 1);
  CHECK(world.asked().asked[0].name.to_text() == "abcdefgh.example.");
  CHECK(world.frontends[0]->pending() == 50);
  CHECK(world.frontends[1]->pending() == 50);

  world.asked().answer(address_outcome("abcdefgh.example."));
  world.run();
  REQUIRE(world.sink.sent.size() == 100);
  for (const auto& [ticket, octets] : world.sink.sent) {
    const unsigned i = ticket.client.port - 20000U;
    const Reply reply = read_reply(octets);
    CHECK(reply.id == 7000 + i);
    CHECK(reply.flags == (flag::qr | flag::rd | flag::ra | (i % 3 == 0 ? flag::cd : 0)));
    CHECK(reply.question == spelling(i) + " IN A");
    CHECK(reply.answer == Lines{spelling(i) + " 300 IN A 192.0.2.1"});
  }
  CHECK(world.frontends[0]->pending() + world.frontends[1]->pending() == 0);
}

TEST_CASE("serve/miss: each asker gets what its transport, size and DO allow", "[serve]") {
  World world;
  QuerySpec spec;
  spec.type = RRType::txt;
  CHECK(world.handle(query(spec)).done == kPending);  // 0: 512 octets
  World::Asking over_tcp;
  over_tcp.transport = Transport::tcp;
  CHECK(world.handle(query(spec), over_tcp).done == kPending);  // 1: 65535
  spec.opts = {OptSpec{}};
  CHECK(world.handle(query(spec)).done == kPending);  // 2: 1232
  spec.opts[0].flags = kDnssecOk;
  CHECK(world.handle(query(spec)).done == kPending);  // 3: 1232, signatures
  world.run();
  Outcome outcome;
  outcome.rcode = Rcode::noerror;
  outcome.answer = {with_signature(txt_set("www.example.", 300, 8, 100))};
  world.asked().answer(outcome);
  world.run();

  REQUIRE(world.sink.sent.size() == 4);
  const auto reply = [&world](std::size_t i) { return read_reply(world.sink.sent[i].second); };
  CHECK(reply(0).truncated());
  CHECK(reply(0).answer.empty());
  CHECK(reply(0).size <= 512);
  CHECK_FALSE(reply(1).truncated());
  CHECK(reply(1).answer.size() == 8);
  CHECK(reply(2).answer.size() == 8);
  CHECK(reply(2).opt->flags == 0);
  CHECK(reply(3).answer.size() == 9);
  CHECK(reply(3).opt->flags == kDnssecOk);
}

TEST_CASE("serve/miss: denial records go to those with DO only", "[serve]") {
  World world;
  QuerySpec spec = with_edns();
  CHECK(world.handle(query(spec)).done == kPending);
  spec.opts[0].flags = kDnssecOk;
  CHECK(world.handle(query(spec)).done == kPending);
  world.run();
  Outcome outcome;
  outcome.rcode = Rcode::nxdomain;
  siskin::wire::RRset nsec = txt_set("example.", 60, 1, 5);
  nsec.type = RRType::nsec;
  outcome.authority = {with_signature(soa_set("example.", 60)), nsec};
  world.asked().answer(outcome);
  world.run();
  REQUIRE(world.sink.sent.size() == 2);
  const Reply plain = read_reply(world.sink.sent[0].second);
  CHECK(plain.rcode == Rcode::nxdomain);
  CHECK(plain.authority == Lines{"example. 60 IN SOA (22)"});
  const Reply secure = read_reply(world.sink.sent[1].second);
  CHECK(secure.authority.size() == 3);
}

TEST_CASE("serve/miss: fault B45: no name after aliases is NXDOMAIN with the aliases", "[serve]") {
  World world;
  CHECK(world.handle(query(asking("a.example."))).done == kPending);
  world.run();
  Outcome outcome;
  outcome.rcode = Rcode::nxdomain;
  outcome.answer = {cname_set("a.example.", 300, "gone.example.")};
  outcome.authority = {soa_set("example.", 60)};
  world.asked().answer(outcome);
  world.run();
  CHECK(world.sent().rcode == Rcode::nxdomain);
  CHECK(world.sent().answer == Lines{"a.example. 300 IN CNAME gone.example."});
  CHECK(world.sent().authority == Lines{"example. 60 IN SOA (22)"});
}

TEST_CASE("serve/miss: SERVFAIL says why and holds no records", "[serve]") {
  World world;
  CHECK(world.handle(query(with_edns())).done == kPending);
  world.run();
  Outcome outcome = address_outcome();
  outcome.rcode = Rcode::servfail;
  outcome.error = ExtendedError{Ede::no_reachable_authority, "no server of example. answers"};
  world.asked().answer(outcome);
  world.run();
  CHECK(world.sent().rcode == Rcode::servfail);
  CHECK(world.sent().answer.empty());
  CHECK(world.sent().error() == outcome.error);
}

TEST_CASE("serve/miss: fault A91: without RD nobody is asked", "[serve]") {
  World world;
  QuerySpec spec = with_edns();
  spec.flags = 0;
  const Reply refused = world.ask(spec);
  CHECK(refused.rcode == Rcode::refused);
  CHECK(refused.flags == (flag::qr | flag::ra | 5));
  CHECK(refused.error() == ExtendedError{Ede::not_authoritative, ""});
  world.run();
  CHECK(world.questions_asked() == 0);
  CHECK(world.frontends[0]->pending() == 0);
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  CHECK(world.ask(spec).answer == Lines{"www.example. 300 IN A 192.0.2.1"});

  WorldOptions options;
  options.allow = {};
  World closed(options);
  closed.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  CHECK(closed.ask(spec).error()->code == Ede::prohibited);
  CHECK(closed.ask(spec).answer.empty());
}

TEST_CASE("serve/miss: too many waiting queries are SERVFAIL at once, and the limit is named",
          "[serve]") {
  WorldOptions options;
  options.frontend.pending_max = 2;
  World world(options);
  CHECK(world.handle(query(asking("a.example."))).done == kPending);
  CHECK(world.handle(query(asking("b.example."))).done == kPending);
  const Reply reply = world.ask(with_edns(asking("c.example.")));
  CHECK(reply.rcode == Rcode::servfail);
  CHECK(reply.error() == ExtendedError{Ede::other, "2 queries wait already"});
  world.run();
  world.asked().answer(address_outcome("a.example."));
  world.run();
  CHECK(world.handle(query(asking("c.example."))).done == kPending);
}

TEST_CASE("serve/miss: an outcome that comes while the query is handled is the reply itself",
          "[serve]") {
  WorldOptions options;
  options.fetches.fetches_max = 0;
  World world(options);
  world.crew.at_once = true;
  const Reply reply = world.ask(with_edns());
  CHECK(reply.rcode == Rcode::servfail);
  CHECK(reply.error() == ExtendedError{Ede::other, "0 questions are in flight already"});
  CHECK(world.frontends[0]->pending() == 0);
  CHECK(world.sink.sent.empty());

  World queued(options);
  CHECK(queued.handle(query(with_edns())).done == kPending);
  queued.run();
  CHECK(queued.sent().rcode == Rcode::servfail);
  CHECK(queued.frontends[0]->pending() == 0);
}

TEST_CASE("serve/miss: a query that came early does not get in the way of the next", "[serve]") {
  WorldOptions options;
  options.fetches.fetches_max = 1;
  World world(options);
  world.crew.at_once = true;
  CHECK(world.handle(query(asking("a.example."))).done == kPending);
  CHECK(world.ask(asking("b.example.")).rcode == Rcode::servfail);
  CHECK(world.handle(query(asking("A.example."))).done == kPending);
  world.run();
  world.asked().answer(address_outcome("a.example."));
  world.run();
  CHECK(world.sink.sent.size() == 2);
  CHECK(world.sent().question == "A.example. IN A");
}

TEST_CASE("serve/miss: when one question has its answer the next asker begins anew", "[serve]") {
  World world;
  for (std::size_t round = 1; round <= 2; ++round) {
    CHECK(world.handle(query({})).done == kPending);
    world.run();
    CHECK(world.questions_asked() == round);
    world.asked().answer(address_outcome());  // which the resolver would have put into the cache
    world.run();
  }
  CHECK(world.sink.sent.size() == 2);
}

TEST_CASE("serve/miss: at shutdown those that wait get SERVFAIL with EDE 14, once", "[serve]") {
  World world;
  world.keep(a_set("known.example.", 300, {"192.0.2.1"}));
  CHECK(world.handle(query(with_edns())).done == kPending);
  CHECK(world.handle(query(with_edns(asking("other.example.")))).done == kPending);
  world.run();
  world.frontends[0]->fail_pending();
  REQUIRE(world.sink.sent.size() == 2);
  for (const auto& [ticket, octets] : world.sink.sent) {
    const Reply reply = read_reply(octets);
    CHECK(reply.rcode == Rcode::servfail);
    CHECK(reply.error() == ExtendedError{Ede::not_ready, "shutting down"});
  }
  CHECK(world.frontends[0]->pending() == 0);

  CHECK(world.ask(with_edns(asking("new.example."))).error()->code == Ede::not_ready);
  CHECK(world.ask(asking("known.example.")).rcode == Rcode::noerror);
  world.asked().answer(address_outcome());
  world.run();
  CHECK(world.sink.sent.size() == 2);
}

TEST_CASE("serve/miss: an outcome may come after the frontend is gone", "[serve]") {
  World world;
  CHECK(world.handle(query({})).done == kPending);
  world.run();
  world.frontends[0].reset();
  world.asked().answer(address_outcome());
  world.run();
  CHECK(world.sink.sent.empty());
}

TEST_CASE("serve/miss: a reply has as many octets as its asker takes, not as the last one did",
          "[serve]") {
  World world;
  std::string longest;
  for (int i = 0; i < 127; ++i) longest += "a.";
  CHECK(world.handle(query(asking(longest))).done == kPending);
  CHECK(world.handle(query(asking("."))).done == kPending);
  world.run();
  world.asked().answer(address_outcome(longest));
  world.run();
  CHECK(world.sent().question == longest + " IN A");
  Outcome nodata;
  nodata.rcode = Rcode::noerror;
  nodata.authority = {soa_set(".", 60)};
  world.asked().answer(nodata);
  world.run();
  CHECK(world.sent().question == ". IN A");
  CHECK(world.sent().authority == Lines{". 60 IN SOA (22)"});
}
