// The header rules of replies, through the whole of Frontend::handle().
#include <algorithm>

#include "serve/world.hpp"
#include "siskin/wire/cursor.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::runtime::Transport;
using siskin::wire::Rcode;
using siskin::wire::RRType;
namespace flag = siskin::wire::flag;

namespace {

constexpr auto kDropped = World::Done::dropped;
constexpr auto kReplied = World::Done::replied;

World::Asking over(Transport transport) {
  World::Asking asking;
  asking.transport = transport;
  return asking;
}

/// A header alone, whatever its counts promise.
Octets header(std::uint16_t flags, std::uint16_t questions) {
  return {0xab,
          0xcd,
          static_cast<std::uint8_t>(flags >> 8),
          static_cast<std::uint8_t>(flags),
          0,
          static_cast<std::uint8_t>(questions),
          0,
          0,
          0,
          0,
          0,
          0};
}

}  // namespace

TEST_CASE("serve/header: fault A77: under 12 octets there is no reply, on either transport",
          "[serve]") {
  World world;
  const Transport transport = GENERATE(Transport::udp, Transport::tcp);
  for (const std::size_t size : {0U, 1U, 2U, 11U}) {
    CAPTURE(size);
    CHECK(world.handle(Octets(size), over(transport)).done == kDropped);
  }
}

TEST_CASE("serve/header: fault A77: a header without its question gets FORMERR, a header alone",
          "[serve]") {
  World world;
  const Transport transport = GENERATE(Transport::udp, Transport::tcp);
  const auto questions = GENERATE(as<std::uint16_t>{}, 0, 1, 2);
  REQUIRE(world.handle(header(flag::rd, questions), over(transport)).done == kReplied);
  const Reply reply = world.last_reply();
  CHECK(reply.size == 12);
  CHECK(reply.id == 0xabcd);
  CHECK(reply.rcode == Rcode::formerr);
  CHECK(reply.flags == (flag::qr | flag::rd | flag::ra | 1));
  CHECK(reply.question.empty());
}

TEST_CASE("serve/header: fault A79: a reply gets no reply", "[serve]") {
  World world;
  for (unsigned high = 0x80; high <= 0xff; ++high) {
    Octets message = query({});
    message[2] = static_cast<std::uint8_t>(high);
    CHECK(world.handle(message).done == kDropped);
  }
  Octets error = header(0x8001, 0);  // as another resolver would complain about us
  CHECK(world.handle(error).done == kDropped);
  CHECK(world.sink.sent.empty());
}

TEST_CASE("serve/header: fault A81: AA, RA, Z, AD and RCODE of a query are not copied", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  const auto set =
      GENERATE(as<std::uint16_t>{}, 0x0400, 0x0080, 0x0040, 0x0020, 0x0001, 0x000f, 0x04ef);
  const std::uint16_t copied =
      GENERATE(std::uint16_t{0}, flag::rd, flag::cd, std::uint16_t{flag::rd | flag::cd});
  QuerySpec spec;
  spec.flags = static_cast<std::uint16_t>(set | copied);
  const Reply reply = world.ask(spec);
  CHECK(reply.flags == (flag::qr | flag::ra | copied));
  CHECK(reply.answer == Lines{"www.example. 300 IN A 192.0.2.1"});
}

TEST_CASE("serve/header: fault A81: TC and records where none belong get FORMERR without a copy",
          "[serve]") {
  World world;
  Octets truncated = query({});
  truncated[2] |= 0x02;
  REQUIRE(world.handle(truncated).done == kReplied);
  CHECK(world.last_reply().rcode == Rcode::formerr);
  CHECK_FALSE(world.last_reply().truncated());

  const auto count_at = GENERATE(as<std::size_t>{}, 7, 9);  // ANCOUNT, NSCOUNT
  Octets message = query({});
  message[count_at] = 1;
  const Octets record = {0, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 66};
  message.insert(message.end(), record.begin(), record.end());
  REQUIRE(world.handle(message).done == kReplied);
  const Reply reply = world.last_reply();
  CHECK(reply.rcode == Rcode::formerr);
  CHECK(reply.question == "www.example. IN A");
  CHECK(reply.size == query({}).size());
}

