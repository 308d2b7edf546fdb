// Replies that lie about themselves: refused as a whole, and never read out of bounds.
#include "resolve/message.hpp"
#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

/// Something of everything.
RawReply rich_reply() {
  RawReply reply;
  reply.answer = {
      record("c00c", RRType::cname, "03'web'c010"),
      record("03'web'c010", RRType::a, "c0000201"),
      record("c00c", RRType::rrsig,
             "0005 0d 02 0000003c 65000000 64000000 1234 07'example'00 aabbccdd"),
  };
  reply.authority = {
      record("c010", RRType::soa,
             "02'ns'c010 04'host'c010 00000001 00000e10 00000384 00093a80 0000003c"),
      record("c010", RRType::nsec, "01'a'07'example'00 0006 4001 0000 0003"),
      record("c010", RRType::ns, "02'ns'c010"),
  };
  reply.additional = {
      record("02'ns'c010", RRType::aaaa, "20010db8000000000000000000000001"),
      record("c010", RRType::txt, "05'hello' 00"),
      record("c010", RRType::mx, "000a c010"),
      record("c010", RRType::https, "0001 00 0001 0003 02'h2'"),
      from_hex("00 0029 04d0 00008000 0000"),
  };
  return reply;
}

struct Lie {
  std::string_view what;
  std::string_view record;  ///< the last one of the message
};

constexpr std::array kLengthLies{
    Lie{"A with 3 octets", "c00c 0001 0001 0000003c 0003 c00002"},
    Lie{"A with 5 octets", "c00c 0001 0001 0000003c 0005 c000020100"},
    Lie{"A without octets", "c00c 0001 0001 0000003c 0000"},
    Lie{"AAAA with 4 octets", "c00c 001c 0001 0000003c 0004 c0000201"},
    Lie{"AAAA with 17 octets", "c00c 001c 0001 0000003c 0011 20010db800000000000000000000000100"},
    Lie{"MX with 1 octet", "c00c 000f 0001 0000003c 0001 00"},
    Lie{"MX without a name", "c00c 000f 0001 0000003c 0002 000a"},
    Lie{"CNAME shorter than its name", "c00c 0005 0001 0000003c 0001 01'a'00"},
    Lie{"CNAME shorter than its pointer", "c00c 0005 0001 0000003c 0001 c00c"},
    Lie{"CNAME longer than its name", "c00c 0005 0001 0000003c 0004 01'a'00 00"},
    Lie{"CNAME longer than its pointer", "c00c 0005 0001 0000003c 0003 c00c 00"},
    Lie{"CNAME without a name", "c00c 0005 0001 0000003c 0000"},
    Lie{"NS whose name runs into the next record",
        "c00c 0002 0001 0000003c 0004 03'www' c00c 0001 0001 0000003c 0004 c0000201"},
    Lie{"SOA without counters", "c00c 0006 0001 0000003c 0004 c00c c00c"},
    Lie{"SOA with four counters",
        "c00c 0006 0001 0000003c 0014 c00c c00c 00000001 00000002 00000003 00000004"},
    Lie{"SOA with six counters",
        "c00c 0006 0001 0000003c 001c c00c c00c"
        "00000001 00000002 00000003 00000004 00000005 00000006"},
    Lie{"TXT without a string", "c00c 0010 0001 0000003c 0000"},
    Lie{"TXT whose string runs out of it", "c00c 0010 0001 0000003c 0003 05'ab'"},
    Lie{"TXT whose second string runs out of it", "c00c 0010 0001 0000003c 0005 01'a'05'ab'"},
    Lie{"HINFO with one string", "c00c 000d 0001 0000003c 0002 01'a'"},
    Lie{"RRSIG cut before its signer",
        "c00c 002e 0001 0000003c 0012 0001 0d 02 0000003c 65000000 64000000 1234"},
    Lie{"RRSIG whose signer is cut",
        "c00c 002e 0001 0000003c 0016 0001 0d 02 0000003c 65000000 64000000 1234 07'exa'"},
    Lie{"RRSIG without a signature",
        "c00c 002e 0001 0000003c 0013 0001 0d 02 0000003c 65000000 64000000 1234 00"},
    Lie{"NSEC with a window of 0 octets", "c00c 002f 0001 0000003c 0005 01'a'00 0000"},
    Lie{"NSEC with a window of 33 octets",
        "c00c 002f 0001 0000003c 0026 01'a'00 0021 0101010101010101010101010101010101"
        "01010101010101010101010101010101"},
    Lie{"NSEC with a window cut", "c00c 002f 0001 0000003c 0006 01'a'00 0002 40"},
    Lie{"NSEC with windows out of order", "c00c 002f 0001 0000003c 0009 01'a'00 0101 40 0001 40"},
    Lie{"HTTPS whose value runs out of it", "c00c 0041 0001 0000003c 0008 0001 00 0001 0005 02"},
    Lie{"HTTPS with keys out of order", "c00c 0041 0001 0000003c 000b 0001 00 0004 0000 0003 0000"},
    Lie{"an unknown type longer than the message", "c00c ff00 0001 0000003c 0005 01020304"},
    Lie{"a record cut in its owner", "03'ww'"},
    Lie{"a record cut in its TTL", "c00c 0001 0001 0000"},
};

/// A message with one record that owns `owner`, behind `filling` of an unknown type at octet 41.
Octets with_owner(std::string_view filling, std::string_view owner) {
  RawReply reply;
  reply.answer = {record("c00c", static_cast<RRType>(65280), filling),
                  record(owner, RRType::a, "c0000201")};
  return reply.octets();
}

