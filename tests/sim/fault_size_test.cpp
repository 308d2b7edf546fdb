/// Answers that are large or oddly cut, by their numbers in the catalogue.
#include <algorithm>

#include "sim/base_world.hpp"
#include "sim/outcome_text.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/wire/header.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using runtime::Transport;
using wire::RRType;

resolve::Question question(std::string_view name, RRType type) {
  return {wire::Name::from_text(name).value(), type};
}

bool is_truncated(const std::vector<std::uint8_t>& reply) {
  return (reply[2] & wire::flag::tc >> 8) != 0;
}

ClientQuery over_tcp() {
  ClientQuery query;
  query.transport = Transport::tcp;
  return query;
}

ClientQuery without_edns() {
  ClientQuery query;
  query.with_edns = false;
  return query;
}

ClientQuery with_size(std::uint16_t udp_size) {
  ClientQuery query;
  query.udp_size = udp_size;
  return query;
}

std::string lines(int count, const std::string& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + std::to_string(i) + "\"\n";
  return text;
}

/// The RDATA of the answer's only set.
std::vector<std::vector<std::uint8_t>> rdata_of(const std::vector<std::uint8_t>& reply,
                                                const resolve::Question& asked) {
  const auto outcome = outcome_of(reply, asked, ClientQuery{}.id);
  std::vector<std::vector<std::uint8_t>> all;
  if (outcome.answer.size() != 1) return all;
  for (const wire::Bytes rdata : outcome.answer.front().records) {
    all.emplace_back(rdata.begin(), rdata.end());
  }
  return all;
}

TEST_CASE("fault B63: a truncated reply is asked for over TCP, and TC is passed on",
          "[sim][fault]") {
  World world;
  add_base(world, lines(10, "ten TXT \"" + std::string(60, 'x')));
  world.server(kExample).vices.hooks.push_back([](const Query& query, Reply& reply) {
    if (query.transport == Transport::tcp || reply.answer.empty()) return;
    wire::RecordList three;
    for (const wire::Bytes rdata : reply.answer.front().records) {
      if (three.count() < 3) three.add(rdata);
    }
    reply.answer.front().records = three;
    reply.is_truncated = true;
  });
  SimFrontend frontend(world);
  const auto asked = question("ten.example.", RRType::txt);
  const auto udp = frontend.ask(asked, without_edns());
  CHECK(udp.size() <= 512);
  CHECK(is_truncated(udp));
  CHECK(frontend.resolver().upstream().count(kExample, 0) == 2);  // UDP, then TCP
  const auto tcp = frontend.ask(asked, over_tcp());
  CHECK(!is_truncated(tcp));
  CHECK(rdata_of(tcp, asked).size() == 10);
  CHECK(frontend.resolver().upstream().count(kExample, 0) == 2);
}

TEST_CASE("fault B65: a large answer from the cache is cut to what the client takes",
          "[sim][fault]") {
  World world;
  std::string text;
  for (int i = 0; i < 150; ++i) {
    text += "big SRV 0 0 " + std::to_string(1000 + i) + " a-host-with-a-long-name.example.\n";
  }
  add_base(world, text);
  SimFrontend frontend(world);
  const auto asked = question("big.example.", RRType::srv);
  const auto tcp = frontend.ask(asked, over_tcp());
  CHECK(tcp.size() > 5600);
  CHECK(rdata_of(tcp, asked).size() == 150);
  const auto small = frontend.ask(asked, without_edns());
  CHECK(small.size() <= 512);
  CHECK(is_truncated(small));
  for (const std::uint16_t size : {std::uint16_t{1232}, std::uint16_t{4096}}) {
    const auto udp = frontend.ask(asked, with_size(size));
    CHECK(udp.size() <= 1232);  // our own limit
    CHECK(is_truncated(udp));
  }
}

TEST_CASE("fault B67: a set of more than 256 records is the same from the cache", "[sim][fault]") {
  World world;
  add_base(world, lines(262, "corp TXT \"" + std::string(30, 'y')));
  SimFrontend frontend(world);
  const auto asked = question("corp.example.", RRType::txt);
  const auto first = rdata_of(frontend.ask(asked, over_tcp()), asked);
  CHECK(first.size() == 262);
  const std::size_t sent = frontend.resolver().upstream().count();
  auto second = rdata_of(frontend.ask(asked, over_tcp()), asked);
  CHECK(frontend.resolver().upstream().count() == sent);
  auto sorted = first;  // each answer begins with another record
  std::ranges::sort(sorted);
  std::ranges::sort(second);
  CHECK(second == sorted);
}

TEST_CASE("fault B69: strings of TXT records keep their bounds and octets", "[sim][fault]") {
  std::string octets;
  for (int i = 0; i < 255; ++i) {
    const std::string number = std::to_string(i);
    octets += "\\" + std::string(3 - number.size(), '0') + number;
  }
  std::string empty;
  for (int i = 0; i < 16; ++i) empty += " \"\"";
  const std::vector<std::pair<std::string, std::size_t>> cases{
      {"\"" + std::string(184, 'a') + "\"", 185},
      {"\"" + std::string(255, 'b') + "\"", 256},
      {"\"" + std::string(255, 'c') + "\" \"" + std::string(45, 'd') + "\"", 302},
      {empty, 16},
      {"\"" + octets + "\" \"\\255\"", 258}};
  std::string text;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    text += "t" + std::to_string(i) + " TXT " + cases[i].first + "\n";
  }
  World world;
  add_base(world, text);
  SimFrontend frontend(world);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto asked = question("t" + std::to_string(i) + ".example.", RRType::txt);
    const wire::RRset* const set =
        world.find_zone(wire::Name::from_text("example.").value())->find(asked.name, RRType::txt);
    const wire::Bytes wanted = *set->records.begin();
    CHECK(wanted.size() == cases[i].second);
    for (int turn = 0; turn < 2; ++turn) {  // from the server, from the cache
      CAPTURE(i);
      const auto reply = frontend.ask(asked);
      CHECK(!std::ranges::search(reply, wanted).empty());
    }
  }
}

TEST_CASE("fault A9: no reply is asked for that would come in fragments", "[sim][fault]") {
  World world;
  add_base(world, lines(40, "big TXT \"" + std::string(60, 'z')));
  std::vector<std::uint16_t> offered;
  world.server(kExample).vices.hooks.push_back([&](const Query& query, Reply& reply) {
    if (query.transport == Transport::udp) offered.push_back(query.udp_size);
    // What a second fragment could hold: servers and addresses beside an answer.
    if (reply.answer.empty()) return;
    wire::RRset ns{wire::Name::from_text("example.").value(), RRType::ns, 86400, {}, {}};
    ns.records.add(wire::Name::from_text("ns.evil.example.").value().wire());
    wire::RRset glue{wire::Name::from_text("ns.evil.example.").value(), RRType::a, 86400, {}, {}};
    glue.records.add(IpAddress::from_text(kEvil).value().octets());
    reply.authority.push_back(ns);
    reply.additional.push_back(glue);
  });
  SimFrontend frontend(world);
  const auto asked = question("big.example.", RRType::txt);
  CHECK(rdata_of(frontend.ask(asked, over_tcp()), asked).size() == 40);
  REQUIRE(!offered.empty());
  for (const std::uint16_t size : offered) CHECK(size == 1232);
  frontend.ask(question("other.example.", RRType::a));
  CHECK(frontend.resolver().upstream().count(kEvil, 0) == 0);
}

}  // namespace
}  // namespace siskin::sim
