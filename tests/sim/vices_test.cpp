#include <string>

#include "sim/lies.hpp"
#include "sim/probe.hpp"
#include "sim/world.hpp"
#include "siskin/text/print.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Errc;
using siskin::IpAddress;
using siskin::runtime::ReplyVerdict;
using siskin::runtime::Transport;
using siskin::wire::Name;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kServer = "192.0.2.1";

/// One server for one zone, asked for one name.
struct Scene {
  Scene() {
    world.add_zone("example.", "@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.80\nx.ent A 192.0.2.81\n");
    world.add_server(kServer, {"example."});
  }

  Vices& vices() { return world.server(kServer).vices; }

  /// What became of a question, as the event log has it.
  std::string ask(const char* name = "www.example.", const ProbeQuery& query = {}) {
    (void)probe.ask(kServer, name, RRType::a, query);
    const Event& event = probe.upstream().events().back();
    return event.result + " after " +
           std::to_string((*event.ended - event.began) / milliseconds(1)) + " ms";
  }

  World world;
  Probe probe{world};
};

ProbeQuery without_edns() {
  ProbeQuery query;
  query.with_edns = false;
  return query;
}

ProbeQuery over_tcp() {
  ProbeQuery query;
  query.transport = Transport::tcp;
  return query;
}

}  // namespace

TEST_CASE("sim/server: a good server answers after two ways", "[sim]") {
  Scene scene;
  CHECK(scene.ask() == "NOERROR aa 1/0/1 after 10 ms");
  CHECK(scene.ask("www.example.", over_tcp()) == "NOERROR aa 1/0/1 after 20 ms");
  CHECK(scene.probe.upstream().complaints().empty());
}

TEST_CASE("sim/server: silence and the network's word end as they do with sockets", "[sim]") {
  Scene scene;
  scene.vices().is_dead = true;
  CHECK(scene.ask() == "timeout after 2000 ms");
  CHECK(scene.ask("www.example.", over_tcp()) == "timeout after 2000 ms");
  scene.vices() = {};
  scene.vices().is_unreachable = true;
  CHECK(scene.ask() == "unreachable after 5 ms");
  CHECK(to_string(scene.probe.ask("192.0.2.99", "www.example.", RRType::a).error()) == "timeout");
}

TEST_CASE("sim/server: slow means slow, and too slow a timeout", "[sim]") {
  Scene scene;
  scene.vices().slowness = milliseconds(300);
  CHECK(scene.ask() == "NOERROR aa 1/0/1 after 310 ms");
  scene.vices().slowness = seconds(2);
  CHECK(scene.ask() == "timeout after 2000 ms");
}

TEST_CASE("sim/server: a vice may last from one time to another", "[sim]") {
  Scene scene;
  scene.world.server(kServer).dead_until(seconds(3));
  CHECK(scene.ask() == "timeout after 2000 ms");
  scene.probe.time().run_for(seconds(1));
  CHECK(scene.ask() == "NOERROR aa 1/0/1 after 10 ms");
}

TEST_CASE("sim/server: the ways of being lame", "[sim]") {
  Scene scene;
  scene.vices().lameness = Lameness::refused;
  CHECK(scene.ask() == "REFUSED 0/0/1 after 10 ms");
  scene.vices().lameness = Lameness::servfail;
  CHECK(scene.ask() == "SERVFAIL 0/0/1 after 10 ms");
  scene.vices().lameness = Lameness::notimp;
  CHECK(scene.ask() == "NOTIMP 0/0/1 after 10 ms");
  scene.vices().lameness = Lameness::empty;
  CHECK(scene.ask() == "NOERROR 0/0/1 after 10 ms");
  scene.vices().lameness = Lameness::referral;
  scene.vices().false_referral = {Name(), *Name::from_text("evil.test."),
                                  IpAddress::v4(203, 0, 113, 66)};
  const std::string text = scene.probe.answer(kServer, "www.example.", RRType::a);
  CHECK(text.find(";; AUTHORITY SECTION:\n. 3600 IN NS evil.test.\n"
                  ";; ADDITIONAL SECTION:\nevil.test. 3600 IN A 203.0.113.66\n") !=
        std::string::npos);
}

