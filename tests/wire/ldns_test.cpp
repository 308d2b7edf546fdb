// ldns as the second opinion: what we write it reads as we meant it, and the other way round.
#include "text/ldns.hpp"

#include "siskin/wire/query.hpp"
#include "siskin/wire/rdata.hpp"
#include "siskin/wire/writer.hpp"
#include "support/catch.hpp"
#include "wire/mutate.hpp"
#include "wire/rdata_samples.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

using text::Ldns;

struct PlainFree {
  void operator()(void* memory) const noexcept { std::free(memory); }
};

template <class T>
using Malloced = std::unique_ptr<T, PlainFree>;

Ldns<ldns_pkt> ldns_parse(Bytes message) {
  ldns_pkt* packet = nullptr;
  if (ldns_wire2pkt(&packet, message.data(), message.size()) != LDNS_STATUS_OK) return nullptr;
  return Ldns<ldns_pkt>(packet);
}

/// One record in a form that both sides can be brought to.
struct Plain {
  std::string owner;
  unsigned type = 0;
  std::uint32_t ttl = 0;
  std::string rdata;

  friend bool operator==(const Plain&, const Plain&) = default;
};

std::string lowered_hex(Bytes octets) {
  Octets lowered(octets.begin(), octets.end());
  for (auto& each : lowered) each = to_lower(each);
  return to_hex(lowered);
}

/// Letter case is dropped throughout, for compression may change it.
Plain plain_of(const ldns_rr& record) {
  Octets rdata;
  for (std::size_t i = 0; i < ldns_rr_rd_count(&record); ++i) {
    const Bytes field = text::bytes_of(*ldns_rr_rdf(&record, i));
    rdata.insert(rdata.end(), field.begin(), field.end());
  }
  return {lowered_hex(text::bytes_of(*ldns_rr_owner(&record))),
          static_cast<unsigned>(ldns_rr_get_type(&record)), ldns_rr_ttl(&record),
          lowered_hex(rdata)};
}

std::vector<Plain> plain_of(const ldns_rr_list& list) {
  std::vector<Plain> all;
  for (std::size_t i = 0; i < ldns_rr_list_rr_count(&list); ++i) {
    all.push_back(plain_of(*ldns_rr_list_rr(&list, i)));
  }
  return all;
}

void append(std::vector<Plain>& all, const RRset& set, RRType type, const RecordList& list,
            std::size_t first) {
  std::vector<Plain> added;
  for (const Bytes rdata : list) {
    added.push_back(
        {lowered_hex(set.owner.wire()), static_cast<unsigned>(type), set.ttl, lowered_hex(rdata)});
  }
  if (!added.empty()) {
    std::ranges::rotate(added, added.begin() + static_cast<std::ptrdiff_t>(first % added.size()));
  }
  all.insert(all.end(), added.begin(), added.end());
}

/// RDATA with names that meet those of other records where the type has names.
Octets any_rdata(RRType type, Draw& draw) {
  const auto name = [&] {
    const Name drawn = draw.any_name(5);
    return Octets(drawn.wire().begin(), drawn.wire().end());
  };
  switch (type) {
    case RRType::a: return draw.octets(4);
    case RRType::aaaa: return draw.octets(16);
    case RRType::mx: return draw.octets(2) + name();
    case RRType::soa: return name() + name() + draw.octets(20);
    case RRType::minfo: return name() + name();
    case RRType::srv: return draw.octets(6) + name();
    case RRType::txt: return from_hex("05") + draw.octets(5);
    case RRType::rrsig: return draw.octets(18) + name() + draw.octets(64);
    case RRType::null: return draw.octets(draw.below(300));
    default: return name();  // NS, CNAME, PTR, DNAME
  }
}

constexpr std::array kTypes{RRType::a,     RRType::aaaa,  RRType::mx,  RRType::soa,
                            RRType::minfo, RRType::srv,   RRType::txt, RRType::null,
                            RRType::ns,    RRType::cname, RRType::ptr, RRType::dname};

RRset any_set(Draw& draw) {
  RRset set{draw.any_name(6), draw.of(kTypes), draw.u32() >> 1, {}, {}};
  for (std::size_t left = 1 + draw.below(4); left > 0; --left) {
    set.records.add(any_rdata(set.type, draw));
  }
  if (draw.one_in(3)) set.signatures.add(any_rdata(RRType::rrsig, draw));
  return set;
}

