#include "siskin/wire/query.hpp"

#include "support/catch.hpp"
#include "wire/query_samples.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

constexpr std::string_view kQuestion = "03'www'07'example'00 0001 0001";
constexpr std::string_view kOpt = "00 0029 04d0 00000000 0000";

/// A query with this second header word and these counts, then `body`.
Octets query_of(std::string_view flags, std::string_view counts, std::string_view body) {
  return from_hex("abcd") + from_hex(flags) + from_hex(counts) + from_hex(body);
}

Octets with_additional(std::string_view count, std::string_view records) {
  return query_of("0100", "0001 0000 0000", count) + from_hex(kQuestion) + from_hex(records);
}

/// A query whose OPT has these class and TTL words.
Octets with_opt(std::string_view size_and_flags) {
  return with_additional("0001", "00 0029") + from_hex(size_and_flags) + from_hex("0000");
}

QueryVerdict verdict(const Octets& message) {
  QueryView query;
  return parse_query(message, query);
}

}  // namespace

TEST_CASE("wire/query: peeking sees name and type, and no more than is there", "[wire]") {
  std::vector<std::uint8_t> message(12, 0);
  message.insert(message.end(), {3, 'w', 'W', 'w', 0, 0, 28, 0, 1});
  const QuestionPeek peek = peek_question(message);
  CHECK(peek.name.data() == message.data() + 12);
  CHECK(peek.name.size() == 5);
  CHECK(peek.type == RRType::aaaa);
  for (std::size_t size = 0; size < 19; ++size) {
    CAPTURE(size);
    CHECK(peek_question(std::span(message).first(size)).name.empty());
  }
  message[12] = 0xc0;
  CHECK(peek_question(message).name.empty());
}

TEST_CASE("wire/query: a plain query is read without a copy", "[wire]") {
  const Octets message = from_hex(kValidQueries[0]);
  QueryView query;
  REQUIRE(parse_query(message, query) == QueryVerdict::accept);
  CHECK(query.id == 0x1234);
  CHECK(query.flags == 0x0100);
  CHECK(query.recursion_desired());
  CHECK_FALSE(query.checking_disabled());
  CHECK(to_hex(query.name) == to_hex(from_hex("03'www'07'example'03'com'00")));
  CHECK(query.name.data() == message.data() + 12);
  CHECK(query.type == RRType::a);
  CHECK(query.klass == RRClass::in);
  CHECK_FALSE(query.edns);
  CHECK_FALSE(query.dnssec_ok());
}

TEST_CASE("wire/query: letter case, EDNS and flags arrive as sent", "[wire]") {
  const Octets message = from_hex(kValidQueries[2]);
  QueryView query;
  REQUIRE(parse_query(message, query) == QueryVerdict::accept);
  CHECK(to_hex(query.name) == to_hex(from_hex("07'ExAmPle'00")));
  CHECK(query.checking_disabled());
  REQUIRE(query.edns);
  CHECK(query.edns->version == 0);
  CHECK(query.edns->extended_rcode == 0);
  CHECK(query.edns->udp_size == 1232);
  CHECK(query.edns->options.empty());
  CHECK(query.dnssec_ok());
}

TEST_CASE("wire/query: every valid shape is accepted", "[wire]") {
  for (const auto text : kValidQueries) {
    CAPTURE(text);
    CHECK(verdict(from_hex(text)) == QueryVerdict::accept);
  }
}

TEST_CASE("wire/query: options point into the message", "[wire]") {
  const Octets message = from_hex(kValidQueries[4]);
  QueryView query;
  REQUIRE(parse_query(message, query) == QueryVerdict::accept);
  REQUIRE(query.edns);
  CHECK(query.edns->options.size() == 0x23);
  CHECK(to_hex(find_option(query.edns->options, EdnsOption::client_subnet).value()) ==
        "00011800c00002");
  CHECK_FALSE(query.dnssec_ok());
}

TEST_CASE("wire/query: what cannot be answered is dropped, faults A77 and A79", "[wire]") {
  for (std::size_t size = 0; size < 12; ++size) {
    CHECK(verdict(Octets(size, 0)) == QueryVerdict::drop);
    CHECK(verdict(Octets(size, 0xff)) == QueryVerdict::drop);
  }
  CHECK(verdict(query_of("8100", "0001 0000 0000 0000", kQuestion)) == QueryVerdict::drop);
  CHECK(verdict(query_of("a800", "0001 0000 0000 0000", kQuestion)) == QueryVerdict::drop);
}