TEST_CASE("sim/server: the ways of not knowing EDNS", "[sim]") {
  Scene scene;
  scene.vices().edns = EdnsManner::formerr;
  CHECK(scene.ask() == "FORMERR 0/0/0 after 10 ms");
  scene.vices().edns = EdnsManner::formerr_bare;
  CHECK(scene.ask() == "FORMERR 0/0/0 after 10 ms");
  CHECK(scene.probe.judged().back().size() == 12);
  scene.vices().edns = EdnsManner::silent;
  CHECK(scene.ask() == "timeout after 2000 ms");
  scene.vices().edns = EdnsManner::ignored;
  CHECK(scene.ask() == "NOERROR aa 1/0/0 after 10 ms");
  for (const auto manner : {EdnsManner::formerr, EdnsManner::formerr_bare, EdnsManner::silent}) {
    scene.vices().edns = manner;
    CHECK(scene.ask("www.example.", without_edns()) == "NOERROR aa 1/0/0 after 10 ms");
  }
}

TEST_CASE("sim/server: truncation over UDP, and what TCP may be like", "[sim]") {
  Scene scene;
  scene.vices().truncates_always = true;
  CHECK(scene.ask() == "NOERROR aa tc 0/0/1 after 10 ms");
  CHECK(scene.ask("www.example.", over_tcp()) == "NOERROR aa 1/0/1 after 20 ms");
  scene.vices().tcp = TcpManner::refused;
  CHECK(scene.ask("www.example.", over_tcp()) == "unreachable after 10 ms");
  scene.vices().tcp = TcpManner::closes;
  CHECK(scene.ask("www.example.", over_tcp()) == "closed after 20 ms");
  scene.vices().tcp = TcpManner::silent;
  CHECK(scene.ask("www.example.", over_tcp()) == "timeout after 2000 ms");
}

TEST_CASE("sim/server: an empty non-terminal may be denied", "[sim]") {
  Scene scene;
  CHECK(scene.ask("ent.example.") == "NOERROR aa 0/1/1 after 10 ms");
  scene.vices().denies_non_terminals = true;
  CHECK(scene.ask("ent.example.") == "NXDOMAIN aa 0/1/1 after 10 ms");
  CHECK(scene.ask("x.ent.example.") == "NOERROR aa 1/0/1 after 10 ms");
}

TEST_CASE("sim/server: answers may carry the zone's servers", "[sim]") {
  Scene scene;
  scene.vices().adds_zone_servers = true;
  CHECK(scene.ask() == "NOERROR aa 1/1/2 after 10 ms");
}

TEST_CASE("sim/server: the question comes back as asked, lowered, or not at all", "[sim]") {
  Scene scene;
  const auto question = [&] {
    const std::string text = scene.probe.answer(kServer, "wWw.ExAmple.", RRType::a);
    const auto at = text.find(";; QUESTION SECTION:\n");
    return at == std::string::npos ? "none" : text.substr(at + 21, 18);
  };
  CHECK(question() == ";wWw.ExAmple. IN A");
  scene.vices().question = QuestionManner::lowered;
  CHECK(question() == ";www.example. IN A");
  scene.vices().question = QuestionManner::missing;
  CHECK(question() == "none");
}

TEST_CASE("sim/server: forged packets come before the true one", "[sim]") {
  Scene scene;
  scene.vices().forged_ids = 3;
  scene.vices().forged_questions = 2;
  scene.vices().forgery = lies::always(IpAddress::v4(203, 0, 113, 66));
  ProbeQuery query;
  query.verdicts.assign(5, ReplyVerdict::ignore);
  CHECK(scene.ask("www.example.", query) == "NOERROR aa 1/0/1 after 10 ms");
  REQUIRE(scene.probe.judged().size() == 6);
  const auto shown = [&](std::size_t i) {
    return siskin::text::print_message(scene.probe.judged()[i]);
  };
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(shown(i));
    CHECK((shown(i).find("id: 4660") != std::string::npos) == (i >= 3));
    CHECK((shown(i).find(";www.example. IN A") != std::string::npos) == (i < 3));
    CHECK(shown(i).find("203.0.113.66") != std::string::npos);
  }
  CHECK(shown(5).find("192.0.2.80") != std::string::npos);

  query.verdicts.assign(1, ReplyVerdict::give_up);
  CHECK(scene.ask("www.example.", query) == "spoofing suspected after 5 ms");
}

TEST_CASE("sim/server: a hook may change any reply, or keep it back", "[sim]") {
  Scene scene;
  scene.vices().hooks.push_back([](const Query& query, Reply& reply) {
    if (query.type == RRType::a) reply.answer.clear();
  });
  CHECK(scene.ask() == "NOERROR aa 0/0/1 after 10 ms");
  scene.vices().hooks.push_back([](const Query&, Reply& reply) { reply.raw.emplace(5); });
  CHECK(scene.ask() == "unreadable after 10 ms");
  scene.vices().hooks.push_back([](const Query&, Reply& reply) { reply.is_silent = true; });
  CHECK(scene.ask() == "timeout after 2000 ms");
}