/// A message of random sets with what it should hold; counts how many sets were refused.
class RandomMessage {
 public:
  RandomMessage(Draw& draw, std::size_t limit)
      : buffer_(limit), writer_(buffer_, limit, MessageWriter::opt_size(nullptr)) {
    writer_.begin(0x4711, flag::qr | flag::ra);
    question_ = draw.any_name(6);
    writer_.question(question_.wire(), RRType::any, RRClass::in);
    const std::size_t sets_max = draw.one_in(30) ? 400 : 20;  // some beyond the reach of pointers
    for (const auto section : {Section::answer, Section::authority, Section::additional}) {
      for (std::size_t left = draw.below(sets_max); left > 0; --left) add(section, draw);
    }
    const MessageWriter::Opt opt{1400, true, nullptr};
    octets_ = writer_.finish(Rcode::nxdomain, &opt);
  }

  Bytes octets() const { return octets_; }
  const Name& question() const { return question_; }
  bool truncated() const { return writer_.truncated(); }
  std::size_t refused() const { return refused_; }
  std::vector<Plain> section(Section section) const {
    return sections_[static_cast<std::size_t>(section)];
  }

 private:
  void add(Section section, Draw& draw) {
    RRset set = any_set(draw);
    if (draw.one_in(4)) set.owner = question_;
    const std::size_t first = draw.below(6);
    if (!writer_.add(section, set, true, first)) {
      ++refused_;
      return;
    }
    auto& held = sections_[static_cast<std::size_t>(section)];
    append(held, set, set.type, set.records, first);
    append(held, set, RRType::rrsig, set.signatures, 0);
  }

  std::vector<std::uint8_t> buffer_;
  MessageWriter writer_;
  Name question_;
  std::array<std::vector<Plain>, 3> sections_;
  std::size_t refused_ = 0;
  Bytes octets_;
};

void check_as_ldns_reads(const RandomMessage& message) {
  const auto packet = ldns_parse(message.octets());
  REQUIRE(packet);
  CHECK(ldns_pkt_id(packet.get()) == 0x4711);
  CHECK(ldns_pkt_get_rcode(packet.get()) == LDNS_RCODE_NXDOMAIN);
  CHECK(static_cast<bool>(ldns_pkt_tc(packet.get())) == message.truncated());
  CHECK(ldns_pkt_edns(packet.get()));
  CHECK(ldns_pkt_edns_udp_size(packet.get()) == 1400);
  CHECK(ldns_pkt_edns_do(packet.get()));
  const ldns_rr* question = ldns_rr_list_rr(ldns_pkt_question(packet.get()), 0);
  CHECK(to_hex(text::bytes_of(*ldns_rr_owner(question))) == to_hex(message.question().wire()));
  CHECK(plain_of(*ldns_pkt_answer(packet.get())) == message.section(Section::answer));
  CHECK(plain_of(*ldns_pkt_authority(packet.get())) == message.section(Section::authority));
  CHECK(plain_of(*ldns_pkt_additional(packet.get())) == message.section(Section::additional));
}

}  // namespace

TEST_CASE("wire/ldns: it reads whole messages as they were meant", "[wire]") {
  Draw draw(1001);
  std::size_t beyond_pointers = 0;
  for (int i = 0; i < 1000; ++i) {
    const RandomMessage message(draw, 65535);
    check_as_ldns_reads(message);
    if (message.octets().size() > 0x4000) ++beyond_pointers;
  }
  CHECK(beyond_pointers > 20);
}

TEST_CASE("wire/ldns: it reads messages with too little room as they were meant", "[wire]") {
  Draw draw(1002);
  std::size_t refused = 0;
  std::size_t truncated = 0;
  for (int i = 0; i < 2000; ++i) {
    const RandomMessage message(draw, 512 + draw.below(3000));
    check_as_ldns_reads(message);
    refused += message.refused();
    truncated += message.truncated() ? 1 : 0;
  }
  CHECK(refused > 1000);
  CHECK(truncated > 500);
  CHECK(truncated < 2000);
}

