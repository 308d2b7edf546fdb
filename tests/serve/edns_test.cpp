// EDNS as clients see it, through the whole of Frontend::handle().
#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::wire::Rcode;
using siskin::wire::RRType;

namespace {

QuerySpec with_opt(const OptSpec& opt) {
  QuerySpec spec;
  spec.opts = {opt};
  return spec;
}

}  // namespace

TEST_CASE("serve/edns: an OPT goes out exactly when one came in", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  CHECK_FALSE(world.ask({}).opt);
  const Reply reply = world.ask(with_opt({}));
  REQUIRE(reply.opt);
  CHECK(reply.opt->version == 0);
  CHECK(reply.opt->udp_size == 1232);
  CHECK(reply.opt->flags == 0);
  CHECK(reply.opt->options_size == 0);
  CHECK(reply.rcode == Rcode::noerror);
}

TEST_CASE("serve/edns: fault A83: other versions get BADVERS, version 0, and no answer",
          "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  const auto version = GENERATE(as<std::uint8_t>{}, 1, 2, 255);
  OptSpec opt;
  opt.version = version;
  opt.flags = kDnssecOk;
  const Reply reply = world.ask(with_opt(opt));
  CHECK(reply.rcode == Rcode::badvers);
  CHECK(reply.question == "www.example. IN A");
  CHECK(reply.answer.empty());
  REQUIRE(reply.opt);
  CHECK(reply.opt->version == 0);
  CHECK(reply.opt->flags == kDnssecOk);
  CHECK(world.questions_asked() == 0);
}

TEST_CASE("serve/edns: fault A83: flags other than DO are ignored and zero in the reply",
          "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  OptSpec opt;
  opt.flags = 0x7fff;
  CHECK(world.ask(with_opt(opt)).opt->flags == 0);
  opt.flags = 0xffff;
  CHECK(world.ask(with_opt(opt)).opt->flags == kDnssecOk);
}

TEST_CASE("serve/edns: fault A83: unknown options are ignored and not echoed", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  OptSpec opt;
  opt.options = {0xfd, 0xe9, 0, 3, 1, 2, 3, 0xff, 0xff, 0, 0};
  const Reply reply = world.ask(with_opt(opt));
  CHECK(reply.rcode == Rcode::noerror);
  CHECK(reply.opt->options_size == 0);
}

TEST_CASE("serve/edns: options that do not fill the OPT get FORMERR", "[serve]") {
  World world;
  OptSpec opt;
  opt.options = GENERATE(Octets{0}, Octets{0, 3, 0}, Octets{0, 3, 0, 1}, Octets{0, 3, 0, 0, 9});
  CHECK(world.ask(with_opt(opt)).rcode == Rcode::formerr);
}

TEST_CASE("serve/edns: two OPT records get FORMERR", "[serve]") {
  World world;
  QuerySpec spec;
  spec.opts = {OptSpec{}, OptSpec{}};
  const Reply reply = world.ask(spec);
  CHECK(reply.rcode == Rcode::formerr);
  CHECK(reply.question == "www.example. IN A");
  REQUIRE(reply.opt);
  CHECK(reply.opt->options_size == 0);
}

TEST_CASE("serve/edns: fault A83: the size of UDP replies is what client and server both take",
          "[serve]") {
  struct Row {
    std::uint16_t offered;
    std::uint16_t configured;
    std::size_t taken;
  };
  const Row row = GENERATE(Row{0, 1232, 512}, Row{100, 1232, 512}, Row{511, 1232, 512},
                           Row{512, 1232, 512}, Row{513, 1232, 513}, Row{1231, 1232, 1231},
                           Row{1232, 1232, 1232}, Row{1233, 1232, 1232}, Row{4096, 1232, 1232},
                           Row{65535, 1232, 1232}, Row{4096, 4096, 4096}, Row{65535, 4096, 4096},
                           Row{65535, 65535, 4096}, Row{4096, 100, 512}, Row{0, 0, 512});
  CAPTURE(row.offered, row.configured);
  WorldOptions options;
  options.frontend.udp_size_max = row.configured;
  World world(options);
  OptSpec opt;
  opt.udp_size = row.offered;

  // Header, question, one record behind a pointer, OPT: the RDATA that just fits, and one more.
  const std::size_t fixed = 12 + 13 + 4 + 12 + 11;
  world.keep(txt_set("www.example.", 300, 1, row.taken - fixed));
  QuerySpec spec = with_opt(opt);
  spec.type = RRType::txt;
  const Reply whole = world.ask(spec);
  CHECK(whole.size == row.taken);
  CHECK_FALSE(whole.truncated());
  CHECK(whole.answer.size() == 1);

  world.keep(txt_set("www.example.", 300, 1, row.taken - fixed + 1));
  const Reply truncated = world.ask(spec);
  CHECK(truncated.truncated());
  CHECK(truncated.answer.empty());
  CHECK(truncated.opt);
  CHECK_FALSE(world.ask_tcp(spec).truncated());
}

TEST_CASE("serve/edns: without EDNS a UDP reply has at most 512 octets", "[serve]") {
  World world;
  const std::size_t fixed = 12 + 13 + 4 + 12;
  QuerySpec spec;
  spec.type = RRType::txt;
  world.keep(txt_set("www.example.", 300, 1, 512 - fixed));
  CHECK(world.ask(spec).size == 512);
  world.keep(txt_set("www.example.", 300, 1, 513 - fixed));
  CHECK(world.ask(spec).truncated());
  CHECK(world.ask(spec).size == 12 + 13 + 4);
  CHECK(world.ask_tcp(spec).size == 513);
}

TEST_CASE("serve/edns: signatures go along with DO only", "[serve]") {
  World world;
  world.keep(with_signature(a_set("www.example.", 300, {"192.0.2.1"})));
  CHECK(world.ask({}).answer.size() == 1);
  CHECK(world.ask(with_opt({})).answer.size() == 1);
  OptSpec dnssec_ok;
  dnssec_ok.flags = kDnssecOk;
  CHECK(world.ask(with_opt(dnssec_ok)).answer ==
        Lines{"www.example. 300 IN A 192.0.2.1", "www.example. 300 IN RRSIG (20)"});
}