bool is_refused(const Octets& octets) {
  const UpstreamQuery query = query_for("www.example.");
  const auto message = decode(octets, query, query.name);
  return !message && message.error().code == Errc::malformed;
}

}  // namespace

TEST_CASE("resolve/malformed: no prefix of a good reply is taken", "[resolve]") {
  const Octets whole = rich_reply().octets();
  CHECK_FALSE(is_refused(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    // A copy of its own, so that a read past the end meets the sanitizer.
    CHECK(is_refused(Octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("resolve/malformed: lies about the length of RDATA are found, fault A73", "[resolve]") {
  for (const Lie& lie : kLengthLies) {
    CAPTURE(lie.what);
    RawReply reply;
    reply.answer = {record("c00c", RRType::a, "c0000207"), from_hex(lie.record)};
    CHECK(is_refused(reply.octets()));

    RawReply behind;
    behind.additional = {from_hex(lie.record)};
    CHECK(is_refused(behind.octets()));
  }
}

TEST_CASE("resolve/malformed: a lie does not hide behind what follows it, fault A73", "[resolve]") {
  for (const Lie& lie : kLengthLies) {
    CAPTURE(lie.what);
    RawReply reply;
    reply.answer = {from_hex(lie.record)};
    reply.authority = {record("c010", RRType::ns, "02'ns'c010")};
    reply.additional = {record("02'ns'c010", RRType::a, "c0000235")};
    CHECK(is_refused(reply.octets()));
  }
}

TEST_CASE("resolve/malformed: compression pointers go back, and not for ever, fault A67",
          "[resolve]") {
  // The question ends at octet 29; the filling lies at 29 + 12 = 41 = 0x29.
  CHECK_FALSE(is_refused(with_owner("03'abc'00", "c029")));
  struct Row {
    std::string_view what, filling, owner;
  };
  for (const Row& row : {
           Row{"to itself", "00", "c02a"},
           Row{"two to each other", "c02b c029", "c029"},
           Row{"to itself behind a label", "01'a'c029", "c029"},
           Row{"forward", "00", "c02c"},
           Row{"forward inside the message", "c00c", "c030"},
           Row{"to the header's first octet", "00", "c000"},
           Row{"into the header", "00", "c004"},
           Row{"to the header's last octet", "00", "c00b"},
           Row{"past the end", "00", "ffff"},
           Row{"half a pointer", "00", "c0"},
           Row{"to a label of type 01", "41 00", "c029"},
           Row{"to a label of type 10", "81 00", "c029"},
       }) {
    CAPTURE(row.what);
    CHECK(is_refused(with_owner(row.filling, row.owner)));
  }
}

TEST_CASE("resolve/malformed: pointer loops in the question and in RDATA are refused, fault A67",
          "[resolve]") {
  CHECK(is_refused(from_hex("1234 8400 0001 0000 0000 0000 c00c 0001 0001")));
  CHECK(is_refused(from_hex("1234 8400 0001 0000 0000 0000 01'a'c00c 0001 0001")));
  for (const auto& [type, rdata] : {
           std::pair{RRType::cname, "c029"},
           std::pair{RRType::ns, "01'a'c029"},
           std::pair{RRType::mx, "000a c02b"},
           std::pair{RRType::minfo, "c00c c02b"},
           std::pair{RRType::soa, "c02b c029 00000001 00000002 00000003 00000004 00000005"},
           std::pair{RRType::srv, "0000 0000 0000 c02f"},
           std::pair{RRType::ptr, "ffff"},
           std::pair{RRType::dname, "c004"},
       }) {
    CAPTURE(to_string(type), rdata);
    RawReply reply;
    reply.answer = {record("c00c", type, rdata)};
    CHECK(is_refused(reply.octets()));
  }
}

TEST_CASE("resolve/malformed: names over 255 octets are refused", "[resolve]") {
  const std::string label = "3f'" + std::string(63, 'x') + "'";
  const std::string tail = "3d'" + std::string(61, 'y') + "'";
  RawReply reply;
  reply.answer = {record(label + label + label + tail + "00", RRType::a, "c0000201")};
  CHECK_FALSE(is_refused(reply.octets()));
  reply.answer = {record(label + label + label + label + "00", RRType::a, "c0000201")};
  CHECK(is_refused(reply.octets()));
  reply.answer = {record(label + label + label + tail + "c010", RRType::a, "c0000201")};
  CHECK(is_refused(reply.octets()));
}

TEST_CASE("resolve/malformed: counts beyond the records are refused", "[resolve]") {
  for (const std::size_t count_at : {5U, 7U, 9U, 11U}) {
    CAPTURE(count_at);
    Octets octets = rich_reply().octets();
    ++octets[count_at];
    CHECK(is_refused(octets));
    octets[count_at - 1] = 0xff;
    CHECK(is_refused(octets));
  }
}

TEST_CASE("resolve/malformed: octets behind the last record do not matter", "[resolve]") {
  Octets octets = rich_reply().octets();
  octets.push_back(0);
  CHECK_FALSE(is_refused(octets));
}

TEST_CASE("resolve/malformed: two TSIG or two OPT records are refused", "[resolve]") {
  const Octets tsig =
      from_hex("03'key'00 00fa 00ff 00000000 0013 01'h'00 000065000000 012c 0000 7778 0000 0000");
  const Octets opt = from_hex("00 0029 04d0 00000000 0000");
  RawReply reply;
  reply.additional = {opt, tsig};
  CHECK_FALSE(is_refused(reply.octets()));
  reply.additional = {opt, tsig, tsig};
  CHECK(is_refused(reply.octets()));
  reply.additional = {opt, opt};
  CHECK(is_refused(reply.octets()));
}

}  // namespace siskin::resolve::test
