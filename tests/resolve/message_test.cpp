// What comes in from servers: octets to sets.
#include "resolve/message.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

/// RDATA of an RRSIG by "example." that covers `type`; `last` tells one from another.
std::string rrsig(std::string_view type, std::string_view last = "01") {
  return std::string(type) + "0d 02 0000003c 65000000 64000000 1234 07'example'00 aabb" +
         std::string(last);
}

std::string case_of(std::string_view sent, std::string_view original, RawReply reply) {
  reply.question = sent;
  const auto message = decode(reply.octets(), query_for(sent, reply.type), name(original)).value();
  return text_of(message.answer);
}

}  // namespace

TEST_CASE("resolve/message: header flags and RCODE come through", "[resolve]") {
  struct Row {
    std::uint16_t flags;
    std::string_view opt;  ///< additional record, if any
    wire::Rcode rcode;
    bool aa, tc, ra, edns;
  };
  using wire::Rcode;
  for (const Row& row : {
           Row{0x8000, "", Rcode::noerror, false, false, false, false},
           Row{0x8400, "", Rcode::noerror, true, false, false, false},
           Row{0x8200, "", Rcode::noerror, false, true, false, false},
           Row{0x8080, "", Rcode::noerror, false, false, true, false},
           Row{0x8003, "", Rcode::nxdomain, false, false, false, false},
           Row{0x8005, "00 0029 0200 00000000 0000", Rcode::refused, false, false, false, true},
           Row{0x8000, "00 0029 0200 01000000 0000", Rcode::badvers, false, false, false, true},
           Row{0x8007, "00 0029 0000 01008000 0000", Rcode::badcookie, false, false, false, true},
           Row{0x8000, "00 0029 0000 00000000 0000", Rcode::noerror, false, false, false, true},
       }) {
    CAPTURE(row.flags, row.opt);
    RawReply reply{.flags = row.flags};
    if (!row.opt.empty()) reply.additional.push_back(from_hex(row.opt));
    const auto message = decode_reply(reply);
    REQUIRE(message);
    CHECK(message->rcode == row.rcode);
    CHECK(message->authoritative == row.aa);
    CHECK(message->truncated == row.tc);
    CHECK(message->recursion_available == row.ra);
    CHECK(message->edns == row.edns);
    CHECK(message->additional.empty());
  }
}

TEST_CASE("resolve/message: records gather into sets, in order of first appearance", "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::a, "c0000202"),
                  record("c00c", RRType::aaaa, "20010db8000000000000000000000001"),
                  record("03'WWW'07'example'00", RRType::a, "c0000201"),
                  record("c010", RRType::a, "c0000203")};
  reply.authority = {record("c010", RRType::ns, "02'ns'c010")};
  reply.additional = {record("02'ns'c010", RRType::a, "c0000235")};
  CHECK(decoded(reply) ==
        "www.example. 60 IN A 192.0.2.2; www.example. 60 IN A 192.0.2.1; "
        "www.example. 60 IN AAAA 2001:db8::1; example. 60 IN A 192.0.2.3"
        " / example. 60 IN NS ns.example. + ns.example. 60 IN A 192.0.2.53");
}

TEST_CASE("resolve/message: the least TTL of a set counts", "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::a, "c0000201", 300),
                  record("c00c", RRType::a, "c0000202", 7),
                  record("c00c", RRType::a, "c0000203", 500)};
  CHECK(decoded(reply) ==
        "www.example. 7 IN A 192.0.2.1; www.example. 7 IN A 192.0.2.2; "
        "www.example. 7 IN A 192.0.2.3");
}

TEST_CASE("resolve/message: a TTL with the top bit set is 0", "[resolve]") {
  for (const auto& [ttl, shown] : {std::pair{"7fffffff", "2147483647"}, std::pair{"80000000", "0"},
                                   std::pair{"ffffffff", "0"}}) {
    RawReply reply;
    reply.answer = {from_hex("c00c 0001 0001 " + std::string(ttl) + "0004 c0000201")};
    CHECK(decoded(reply) == "www.example. " + std::string(shown) + " IN A 192.0.2.1");
  }
}

TEST_CASE("resolve/message: duplicates in a set are dropped, also across letter case of the owner",
          "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::a, "c0000201"), record("c00c", RRType::a, "c0000202"),
                  record("c00c", RRType::a, "c0000201"),
                  record("03'wWw'c010", RRType::a, "c0000202")};
  CHECK(decoded(reply) == "www.example. 60 IN A 192.0.2.1; www.example. 60 IN A 192.0.2.2");
}

TEST_CASE("resolve/message: names in RDATA are uncompressed", "[resolve]") {
  RawReply reply;
  reply.answer = {
      record("c00c", RRType::cname, "01'a'c010"), record("c00c", RRType::mx, "000a c010"),
      record("c00c", RRType::soa, "c010 04'host'c010 00000001 00000002 00000003 00000004 00000005"),
      record("c00c", RRType::srv, "0001 0002 0035 c00c"),
      record("c00c", RRType::minfo, "c00c c010")};
  CHECK(decoded(reply) ==
        "www.example. 60 IN CNAME a.example.; www.example. 60 IN MX 10 example.; "
        "www.example. 60 IN SOA example. host.example. 1 2 3 4 5; "
        "www.example. 60 IN SRV 1 2 53 www.example.; "
        "www.example. 60 IN MINFO www.example. example.");
}