TEST_CASE("wire/query: other opcodes are not implemented", "[wire]") {
  for (unsigned opcode = 1; opcode < 16; ++opcode) {
    Octets message = query_of("0100", "0001 0000 0000 0000", kQuestion);
    message[2] = static_cast<std::uint8_t>(opcode << 3);
    QueryView query;
    CHECK(parse_query(message, query) == QueryVerdict::notimp);
    CHECK(query.id == 0xabcd);
    message.resize(12);
    CHECK(verdict(message) == QueryVerdict::notimp);
  }
}

TEST_CASE("wire/query: without one whole question only the header is copied", "[wire]") {
  for (const Octets& message : {
           query_of("0100", "0000 0000 0000 0000", ""),
           query_of("0100", "0000 0000 0000 0001", kOpt),
           query_of("0100", "0001 0000 0000 0000", ""),
           query_of("0100", "0002 0000 0000 0000", kQuestion) + from_hex(kQuestion),
           query_of("0100", "ffff 0000 0000 0000", kQuestion),
           query_of("0100", "0001 0000 0000 0000", "03'www'07'example'00 0001 00"),
           query_of("0100", "0001 0000 0000 0000", "03'www'07'example'"),
           query_of("0100", "0001 0000 0000 0000", "41'a'00 0001 0001"),
           query_of("0100", "0001 0000 0000 0000", "81'a'00 0001 0001"),
       }) {
    CAPTURE(to_hex(message));
    QueryView query;
    query.name = message;
    query.type = RRType::mx;
    CHECK(parse_query(message, query) == QueryVerdict::formerr);
    CHECK(query.id == 0xabcd);
    CHECK(query.flags == 0x0100);
    CHECK(query.name.empty());
    CHECK(query.type == RRType::none);
    CHECK_FALSE(query.edns);
  }
}

TEST_CASE("wire/query: a compressed question name is refused, fault A67", "[wire]") {
  for (const auto* name : {"c00c", "c00d", "c000", "c00b", "c0ff", "ffff", "01'a'c00c", "01'a'c00e",
                           "01'a'c000", "c00e 01'a'00", "c0"}) {
    CAPTURE(name);
    CHECK(verdict(query_of("0100", "0001 0000 0000 0000", name) + from_hex("0001 0001")) ==
          QueryVerdict::formerr);
  }
  Octets chain = query_of("0100", "0001 0000 0000 0000", "");
  for (int i = 0; i < 1000; ++i) chain = chain + from_hex("c00c");
  CHECK(verdict(chain + from_hex("0001 0001")) == QueryVerdict::formerr);
}

TEST_CASE("wire/query: pointer loops behind the question are refused, fault A67", "[wire]") {
  // The question ends at 29, where the additional record begins.
  constexpr std::string_view kTsigTail = "00fa 00ff 00000000 0000";
  for (const auto* owner : {"c01d", "c01e", "c01f", "c0ff", "ffff", "c000", "c00b", "01'a'c01d",
                            "01'a'c01f", "41'a'00", "81'a'00", "05'a'"}) {
    CAPTURE(owner);
    CHECK(verdict(with_additional("0001", owner) + from_hex(kTsigTail)) == QueryVerdict::formerr);
  }
  CHECK(verdict(with_additional("0001", "c00c") + from_hex(kTsigTail)) == QueryVerdict::accept);
}

TEST_CASE("wire/query: a fault behind the question still shows the question", "[wire]") {
  struct Row {
    std::string_view what;
    Octets message;
  };
  const std::string_view a_record = "c00c 0001 0001 00000000 0004 c0000201";
  const std::string_view tsig = "01'k'00 00fa 00ff 00000000 0000";
  const std::string two_opts = std::string(kOpt) + std::string(kOpt);
  for (const Row& row : {
           Row{"TC", query_of("0300", "0001 0000 0000 0000", kQuestion)},
           Row{"an answer",
               query_of("0100", "0001 0001 0000 0000", kQuestion) + from_hex(a_record)},
           Row{"an authority",
               query_of("0100", "0001 0000 0001 0000", kQuestion) + from_hex(a_record)},
           Row{"an additional A", with_additional("0001", a_record)},
           Row{"OPT and A", with_additional("0002", kOpt) + from_hex(a_record)},
           Row{"two OPTs", with_additional("0002", two_opts)},
           Row{"OPT below a name", with_additional("0001", "01'a'00 0029 04d0 00000000 0000")},
           Row{"OPT at a pointer to the root",
               with_additional("0001", "c018") + from_hex("0029 04d0 00000000 0000")},
           Row{"options cut off", with_additional("0001", "00 0029 04d0 00000000 0003 000a00")},
           Row{"option past its OPT",
               with_additional("0001", "00 0029 04d0 00000000 0004 000a 0001") + from_hex("00")},
           Row{"OPT past the end", with_additional("0001", "00 0029 04d0 00000000 0001")},
           Row{"OPT missing", with_additional("0001", "")},
           Row{"more counted than sent", with_additional("ffff", kOpt)},
           Row{"bytes left over", with_additional("0000", "00")},
           Row{"OPT not counted", with_additional("0000", kOpt)},
           Row{"bytes behind OPT", with_additional("0001", kOpt) + from_hex("00")},
           Row{"TSIG before OPT", with_additional("0002", tsig) + from_hex(kOpt)},
           Row{"two TSIGs", with_additional("0002", tsig) + from_hex(tsig)},
       }) {
    CAPTURE(row.what);
    QueryView query;
    CHECK(parse_query(row.message, query) == QueryVerdict::formerr);
    CHECK(query.id == 0xabcd);
    CHECK(to_hex(query.name) == to_hex(from_hex("03'www'07'example'00")));
    CHECK(query.type == RRType::a);
    CHECK(query.klass == RRClass::in);
  }
}

