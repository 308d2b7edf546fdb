/// What the fuzz targets do with one input.  Tests run the same bodies on mutated good input.
/// A broken promise ends the process (SISKIN_CHECK), and memory errors are the sanitizers' part.
#pragma once

#include <algorithm>
#include <array>

#include "siskin/base/check.hpp"
#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/query.hpp"
#include "siskin/wire/rdata.hpp"
#include "siskin/wire/writer.hpp"

namespace siskin::wire::fuzz {

inline bool is_inside(Bytes part, Bytes whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

inline bool same_octets(Bytes a, Bytes b) {
  return std::ranges::equal(a, b);
}

/// A client subnet that can be read comes out as it went in.
inline void check_client_subnet(Bytes data) {
  const auto subnet = ClientSubnet::parse(data);
  if (!subnet) return;
  std::array<std::uint8_t, 24> buffer{};
  Writer out(buffer);
  subnet->write_option(out);
  SISKIN_CHECK(!out.failed() && out.position() == subnet->option_size());
  SISKIN_CHECK(same_octets(out.written().subspan(4), data));
  SISKIN_CHECK(subnet->network().prefix_length() == subnet->source);
}

inline void check_view(Bytes message, QueryVerdict verdict, const QueryView& query) {
  SISKIN_CHECK(is_inside(query.name, message));
  SISKIN_CHECK(query.name.empty() || name_size(query.name) == query.name.size());
  if (verdict == QueryVerdict::drop) return;
  SISKIN_CHECK(query.id == (message[0] << 8 | message[1]));
  SISKIN_CHECK(query.flags == (message[2] << 8 | message[3]));
  if (verdict == QueryVerdict::accept || verdict == QueryVerdict::badvers) {
    SISKIN_CHECK(!query.name.empty());
    SISKIN_CHECK((verdict == QueryVerdict::badvers) == (query.edns && query.edns->version != 0));
  }
  if (!query.edns) return;
  SISKIN_CHECK(query.edns->udp_size >= kUdpSizeMin);
  SISKIN_CHECK(is_inside(query.edns->options, message));
  SISKIN_CHECK(are_options(query.edns->options));
  for (const auto code : {EdnsOption::nsid, EdnsOption::client_subnet, EdnsOption::cookie}) {
    const auto data = find_option(query.edns->options, code);
    SISKIN_CHECK(!data || is_inside(*data, query.edns->options));
  }
  if (const auto data = find_option(query.edns->options, EdnsOption::client_subnet)) {
    check_client_subnet(*data);
  }
}

/// The reply that a query would get: the question returned, one record, OPT.
inline void check_reply(const QueryView& query) {
  std::array<std::uint8_t, 512> buffer{};
  MessageWriter writer(buffer, buffer.size(), MessageWriter::opt_size(nullptr));
  writer.begin(query.id, flag::qr);
  writer.question(query.name, query.type, RRClass::in);
  constexpr std::array<std::uint8_t, 6> kAddress{0, 4, 192, 0, 2, 1};
  SISKIN_CHECK(writer.add_rrset(Section::answer, query.name, RRType::a, 1, kAddress));
  const MessageWriter::Opt opt;
  const Bytes reply = writer.finish(Rcode::noerror, &opt);

  Reader reader(reply, kHeaderSize);
  SISKIN_CHECK(same_octets(reader.name().wire(), query.name));
  reader.skip(4);
  SISKIN_CHECK(same_octets(reader.name().wire(), query.name));
  reader.skip(10 + 4);
  SISKIN_CHECK(!reader.failed() && reader.remaining() == MessageWriter::opt_size(nullptr));
}

/// Any message as a client's query.
inline QueryVerdict check_query(Bytes message) {
  QueryView query;
  const QueryVerdict verdict = parse_query(message, query);
  check_view(message, verdict, query);
  if (!query.name.empty()) check_reply(query);
  return verdict;
}

/// The laws of names that hold for each one.
inline void check_name_laws(const Name& name) {
  const Bytes wire = name.wire();
  SISKIN_CHECK(name_size(wire) == wire.size() && wire.size() <= kNameSizeMax);
  SISKIN_CHECK(same_octets(Name::from_text(name.to_text()).value().wire(), wire));
  SISKIN_CHECK(name.lowered() == name);
  SISKIN_CHECK(name.label_count() <= kLabelsMax);
  SISKIN_CHECK(name.is_at_or_below(name.parent()));
  SISKIN_CHECK(name.suffix(name.label_count()) == name);
  if (name.is_root()) return;
  SISKIN_CHECK(same_octets(name.parent().with_label(name.first_label()).value().wire(), wire));
  SISKIN_CHECK(name.substitute(name.parent(), name.parent()) == name);
  SISKIN_CHECK(name.suffix(name.label_count() - 1) == name.parent());
}

/// Two names in one message come back as they were, letter case aside.
inline void check_compression(const Name& first, const Name& second) {
  std::array<std::uint8_t, 2048> buffer{};
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0, 0);
  writer.question(first.wire(), RRType::ns, RRClass::in);
  RecordList records;
  records.add(first.wire());
  SISKIN_CHECK(writer.add_rrset(Section::answer, second.wire(), RRType::ns, 1, records.bytes()));
  Reader reader(writer.finish(Rcode::noerror, nullptr), kHeaderSize);
  SISKIN_CHECK(reader.name() == first);
  reader.skip(4);
  SISKIN_CHECK(reader.name() == second);
  reader.skip(10);
  SISKIN_CHECK(reader.name() == first);
  SISKIN_CHECK(!reader.failed() && reader.remaining() == 0);
}

/// Octets 0 and 1 say where in the message a name is read, octets 2 and 3 as which type the octets
/// from there on are judged.  Returns whether the name was good.
inline bool check_name(Bytes input) {
  if (input.size() < 4) return false;
  const std::size_t at = Reader(input).u16() % input.size();
  const auto type = static_cast<RRType>(Reader(input, 2).u16());
  Reader reader(input, at);
  const Name name = reader.name();
  Reader skipper(input, at);
  skipper.skip_name();
  SISKIN_CHECK(reader.failed() || (!skipper.failed() && skipper.position() == reader.position()));
  check_name_laws(name);
  check_client_subnet(input.subspan(at));
  check_compression(name, name.parent().with_label(input.first(1)).value_or(name));

  const Bytes rdata = input.subspan(at);
  if (is_well_formed(type, rdata)) {
    SISKIN_CHECK(type != RRType::cname || target_of(rdata));
    SISKIN_CHECK(type != RRType::aaaa || address_of(type, rdata));
    SISKIN_CHECK(type != RRType::rrsig || covered_type(rdata));
    SISKIN_CHECK(type != RRType::soa || soa_minimum(rdata));
  }
  return !reader.failed();
}

}  // namespace siskin::wire::fuzz
