#include <map>

#include "cache/values.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/wire/cursor.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

/// One record of a reply, its owner in text with the letter case of the reply.
struct Record {
  int section;
  std::string owner;
  RRType type;
  std::uint32_t ttl;
  Octets rdata;

  friend bool operator==(const Record&, const Record&) = default;
};

/// A reply being written, and the cache that answers it.
struct Reply {
  explicit Reply(std::size_t limit = 4096) : writer(buffer, limit, 0) { writer.begin(1, 0x8000); }

  Rendered ask(const Cache& cache, std::string_view question, RRType type, Instant now,
               const Cache::RenderOptions& options) {
    const wire::Name asked = name(question);
    writer.question(asked.wire(), type, wire::RRClass::in);
    return cache.render(asked.wire(), type, now, options, writer);
  }

  std::vector<Record> records() {
    const wire::Bytes message = writer.finish(wire::Rcode::noerror, nullptr);
    wire::Reader in(message, 12);
    in.skip_name();
    in.skip(4);
    std::vector<Record> all;
    for (const wire::Section section :
         {wire::Section::answer, wire::Section::authority, wire::Section::additional}) {
      for (std::size_t i = 0; i < writer.count(section); ++i) {
        all.push_back(record(in, static_cast<int>(section)));
      }
    }
    CHECK(in.remaining() == 0);
    CHECK_FALSE(in.failed());
    return all;
  }

  static Record record(wire::Reader& in, int section) {
    Record one;
    one.section = section;
    one.owner = in.name().to_text();
    one.type = RRType{in.u16()};
    CHECK(in.u16() == 1);
    one.ttl = in.u32();
    const wire::Bytes rdata = in.bytes(in.u16());
    one.rdata.assign(rdata.begin(), rdata.end());
    return one;
  }

  std::array<std::uint8_t, 4096> buffer{};
  wire::MessageWriter writer;
};

constexpr int kAnswer = 0;
constexpr int kAuthority = 1;

Octets signature(RRType covered, std::uint8_t last) {
  Octets octets = rdata({0, static_cast<std::uint8_t>(covered), 8, 2}, {});
  octets.insert(octets.end(), {0, 0, 0, 60, 0, 0, 0, 2, 0, 0, 0, 1, 0, 5, 0, last});
  return octets;
}

Cache::Options options() {
  Cache::Options options;
  options.bytes_max = 1U << 20;
  options.hash_key = {3, 4};
  return options;
}

TEST_CASE("cache/render: the key's records go under the name as it was asked", "[cache]") {
  Cache cache(options());
  REQUIRE(cache.store(name("www.example."), RRType::a,
                      positive(300, set_of("www.example.", RRType::a, {address(1), address(2)})),
                      at(100)));
  Reply reply;
  const Rendered rendered = reply.ask(cache, "wWw.ExAmPlE.", RRType::a, at(110), {});
  CHECK(rendered.found);
  CHECK(rendered.fits);
  CHECK(rendered.kind == Kind::positive);
  CHECK(rendered.ttl == 290);
  CHECK_FALSE(rendered.alias_to);
  CHECK(reply.records() ==
        std::vector<Record>{{kAnswer, "wWw.ExAmPlE.", RRType::a, 290, address(1)},
                            {kAnswer, "wWw.ExAmPlE.", RRType::a, 290, address(2)}});
  // 12 header, 17 question, twice: a pointer, 10 fixed octets, 4 of RDATA.
  CHECK(reply.writer.finish(wire::Rcode::noerror, nullptr).size() == 12 + 17 + 2 * 16);
}

TEST_CASE("cache/render: nothing is written for a miss, an expired entry and another type",
          "[cache]") {
  Cache cache(options());
  const Value value = positive(300, set_of("a.", RRType::a, {address(1)}));
  REQUIRE(cache.store(name("a."), RRType::a, value, at(100)));
  for (const auto& [question, type, now] :
       {std::tuple{"b.", RRType::a, 100}, {"a.", RRType::aaaa, 100}, {"a.", RRType::a, 400}}) {
    Reply reply;
    CHECK_FALSE(reply.ask(cache, question, type, at(now), {}).found);
    CHECK(reply.records().empty());
  }
}

