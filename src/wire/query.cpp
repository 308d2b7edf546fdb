#include "siskin/wire/query.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"

namespace siskin::wire {
namespace {

struct Counts {
  std::uint16_t questions = 0;
  std::uint16_t answers = 0;
  std::uint16_t authorities = 0;
  std::uint16_t additionals = 0;
};

Counts read_counts(Reader& reader) noexcept {
  Counts counts;
  counts.questions = reader.u16();
  counts.answers = reader.u16();
  counts.authorities = reader.u16();
  counts.additionals = reader.u16();
  return counts;
}

/// Compression is refused: nothing that a pointer could lead to stands before the question.
bool read_question(Reader& reader, Bytes message, QueryView& query) noexcept {
  const std::size_t size = name_size(message.subspan(reader.position()));
  const Bytes name = reader.bytes(size);
  const auto type = static_cast<RRType>(reader.u16());
  const auto klass = static_cast<RRClass>(reader.u16());
  if (size == 0 || reader.failed()) return false;
  query.name = name;
  query.type = type;
  query.klass = klass;
  return true;
}

/// A record of the additional section as far as a query needs it.
struct Record {
  bool owner_is_root = false;  ///< as one zero octet, not by a pointer (RFC 6891 §6.1.2)
  RRType type = RRType::none;
  std::uint16_t klass = 0;
  std::uint32_t ttl = 0;
  Bytes rdata;
};

Record read_record(Reader& reader, Bytes message) noexcept {
  Record record;
  const std::size_t start = reader.position();
  record.owner_is_root = start < message.size() && message[start] == 0;
  if (record.owner_is_root) {
    reader.skip(1);
  } else {
    reader.name();
  }
  record.type = static_cast<RRType>(reader.u16());
  record.klass = reader.u16();
  record.ttl = reader.u32();
  record.rdata = reader.bytes(reader.u16());
  return record;
}

bool read_opt(const Record& record, std::optional<Edns>& edns) noexcept {
  if (edns || !record.owner_is_root) return false;
  Edns read;
  read.extended_rcode = static_cast<std::uint8_t>(record.ttl >> 24);
  read.version = static_cast<std::uint8_t>(record.ttl >> 16);
  read.dnssec_ok = (record.ttl & 0x8000) != 0;
  read.udp_size = std::max(record.klass, kUdpSizeMin);
  // What options look like in versions to come is not known; they get BADVERS all the same.
  if (read.version == 0) {
    if (!are_options(record.rdata)) return false;
    read.options = record.rdata;
  }
  edns = read;
  return true;
}

/// OPT anywhere, and one TSIG or SIG(0) as the very last record (RFC 8945 §5.1, RFC 2931 §3.1):
/// that much is read and not judged, so that a signed query is not refused for its form.
bool read_additionals(Reader& reader, Bytes message, std::size_t count, QueryView& query) noexcept {
  for (; count > 0; --count) {
    const Record record = read_record(reader, message);
    if (reader.failed()) return false;
    const bool is_signature = record.type == RRType::tsig || record.type == RRType::sig;
    if (is_signature && count == 1) continue;
    if (record.type != RRType::opt || !read_opt(record, query.edns)) return false;
  }
  return true;
}

}  // namespace

QueryVerdict parse_query(Bytes message, QueryView& query) noexcept {
  query = {};
  if (message.size() < kHeaderSize) return QueryVerdict::drop;
  Reader reader(message);
  query.id = reader.u16();
  query.flags = reader.u16();
  if (query.flags & flag::qr) return QueryVerdict::drop;
  if (opcode_of(query.flags) != Opcode::query) return QueryVerdict::notimp;

  const Counts counts = read_counts(reader);
  if (counts.questions != 1 || !read_question(reader, message, query)) return QueryVerdict::formerr;
  if (query.flags & flag::tc) return QueryVerdict::formerr;
  if (counts.answers != 0 || counts.authorities != 0) return QueryVerdict::formerr;
  if (!read_additionals(reader, message, counts.additionals, query)) return QueryVerdict::formerr;
  if (reader.remaining() != 0) return QueryVerdict::formerr;
  if (query.edns && query.edns->version != 0) return QueryVerdict::badvers;
  return QueryVerdict::accept;
}

QuestionPeek peek_question(Bytes message) noexcept {
  if (message.size() <= kHeaderSize) return {};
  const Bytes rest = message.subspan(kHeaderSize);
  const std::size_t size = name_size(rest);
  if (size == 0 || rest.size() < size + 2) return {};
  return {rest.first(size), RRType{Reader(rest, size).u16()}};
}

}  // namespace siskin::wire