TEST_CASE("wire/query: an OPT met before the fault is kept for the reply", "[wire]") {
  QueryView query;
  const Octets message = with_additional("0001", kOpt) + from_hex("00");
  CHECK(parse_query(message, query) == QueryVerdict::formerr);
  CHECK(query.edns);
}

TEST_CASE("wire/query: TSIG and SIG(0) may close a query", "[wire]") {
  for (const auto* record :
       {"01'k'00 00fa 00ff 00000000 0002 abcd", "00 0018 00ff 00000000 0000"}) {
    CHECK(verdict(with_additional("0001", record)) == QueryVerdict::accept);
    CHECK(verdict(with_additional("0002", kOpt) + from_hex(record)) == QueryVerdict::accept);
  }
}

TEST_CASE("wire/query: flags that mean nothing in a query are ignored, fault A81", "[wire]") {
  for (const auto* flags : {"0400", "0080", "0040", "0020", "0001", "000f", "05ff"}) {
    CAPTURE(flags);
    CHECK(verdict(query_of(flags, "0001 0000 0000 0000", kQuestion)) == QueryVerdict::accept);
  }
}

TEST_CASE("wire/query: EDNS versions, flags and sizes, fault A83", "[wire]") {
  struct Row {
    std::string_view size_and_flags;
    QueryVerdict verdict;
    std::uint16_t udp_size;
    std::uint8_t version;
    bool dnssec_ok;
  };
  for (const Row& row : {
           Row{"0000 00000000", QueryVerdict::accept, 512, 0, false},
           Row{"0064 00000000", QueryVerdict::accept, 512, 0, false},
           Row{"01ff 00000000", QueryVerdict::accept, 512, 0, false},
           Row{"0200 00000000", QueryVerdict::accept, 512, 0, false},
           Row{"0201 00008000", QueryVerdict::accept, 513, 0, true},
           Row{"ffff 00007fff", QueryVerdict::accept, 65535, 0, false},
           Row{"04d0 0000ffff", QueryVerdict::accept, 1232, 0, true},
           Row{"04d0 00010000", QueryVerdict::badvers, 1232, 1, false},
           Row{"04d0 00ff8000", QueryVerdict::badvers, 1232, 255, true},
       }) {
    CAPTURE(row.size_and_flags);
    QueryView query;
    const Octets message = with_opt(row.size_and_flags);
    CHECK(parse_query(message, query) == row.verdict);
    REQUIRE(query.edns);
    CHECK(query.edns->udp_size == row.udp_size);
    CHECK(query.edns->version == row.version);
    CHECK(query.edns->dnssec_ok == row.dnssec_ok);
    CHECK(query.name.size() == 13);
  }
}

TEST_CASE("wire/query: options of a later EDNS version are not judged", "[wire]") {
  QueryView query;
  const Octets message = with_additional("0001", "00 0029 04d0 00010000 0003 abcdef");
  CHECK(parse_query(message, query) == QueryVerdict::badvers);
  REQUIRE(query.edns);
  CHECK(query.edns->options.empty());
}

TEST_CASE("wire/query: the longest names are accepted, longer ones not", "[wire]") {
  const Octets header = query_of("0100", "0001 0000 0000 0000", "");
  const Octets tail = from_hex("0001 0001");
  Octets labels;
  for (int i = 0; i < 127; ++i) labels = labels + from_hex("01'a'");
  CHECK(verdict(header + labels + from_hex("00") + tail) == QueryVerdict::accept);
  CHECK(verdict(header + labels + from_hex("01'a'00") + tail) == QueryVerdict::formerr);
  CHECK(verdict(header + from_hex("3f") + Octets(63, 'a') + from_hex("00") + tail) ==
        QueryVerdict::accept);
  CHECK(verdict(header + from_hex("40") + Octets(64, 'a') + from_hex("00") + tail) ==
        QueryVerdict::formerr);
}

}  // namespace siskin::wire::test