TEST_CASE("resolve/message: unknown types are opaque", "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", static_cast<RRType>(65280), "c00c ff"),
                  record("c00c", static_cast<RRType>(65281), "")};
  const auto message = decode_reply(reply).value();
  REQUIRE(message.answer.size() == 2);
  CHECK(to_hex(*message.answer[0].records.begin()) == "c00cff");
  CHECK(message.answer[1].records.count() == 1);
  CHECK((*message.answer[1].records.begin()).empty());
}

TEST_CASE("resolve/message: signatures join the set that they cover, whichever comes first",
          "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::rrsig, rrsig("0001"), 30),
                  record("c00c", RRType::a, "c0000201"),
                  record("c00c", RRType::rrsig, rrsig("0001", "02")),
                  record("c00c", RRType::rrsig, rrsig("0001", "02")),
                  record("c00c", RRType::rrsig, rrsig("001c")),
                  record("c010", RRType::rrsig, rrsig("0001"))};
  const auto message = decode_reply(reply).value();
  REQUIRE(message.answer.size() == 1);
  CHECK(message.answer[0].ttl == 60);
  CHECK(message.answer[0].records.count() == 1);
  CHECK(message.answer[0].signatures == [] {
    wire::RecordList list;
    list.add(from_hex(rrsig("0001")));
    list.add(from_hex(rrsig("0001", "02")));
    return list;
  }());
}

TEST_CASE("resolve/message: signatures of nothing are kept for who asked by type only",
          "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::rrsig, rrsig("001c"), 30),
                  record("c00c", RRType::a, "c0000201"),
                  record("c00c", RRType::rrsig, rrsig("0001"), 40)};
  CHECK(decode_reply(reply).value().answer.size() == 1);

  reply.type = RRType::rrsig;
  const auto message = decode_reply(reply).value();
  REQUIRE(message.answer.size() == 2);
  CHECK(message.answer[0].type == RRType::a);
  CHECK(message.answer[0].signatures.count() == 1);
  CHECK(message.answer[1].type == RRType::rrsig);
  CHECK(message.answer[1].ttl == 30);
  CHECK(message.answer[1].records.count() == 2);
}

TEST_CASE("resolve/message: records of other classes and meta-types are left out", "[resolve]") {
  RawReply reply;
  reply.answer = {from_hex("c00c 0001 0003 0000003c 0004 c0000299"),
                  record("c00c", RRType::a, "c0000201"),
                  record("c00c", static_cast<RRType>(128), "00"),
                  from_hex("c00c 0001 00ff 0000003c 0004 c0000299")};
  reply.additional = {
      from_hex("00 0029 04d0 00008000 0007 0005 0003 010203"),
      record("c00c", RRType::tkey, "01'a'00 65000000 65000000 0003 0000 0000 0000")};
  CHECK(decoded(reply) == "www.example. 60 IN A 192.0.2.1");
}

TEST_CASE("resolve/message: names copied from the question get the client's letter case back",
          "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::a, "c0000201")};
  CHECK(case_of("wWw.eXaMpLe.", "www.example.", reply) == "www.example. 60 IN A 192.0.2.1");
  CHECK(case_of("wWw.eXaMpLe.", "WWW.Example.", reply) == "WWW.Example. 60 IN A 192.0.2.1");

  // The server has spelt out the first label itself, and copied the rest.
  reply.answer = {record("03'www'c010", RRType::a, "c0000201")};
  CHECK(case_of("wWw.eXaMpLe.", "WWW.Example.", reply) == "www.Example. 60 IN A 192.0.2.1");
  // All spelt out, as the zone has it: nothing was copied.
  reply.answer = {record("03'www'07'EXAMPLE'00", RRType::a, "c0000201")};
  CHECK(case_of("wWw.eXaMpLe.", "WWW.Example.", reply) == "www.EXAMPLE. 60 IN A 192.0.2.1");
}

TEST_CASE("resolve/message: names in RDATA get the letter case back too", "[resolve]") {
  RawReply reply;
  reply.answer = {record("c00c", RRType::cname, "01'B'c010"),
                  record("c00c", RRType::mx, "000a 04'mail'c00c"),
                  record("c00c", RRType::txt, "0b 'wWw.eXaMpLe'")};
  CHECK(case_of("wWw.eXaMpLe.", "www.example.", reply) ==
        "www.example. 60 IN CNAME B.example.; www.example. 60 IN MX 10 mail.www.example.; "
        "www.example. 60 IN TXT \"wWw.eXaMpLe\"");
}

TEST_CASE("resolve/message: a label is never half restored", "[resolve]") {
  RawReply reply;
  // "xwWw" ends with the octets of "wWw", but not at a label's start.
  reply.answer = {record("04'xwWw'c010", RRType::a, "c0000201"),
                  record("07'eXaMpLe'02'qq'00", RRType::a, "c0000201")};
  CHECK(case_of("wWw.eXaMpLe.", "www.example.", reply) ==
        "xwWw.example. 60 IN A 192.0.2.1; eXaMpLe.qq. 60 IN A 192.0.2.1");
}

}  // namespace siskin::resolve::test