TEST_CASE("cache/render: rotation chooses the record that comes first", "[cache]") {
  Cache cache(options());
  const Value value = positive(300, set_of("a.", RRType::a, {address(0), address(1), address(2)}));
  REQUIRE(cache.store(name("a."), RRType::a, value, at(0)));
  for (std::size_t rotation = 0; rotation < 7; ++rotation) {
    Reply reply;
    reply.ask(cache, "a.", RRType::a, at(0), {.dnssec_ok = false, .rotation = rotation});
    const auto records = reply.records();
    REQUIRE(records.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(records[i].rdata == address(static_cast<std::uint8_t>((rotation + i) % 3)));
    }
  }
}

TEST_CASE("cache/render: signatures and denial records need DO, the SOA does not", "[cache]") {
  Cache cache(options());
  Octets next = rdata({}, "z.example.");
  next.insert(next.end(), {0, 1, 0x40});
  const Octets soa_rdata = soa("ns.example.", "h.example.");
  Value denial;
  denial.kind = Kind::nodata;
  denial.ttl = 60;
  denial.authority = {set_of("example.", RRType::soa, {soa_rdata}, {signature(RRType::soa, 1)}),
                      set_of("www.example.", RRType::nsec, {next}, {signature(RRType::nsec, 2)})};
  REQUIRE(cache.store(name("www.example."), RRType::mx, denial, at(0)));

  Reply plain;
  const Rendered rendered = plain.ask(cache, "www.example.", RRType::mx, at(20), {});
  CHECK(rendered.kind == Kind::nodata);
  CHECK(rendered.ttl == 40);
  CHECK(plain.records() ==
        std::vector<Record>{{kAuthority, "example.", RRType::soa, 40, plain.records()[0].rdata}});

  Reply with_dnssec;
  with_dnssec.ask(cache, "WWW.example.", RRType::mx, at(20), {.dnssec_ok = true, .rotation = 5});
  const auto records = with_dnssec.records();
  REQUIRE(records.size() == 4);
  CHECK(records[0].type == RRType::soa);
  CHECK(records[1] == Record{kAuthority, "example.", RRType::rrsig, 40, signature(RRType::soa, 1)});
  CHECK(records[2] == Record{kAuthority, "WWW.example.", RRType::nsec, 40, next});
  CHECK(records[3] ==
        Record{kAuthority, "WWW.example.", RRType::rrsig, 40, signature(RRType::nsec, 2)});
}

TEST_CASE("cache/render: who asks for denial records by type gets them without DO", "[cache]") {
  Cache cache(options());
  Octets next = rdata({}, "z.example.");
  next.insert(next.end(), {0, 1, 0x40});
  const Value value = positive(60, set_of("a.example.", RRType::nsec, {next}));
  REQUIRE(cache.store(name("a.example."), RRType::nsec, value, at(0)));
  Reply reply;
  reply.ask(cache, "a.example.", RRType::nsec, at(0), {});
  CHECK(reply.records() == std::vector<Record>{{kAnswer, "a.example.", RRType::nsec, 60, next}});
}

TEST_CASE("cache/render: an alias names its target, its DNAME goes first", "[cache]") {
  Cache cache(options());
  Value alias;
  alias.ttl = 60;
  alias.answer = {set_of("old.example.", RRType::dname, {rdata({}, "new.example.")},
                         {signature(RRType::dname, 1)}),
                  set_of("www.old.example.", RRType::cname, {rdata({}, "www.new.example.")})};
  REQUIRE(cache.store(name("www.old.example."), RRType::cname, alias, at(0)));

  Reply reply;
  const Rendered rendered = reply.ask(cache, "www.OLD.example.", RRType::cname, at(0),
                                      {.dnssec_ok = true, .rotation = 0});
  REQUIRE(rendered.alias_to);
  CHECK(*rendered.alias_to == name("www.new.example."));
  const auto records = reply.records();
  REQUIRE(records.size() == 3);
  CHECK(records[0] ==
        Record{kAnswer, "OLD.example.", RRType::dname, 60, rdata({}, "new.example.")});
  CHECK(records[1].type == RRType::rrsig);
  CHECK(records[2].type == RRType::cname);
  CHECK(records[2].owner == "www.OLD.example.");
}

