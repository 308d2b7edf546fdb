#include "serve/messages.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"
#include "support/catch.hpp"

namespace siskin::serve::test {
namespace {

using wire::Reader;
using wire::RRType;

std::string hex(wire::Bytes bytes) {
  std::string text;
  for (const std::uint8_t octet : bytes) {
    text += "0123456789abcdef"[octet >> 4];
    text += "0123456789abcdef"[octet & 15];
  }
  return text;
}

std::string class_text(std::uint16_t klass) {
  if (klass == 1) return "IN";
  return klass == 3 ? "CH" : "CLASS" + std::to_string(klass);
}

/// Addresses, aliases and texts as people write them; anything else as its length.
std::string rdata_text(RRType type, wire::Bytes message, std::size_t at, wire::Bytes rdata) {
  if (const auto address = wire::address_of(type, rdata)) return address->to_text();
  if (type == RRType::cname || type == RRType::dname) {
    Reader reader(message, at);
    return reader.name().to_text();
  }
  if (type == RRType::hinfo) return hex(rdata);
  if (type == RRType::txt && rdata.size() < 40) {
    return std::string(rdata.begin() + 1, rdata.end());
  }
  return "(" + std::to_string(rdata.size()) + ")";
}

void read_opt(Reply& reply, std::uint16_t klass, std::uint32_t ttl, wire::Bytes options) {
  CHECK_FALSE(reply.opt);
  Reply::Opt opt;
  opt.udp_size = klass;
  opt.version = static_cast<std::uint8_t>(ttl >> 16);
  opt.flags = static_cast<std::uint16_t>(ttl);
  opt.options_size = options.size();
  if (const auto data = wire::find_option(options, wire::EdnsOption::extended_error)) {
    REQUIRE(data->size() >= 2);
    const auto code = static_cast<wire::Ede>((*data)[0] << 8 | (*data)[1]);
    opt.error = wire::ExtendedError{code, std::string(data->begin() + 2, data->end())};
  }
  if (const auto data = wire::find_option(options, wire::EdnsOption::client_subnet)) {
    opt.subnet = hex(*data);
  }
  reply.opt = opt;
  reply.rcode = static_cast<wire::Rcode>((ttl >> 24) << 4 | (reply.flags & 15U));
}

void read_record(Reader& reader, wire::Bytes message, Lines* lines, Reply& reply) {
  const std::string owner = reader.name().to_text();
  const auto type = static_cast<RRType>(reader.u16());
  const std::uint16_t klass = reader.u16();
  const std::uint32_t ttl = reader.u32();
  const std::uint16_t size = reader.u16();
  const std::size_t at = reader.position();
  const wire::Bytes rdata = reader.bytes(size);
  REQUIRE_FALSE(reader.failed());
  if (lines == nullptr) {
    REQUIRE(type == RRType::opt);
    CHECK(owner == ".");
    return read_opt(reply, klass, ttl, rdata);
  }
  lines->push_back(owner + " " + std::to_string(ttl) + " " + class_text(klass) + " " +
                   to_string(type) + " " + rdata_text(type, message, at, rdata));
}

std::string read_question(Reader& reader) {
  const std::string owner = reader.name().to_text();
  const auto type = static_cast<RRType>(reader.u16());
  return owner + " " + class_text(reader.u16()) + " " + to_string(type);
}

}  // namespace

Octets query(const QuerySpec& spec) {
  Octets buffer(2048);
  wire::Writer out(buffer);
  out.u16(spec.id);
  out.u16(spec.flags);
  out.u16(1);
  out.u32(0);
  out.u16(static_cast<std::uint16_t>(spec.opts.size()));
  out.bytes(name(spec.name).wire());
  out.u16(static_cast<std::uint16_t>(spec.type));
  out.u16(static_cast<std::uint16_t>(spec.klass));
  for (const OptSpec& opt : spec.opts) {
    out.u8(0);
    out.u16(static_cast<std::uint16_t>(RRType::opt));
    out.u16(opt.udp_size);
    out.u32(static_cast<std::uint32_t>(opt.version) << 16 | opt.flags);
    out.u16(static_cast<std::uint16_t>(opt.options.size()));
    out.bytes(opt.options);
  }
  REQUIRE_FALSE(out.failed());
  buffer.resize(out.position());
  return buffer;
}

Reply read_reply(wire::Bytes octets) {
  Reply reply;
  Reader reader(octets);
  reply.size = octets.size();
  reply.id = reader.u16();
  reply.flags = reader.u16();
  reply.rcode = static_cast<wire::Rcode>(reply.flags & 15);
  const std::uint16_t questions = reader.u16();
  const std::uint16_t answers = reader.u16();
  const std::uint16_t authorities = reader.u16();
  const std::uint16_t additionals = reader.u16();
  REQUIRE(questions <= 1);
  if (questions == 1) reply.question = read_question(reader);
  for (int i = 0; i < answers; ++i) read_record(reader, octets, &reply.answer, reply);
  for (int i = 0; i < authorities; ++i) read_record(reader, octets, &reply.authority, reply);
  for (int i = 0; i < additionals; ++i) read_record(reader, octets, nullptr, reply);
  REQUIRE_FALSE(reader.failed());
  REQUIRE(reader.remaining() == 0);
  return reply;
}

wire::Name name(const std::string& text) {
  return *wire::Name::from_text(text);
}

wire::RRset a_set(const std::string& owner, std::uint32_t ttl, const Lines& addresses) {
  wire::RRset set{name(owner), RRType::a, ttl, {}, {}};
  for (const std::string& text : addresses) set.records.add(IpAddress::from_text(text)->octets());
  return set;
}

wire::RRset cname_set(const std::string& owner, std::uint32_t ttl, const std::string& target) {
  wire::RRset set{name(owner), RRType::cname, ttl, {}, {}};
  set.records.add(name(target).wire());
  return set;
}

wire::RRset soa_set(const std::string& zone, std::uint32_t ttl) {
  wire::RRset set{name(zone), RRType::soa, ttl, {}, {}};
  Octets rdata(2 + 20);  // two root names and five numbers
  set.records.add(rdata);
  return set;
}

wire::RRset txt_set(const std::string& owner, std::uint32_t ttl, std::size_t count,
                    std::size_t size) {
  wire::RRset set{name(owner), RRType::txt, ttl, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    Octets rdata;
    while (rdata.size() < size) {
      const std::size_t part = std::min<std::size_t>(size - rdata.size(), 256);
      rdata.push_back(static_cast<std::uint8_t>(part - 1));
      rdata.insert(rdata.end(), part - 1, static_cast<std::uint8_t>('a' + i % 26));
    }
    set.records.add(rdata);
  }
  return set;
}

wire::RRset with_signature(wire::RRset set) {
  Octets rdata(20);  // type covered, ..., and the root as signer at 18
  rdata[0] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(set.type) >> 8);
  rdata[1] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(set.type));
  set.signatures.add(rdata);
  return set;
}

}  // namespace siskin::serve::test
