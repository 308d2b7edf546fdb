#include "resolve/root_transfer.hpp"

#include <algorithm>

#include "resolve/frame.hpp"
#include "resolve/message.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"
#include "text/ldns.hpp"

namespace siskin::resolve {
namespace {

using text::Ldns;
using wire::Bytes;
using wire::Name;
using wire::RRType;

Error malformed(std::string why) {
  return {Errc::malformed, std::move(why)};
}

std::vector<std::uint8_t> rdata_of(const ldns_rr* rr) {
  std::vector<std::uint8_t> rdata;
  for (std::size_t i = 0; i < ldns_rr_rd_count(rr); ++i) {
    const Bytes field = text::bytes_of(*ldns_rr_rdf(rr, i));
    rdata.insert(rdata.end(), field.begin(), field.end());
  }
  return rdata;
}

}  // namespace

struct RootTransfer::Record {
  Name owner;
  RRType type = RRType::none;
  std::uint32_t ttl = 0;
  std::vector<std::uint8_t> rdata;

  static Result<Record> read(const ldns_rr* rr) {
    const auto owner = Name::from_wire(text::bytes_of(*ldns_rr_owner(rr)));
    if (!owner) return owner.error();
    Record record{*owner, static_cast<RRType>(ldns_rr_get_type(rr)), ldns_rr_ttl(rr), rdata_of(rr)};
    if (ldns_rr_get_class(rr) != LDNS_RR_CLASS_IN) return malformed("a record is not of class IN");
    if (wire::is_meta(record.type) || record.type == RRType::any) {
      return malformed("a record of type " + to_string(record.type));
    }
    if (record.rdata.size() > 0xffff || !wire::is_well_formed(record.type, record.rdata)) {
      return malformed("bad RDATA of " + to_string(record.type));
    }
    return record;
  }
};

std::vector<std::uint8_t> encode_transfer(std::uint16_t id) {
  UpstreamQuery query;
  query.type = RRType::axfr;
  query.id = id;
  query.edns = false;
  return encode(query);
}

bool RootTransfer::take(std::span<const std::uint8_t> message) {
  if (is_complete_ || error_) return false;
  if (auto r = read(message); !r) error_ = r.error();
  return !is_complete_ && !error_;
}

Result<void> RootTransfer::read(Bytes message) {
  octets_ += message.size();
  if (octets_ > limits_.octets) return Error{Errc::limit, "the zone is too large"};
  if (auto r = check_header(message); !r) return r;
  if (auto r = check_frame(message); !r) return r;
  ldns_pkt* raw = nullptr;
  const ldns_status status = ldns_wire2pkt(&raw, message.data(), message.size());
  if (status != LDNS_STATUS_OK) return malformed(ldns_get_errorstr_by_id(status));
  const Ldns<ldns_pkt> packet(raw);
  const ldns_rr_list* answer = ldns_pkt_answer(raw);
  const std::size_t count = ldns_rr_list_rr_count(answer);
  if (count == 0) return malformed("a message without records");
  for (std::size_t i = 0; i < count; ++i) {
    if (is_complete_) return malformed("records after the last SOA");
    const auto record = Record::read(ldns_rr_list_rr(answer, i));
    if (!record) return record.error();
    if (auto r = add(*record); !r) return r;
  }
  return {};
}

/// RFC 5936 §2.2: later messages may leave the question out.
Result<void> RootTransfer::check_header(Bytes message) const {
  wire::Reader reader(message);
  const std::uint16_t id = reader.u16();
  const std::uint16_t flags = reader.u16();
  const std::uint16_t questions = reader.u16();
  reader.skip(6);
  if (reader.failed()) return malformed("a message without a header");
  if ((flags & wire::flag::qr) == 0 || wire::opcode_of(flags) != wire::Opcode::query) {
    return malformed("a message that is no reply");
  }
  if (id != id_) return malformed("a message with another ID");
  if (const auto rcode = static_cast<wire::Rcode>(wire::rcode_bits(flags));
      rcode != wire::Rcode::noerror) {
    return Error{Errc::forbidden, "the server says " + to_string(rcode)};
  }
  if ((flags & wire::flag::tc) != 0) return malformed("a truncated message");
  if (questions == 0) return {};
  const Name name = reader.name();
  const auto type = static_cast<RRType>(reader.u16());
  const auto rr_class = static_cast<wire::RRClass>(reader.u16());
  const bool is_ours = questions == 1 && !reader.failed() && name.is_root() &&
                       type == RRType::axfr && rr_class == wire::RRClass::in;
  if (!is_ours) return malformed("an answer to another question");
  return {};
}

Result<void> RootTransfer::add(const Record& record) {
  if (record.type == RRType::soa || soa_.empty()) return add_soa(record);
  if (records_.size() >= limits_.records) return Error{Errc::limit, "too many records"};
  return records_.add(record.owner, record.type, record.ttl, record.rdata);
}

Result<void> RootTransfer::add_soa(const Record& record) {
  if (record.type != RRType::soa || !record.owner.is_root()) {
    return malformed(soa_.empty() ? "it does not begin with the root's SOA"
                                  : "an SOA in the middle of the zone");
  }
  if (!soa_.empty()) {
    if (record.rdata != soa_) return malformed("it ends with another SOA than it began with");
    is_complete_ = true;
    return {};
  }
  soa_ = record.rdata;
  return records_.add(record.owner, record.type, record.ttl, record.rdata);
}

Result<RootZone> RootTransfer::finish() && {
  if (error_) return *error_;
  if (!is_complete_) return Error{Errc::closed, "it ends before the last SOA"};
  return RootZone::make(std::move(records_).finish());
}

}  // namespace siskin::resolve