TEST_CASE("wire/ldns: queries it builds are read", "[wire]") {
  Draw draw(1003);
  for (int i = 0; i < 2000; ++i) {
    const Name asked = draw.any_name(8);
    const auto type = static_cast<ldns_rr_type>(draw.of(kTypes));
    ldns_rdf* owner =
        ldns_dname_new_frm_data(static_cast<std::uint16_t>(asked.size()), asked.wire().data());
    const Ldns<ldns_pkt> packet(ldns_pkt_query_new(owner, type, LDNS_RR_CLASS_IN, LDNS_RD));
    const bool has_edns = draw.one_in(2);
    const auto udp_size = static_cast<std::uint16_t>(512 + draw.below(4000));
    ldns_pkt_set_id(packet.get(), static_cast<std::uint16_t>(i));
    ldns_pkt_set_cd(packet.get(), draw.one_in(2));
    if (has_edns) {
      ldns_pkt_set_edns_udp_size(packet.get(), udp_size);
      ldns_pkt_set_edns_do(packet.get(), draw.one_in(2));
    }
    std::uint8_t* wire = nullptr;
    std::size_t size = 0;
    REQUIRE(ldns_pkt2wire(&wire, packet.get(), &size) == LDNS_STATUS_OK);
    const Malloced<std::uint8_t> owned(wire);

    QueryView query;
    REQUIRE(parse_query({wire, size}, query) == QueryVerdict::accept);
    CHECK(query.id == i);
    CHECK(to_hex(query.name) == to_hex(asked.wire()));
    CHECK(static_cast<unsigned>(query.type) == static_cast<unsigned>(type));
    CHECK(query.recursion_desired());
    CHECK(query.checking_disabled() == static_cast<bool>(ldns_pkt_cd(packet.get())));
    REQUIRE(query.edns.has_value() == has_edns);
    if (!has_edns) continue;
    CHECK(query.edns->udp_size == udp_size);
    CHECK(query.dnssec_ok() == static_cast<bool>(ldns_pkt_edns_do(packet.get())));
  }
}

TEST_CASE("wire/ldns: names go to text and back alike", "[wire]") {
  Draw draw(1004);
  for (int i = 0; i < 5000; ++i) {
    const Name drawn = draw.any_name(8);
    const Ldns<ldns_rdf> theirs(ldns_dname_new_frm_str(drawn.to_text().c_str()));
    REQUIRE(theirs);
    CHECK(to_hex(text::bytes_of(*theirs)) == to_hex(drawn.wire()));
    const Malloced<char> text(ldns_rdf2str(theirs.get()));
    CHECK(to_hex(Name::from_text(text.get()).value().wire()) == to_hex(drawn.wire()));
  }
}

TEST_CASE("wire/ldns: names are below one another alike", "[wire]") {
  Draw draw(1005);
  std::size_t below = 0;
  for (int i = 0; i < 5000; ++i) {
    const Name child = draw.any_name(4);
    const Name ancestor = draw.one_in(2) ? draw.any_name(2) : child.suffix(draw.below(4)).lowered();
    if (child == ancestor) continue;  // ldns calls these below when their letter case differs
    const auto rdf = [](const Name& name) {
      return Ldns<ldns_rdf>(
          ldns_dname_new_frm_data(static_cast<std::uint16_t>(name.size()), name.wire().data()));
    };
    const bool theirs = ldns_dname_is_subdomain(rdf(child).get(), rdf(ancestor).get());
    CAPTURE(child.to_text(), ancestor.to_text());
    REQUIRE(child.is_below(ancestor) == theirs);
    if (theirs) ++below;
  }
  CHECK(below > 1000);
}

TEST_CASE("wire/ldns: RDATA that is well-formed for us it reads and prints", "[wire]") {
  Draw draw(1006);
  std::size_t read = 0;
  for (int i = 0; i < 50'000; ++i) {
    const auto& sample = draw.of(kRdataSamples);
    Octets rdata = from_hex(sample.rdata);
    if (!draw.one_in(8)) mutate(rdata, draw);
    if (!is_well_formed(sample.type, rdata)) continue;
    Octets wire = from_hex("00");
    for (const unsigned word :
         {static_cast<unsigned>(sample.type), 1U, 0U, 0U, static_cast<unsigned>(rdata.size())}) {
      wire.push_back(static_cast<std::uint8_t>(word >> 8));
      wire.push_back(static_cast<std::uint8_t>(word));
    }
    wire = wire + rdata;
    ldns_rr* record = nullptr;
    std::size_t position = 0;
    const auto status =
        ldns_wire2rr(&record, wire.data(), wire.size(), &position, LDNS_SECTION_ANSWER);
    const Ldns<ldns_rr> owned(record);
    CAPTURE(to_string(sample.type), to_hex(rdata), ldns_get_errorstr_by_id(status));
    REQUIRE(status == LDNS_STATUS_OK);
    REQUIRE(position == wire.size());
    const Malloced<char> text(ldns_rr2str(record));
    REQUIRE(text);
    ++read;
  }
  CHECK(read > 10'000);
}

}  // namespace siskin::wire::test