TEST_CASE("cache/render: the alias is named even when its set does not fit", "[cache]") {
  Cache cache(options());
  const Value alias = positive(60, set_of("a.", RRType::cname, {rdata({}, "target.example.")}));
  REQUIRE(cache.store(name("a."), RRType::cname, alias, at(0)));
  Reply reply(12 + 7 + 20);
  const Rendered rendered = reply.ask(cache, "a.", RRType::cname, at(0), {});
  CHECK(rendered.found);
  CHECK_FALSE(rendered.fits);
  CHECK(reply.writer.truncated());
  REQUIRE(rendered.alias_to);
  CHECK(*rendered.alias_to == name("target.example."));
}

TEST_CASE("cache/render: a set goes whole or not at all", "[cache]") {
  Cache cache(options());
  Value value = positive(60, set_of("a.", RRType::a, {address(1), address(2), address(3)}));
  REQUIRE(cache.store(name("a."), RRType::a, value, at(0)));
  const std::size_t whole = 12 + 7 + 3 * 16;
  for (std::size_t limit = 12 + 7; limit <= whole; ++limit) {
    Reply reply(limit);
    const Rendered rendered = reply.ask(cache, "a.", RRType::a, at(0), {});
    CHECK(rendered.fits == (limit == whole));
    CHECK(reply.writer.truncated() == (limit != whole));
    CHECK(reply.records().size() == (limit == whole ? 3U : 0U));
  }
}

TEST_CASE("cache/render: failures and delegations are told of and not shown", "[cache]") {
  Cache cache(options());
  const Value failed = failure(30, wire::Ede::network_error, "timed out");
  Value cut;
  cut.kind = Kind::delegation;
  cut.ttl = 30;
  cut.authority = {set_of("a.", RRType::ns, {rdata({}, "ns.a.")})};
  REQUIRE(cache.store(name("a."), RRType::a, failed, at(0)));
  REQUIRE(cache.store(name("a."), kDelegationSlot, cut, at(0)));

  Reply reply;
  const Rendered rendered = reply.ask(cache, "a.", RRType::a, at(10), {});
  CHECK(rendered.found);
  CHECK(rendered.fits);
  CHECK(rendered.kind == Kind::failure);
  CHECK(rendered.ttl == 20);
  CHECK(rendered.error == failed.error);
  const wire::Name asked = name("a.");
  CHECK(cache.render(asked.wire(), kDelegationSlot, at(10), {}, reply.writer).kind ==
        Kind::delegation);
  CHECK(reply.records().empty());
}

TEST_CASE("cache/render: what is no name is never found", "[cache]") {
  const Cache cache(options());
  Reply reply;
  const Octets endless(300, 1);
  CHECK_FALSE(cache.render(endless, RRType::a, at(0), {}, reply.writer).found);
  CHECK_FALSE(cache.render({}, RRType::a, at(0), {}, reply.writer).found);
}

TEST_CASE("cache/render: a hint finds the same, in any letter case, and nothing else", "[cache]") {
  Cache cache({.bytes_max = 1U << 20, .hash_key = {1, 2}});
  const wire::Name www = name("www.example.");
  cache.store(www, RRType::a, positive(60, set_of("www.example.", RRType::a, {address(1)})), at(1));
  const auto finds = [&cache](const wire::Name& asked, RRType type, Cache::Hint hint) {
    std::array<std::uint8_t, 512> buffer;
    wire::MessageWriter out(buffer, buffer.size(), 0);
    out.begin(1, 0);
    out.question(asked.wire(), type, wire::RRClass::in);
    cache.fetch(hint);
    return cache.render(asked.wire(), type, at(2), {.hint = hint}, out).found;
  };
  const wire::Name upper = name("WWW.example.");
  const Cache::Hint hint = cache.expect(upper.wire(), RRType::a);
  CHECK(finds(www, RRType::a, hint));
  CHECK(finds(upper, RRType::a, hint));
  // A hint of another question never makes an answer of it.
  CHECK_FALSE(finds(name("w.example."), RRType::a, hint));
  CHECK_FALSE(finds(www, RRType::aaaa, hint));
  CHECK_FALSE(finds(www, RRType::a, cache.expect(www.wire(), RRType::aaaa)));
}

}  // namespace
}  // namespace siskin::cache::test
