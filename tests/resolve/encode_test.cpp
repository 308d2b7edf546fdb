// What goes out to servers: exact octets, and what two readers make of them.
#include "resolve/message.hpp"
#include "resolve/samples.hpp"
#include "siskin/wire/query.hpp"
#include "support/catch.hpp"
#include "text/ldns.hpp"

namespace siskin::resolve::test {

TEST_CASE("resolve/message: a query is twelve octets, a question and an OPT with DO", "[resolve]") {
  CHECK(to_hex(encode(query_for("www.example."))) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0001 03'www'07'example'00 0001 0001"
                        "00 0029 04d0 00008000 0000")));
}

TEST_CASE("resolve/message: a query without EDNS ends with its question", "[resolve]") {
  UpstreamQuery query = query_for("www.example.");
  query.edns = false;
  CHECK(to_hex(encode(query)) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0000 03'www'07'example'00 0001 0001")));
}

TEST_CASE("resolve/message: the letter case is sent as given", "[resolve]") {
  UpstreamQuery query = query_for("wWw.eXAMple.", RRType::aaaa);
  query.edns = false;
  CHECK(to_hex(encode(query)) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0000 03'wWw'07'eXAMple'00 001c 0001")));
}

TEST_CASE("resolve/message: what is encoded, our own reader and ldns read alike", "[resolve]") {
  wire::Name longest;
  for (int i = 0; i < 127; ++i) longest = longest.with_label(octets_of("a")).value();
  const std::array<wire::Name, 5> names{wire::Name(), name("com."), longest,
                                        name("\\000\\.\\255.Odd\\032one."), name("*.example.")};
  const std::array types{RRType::a,
                         RRType::ns,
                         RRType::ds,
                         RRType::rrsig,
                         static_cast<RRType>(65280),
                         static_cast<RRType>(65535)};
  for (const wire::Name& qname : names) {
    for (const RRType type : types) {
      CAPTURE(qname.to_text(), to_string(type));
      UpstreamQuery query{qname, type, 0xfedc, true, 4096};
      const std::vector<std::uint8_t> octets = encode(query);

      wire::QueryView view;
      REQUIRE(wire::parse_query(octets, view) == wire::QueryVerdict::accept);
      CHECK(view.id == 0xfedc);
      CHECK(view.flags == 0);
      CHECK(to_hex(view.name) == to_hex(qname.wire()));
      CHECK(view.type == type);
      CHECK(view.klass == wire::RRClass::in);
      REQUIRE(view.edns);
      CHECK(view.edns->udp_size == 4096);
      CHECK(view.edns->version == 0);
      CHECK(view.edns->dnssec_ok);
      CHECK(view.edns->options.empty());

      ldns_pkt* raw = nullptr;
      REQUIRE(ldns_wire2pkt(&raw, octets.data(), octets.size()) == LDNS_STATUS_OK);
      const text::Ldns<ldns_pkt> packet(raw);
      const ldns_rr* question = ldns_rr_list_rr(ldns_pkt_question(raw), 0);
      CHECK_FALSE(ldns_pkt_rd(raw));
      CHECK_FALSE(ldns_pkt_cd(raw));
      CHECK(ldns_pkt_edns_do(raw));
      CHECK(to_hex(text::bytes_of(*ldns_rr_owner(question))) == to_hex(qname.wire()));
      CHECK(static_cast<RRType>(ldns_rr_get_type(question)) == type);
    }
  }
}

}  // namespace siskin::resolve::test