TEST_CASE("serve/header: other opcodes get NOTIMP and their opcode back", "[serve]") {
  World world;
  for (std::uint16_t opcode = 1; opcode < 16; ++opcode) {
    QuerySpec spec;
    spec.flags = static_cast<std::uint16_t>(opcode << 11 | flag::rd);
    const Reply reply = world.ask(spec);
    CHECK(reply.rcode == Rcode::notimp);
    CHECK(reply.flags == (flag::qr | opcode << 11 | flag::rd | flag::ra | 4));
    CHECK(reply.id == spec.id);
  }
  CHECK(world.questions_asked() == 0);
}

TEST_CASE("serve/header: ID and letter case of the question come back", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  for (const char* asked : {"www.example.", "WWW.EXAMPLE.", "wWw.eXaMpLe."}) {
    for (const std::uint16_t id : std::initializer_list<std::uint16_t>{0, 1, 0x8000, 0xffff}) {
      QuerySpec spec;
      spec.name = asked;
      spec.id = id;
      const Reply reply = world.ask(spec);
      CHECK(reply.id == id);
      CHECK(reply.question == std::string(asked) + " IN A");
      CHECK(reply.answer == Lines{std::string(asked) + " 300 IN A 192.0.2.1"});
    }
  }
}

TEST_CASE("serve/header: a compressed question name gets FORMERR and is not echoed", "[serve]") {
  World world;
  Octets message = header(flag::rd, 1);
  const Octets question = {0xc0, 12, 0, 1, 0, 1};  // a pointer to itself, fault A67
  message.insert(message.end(), question.begin(), question.end());
  REQUIRE(world.handle(message).done == kReplied);
  CHECK(world.last_reply().rcode == Rcode::formerr);
  CHECK(world.last_reply().size == 12);
}

TEST_CASE("serve/header: clients outside the access list are refused with EDE 18", "[serve]") {
  WorldOptions options;
  options.allow = {"192.0.2.0/24"};
  World world(options);
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  World::Asking stranger;
  stranger.client = GENERATE("198.51.100.1", "2001:db8::1", "::ffff:198.51.100.1");
  const Reply plain = world.ask({}, stranger);
  CHECK(plain.rcode == Rcode::refused);
  CHECK(plain.answer.empty());
  CHECK_FALSE(plain.opt);
  QuerySpec with_edns;
  with_edns.opts = {OptSpec{}};
  const Reply reply = world.ask(with_edns, stranger);
  CHECK(reply.rcode == Rcode::refused);
  REQUIRE(reply.error());
  CHECK(reply.error()->code == siskin::wire::Ede::prohibited);

  World::Asking friendly;
  friendly.client = "::ffff:192.0.2.9";
  CHECK(world.ask({}, friendly).rcode == Rcode::noerror);
  CHECK(world.questions_asked() == 0);
}

TEST_CASE("serve/header: fault A89: meta types are refused without a question upstream",
          "[serve]") {
  World world;
  for (const RRType type : {RRType::none, RRType::opt, RRType::tsig, RRType::tkey, RRType::ixfr,
                            RRType::axfr, RRType::mailb, RRType::maila}) {
    QuerySpec spec;
    spec.type = type;
    spec.opts = {OptSpec{}};
    const Reply reply = world.ask(spec);
    const bool is_transfer = type == RRType::axfr || type == RRType::ixfr;
    CHECK(reply.rcode == (is_transfer ? Rcode::refused : Rcode::notimp));
    CHECK(reply.error()->code == siskin::wire::Ede::not_supported);
    CHECK(reply.answer.empty());
  }
  CHECK(world.frontends[0]->pending() == 0);
  CHECK(world.questions_asked() == 0);
}

TEST_CASE("serve/header: fault B135: ANY gets one HINFO on every path", "[serve]") {
  World world;
  QuerySpec spec;
  spec.type = RRType::any;
  const Lines expected = {"www.example. 3600 IN HINFO 075246433834383200"};
  CHECK(world.ask(spec).answer == expected);
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  world.keep_negative("www.example.", RRType::aaaa, siskin::cache::Kind::nodata,
                      soa_set("example.", 300));
  CHECK(world.ask(spec).answer == expected);
  CHECK(world.ask_tcp(spec).answer == expected);
  spec.flags = 0;
  CHECK(world.ask(spec).answer == expected);
  CHECK(world.ask({}).answer == Lines{"www.example. 300 IN A 192.0.2.1"});
  CHECK(world.questions_asked() == 0);
}
