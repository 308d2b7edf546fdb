#include "scenarios/message.hpp"

#include <fmt/format.h>

#include <utility>

#include "siskin/text/print.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::scenarios {

using wire::Bytes;
using wire::RRType;

namespace {

constexpr std::size_t kMessageSizeMax = 0xffff;
constexpr std::uint16_t kDnssecOk = 0x8000;  ///< in the lower half of an OPT's TTL
constexpr std::array<const char*, 3> kSectionNames{"answer", "authority", "additional"};
constexpr std::array<std::pair<std::uint16_t, const char*>, 7> kFlagNames{{{wire::flag::qr, "QR"},
                                                                           {wire::flag::aa, "AA"},
                                                                           {wire::flag::tc, "TC"},
                                                                           {wire::flag::rd, "RD"},
                                                                           {wire::flag::ra, "RA"},
                                                                           {wire::flag::ad, "AD"},
                                                                           {wire::flag::cd, "CD"}}};

void write(wire::Writer& out, const Record& record) {
  out.bytes(record.owner.wire());
  out.u16(static_cast<std::uint16_t>(record.type));
  out.u16(static_cast<std::uint16_t>(record.klass));
  out.u32(record.ttl);
  out.u16(static_cast<std::uint16_t>(record.rdata.size()));
  out.bytes(record.rdata);
}

Record to_record(const Opt& opt, wire::Rcode rcode) {
  Record record;
  record.type = RRType::opt;
  record.klass = static_cast<wire::RRClass>(opt.udp_size);
  record.ttl = (static_cast<std::uint32_t>(rcode) >> 4) << 24 | std::uint32_t{opt.version} << 16 |
               (opt.dnssec_ok ? kDnssecOk : 0U);
  record.rdata = opt.options;
  return record;
}

/// RDATA with its names written out.
std::vector<std::uint8_t> read_rdata(wire::Reader& reader, RRType type) {
  const std::size_t size = reader.u16();
  const std::size_t end = reader.position() + size;
  const auto layout = wire::compressible_layout(type);
  std::vector<std::uint8_t> rdata;
  const auto append = [&rdata](Bytes bytes) {
    rdata.insert(rdata.end(), bytes.begin(), bytes.end());
  };
  append(reader.bytes(layout.names > 0 ? layout.fixed_before : 0));
  for (unsigned i = 0; i < layout.names; ++i) append(reader.name().wire());
  if (reader.failed() || reader.position() > end) {
    reader.fail();
    return {};
  }
  append(reader.bytes(end - reader.position()));
  return rdata;
}

Record read_record(wire::Reader& reader) {
  Record record;
  record.owner = reader.name();
  record.type = static_cast<RRType>(reader.u16());
  record.klass = static_cast<wire::RRClass>(reader.u16());
  record.ttl = reader.u32();
  record.rdata = read_rdata(reader, record.type);
  return record;
}

void take_opt(Record record, Message& message) {
  Opt& opt = message.opt.emplace();
  opt.udp_size = static_cast<std::uint16_t>(record.klass);
  opt.version = static_cast<std::uint8_t>(record.ttl >> 16);
  opt.dnssec_ok = (record.ttl & kDnssecOk) != 0;
  opt.options = std::move(record.rdata);
  const auto upper = static_cast<std::uint16_t>(record.ttl >> 24 << 4);
  message.rcode = static_cast<wire::Rcode>(upper | static_cast<std::uint16_t>(message.rcode));
}

std::string to_line(const Record& record) {
  std::string line = text::print_record(record.owner, record.type, record.ttl, record.rdata);
  if (record.klass == wire::RRClass::in) return line;
  if (const auto at = line.find(" IN "); at != std::string::npos) {
    line.replace(at + 1, 2, fmt::format("CLASS{}", static_cast<unsigned>(record.klass)));
  }
  return line;
}

std::string to_line(const Opt& opt) {
  std::string line = fmt::format("; EDNS{}", opt.dnssec_ok ? " DO" : "");
  if (const auto ede = wire::find_option(opt.options, wire::EdnsOption::extended_error)) {
    if (ede->size() >= 2) line += fmt::format(" EDE {}", (*ede)[0] << 8 | (*ede)[1]);
  }
  for (const std::uint8_t octet : opt.options) line += fmt::format(" {:02x}", octet);
  return line;
}

}  // namespace

std::vector<std::uint8_t> encode(const Message& message) {
  std::vector<std::uint8_t> buffer(kMessageSizeMax);
  wire::Writer out(buffer);
  out.u16(message.id);
  out.u16(static_cast<std::uint16_t>(message.flags | (static_cast<unsigned>(message.rcode) & 0xf)));
  out.u16(static_cast<std::uint16_t>(message.questions.size()));
  for (std::size_t i = 0; i < message.sections.size(); ++i) {
    const std::size_t opts = i == 2 && message.opt ? 1 : 0;
    out.u16(static_cast<std::uint16_t>(message.sections[i].size() + opts));
  }
  for (const Question& question : message.questions) {
    out.bytes(question.name.wire());
    out.u16(static_cast<std::uint16_t>(question.type));
    out.u16(static_cast<std::uint16_t>(question.klass));
  }
  for (const auto& section : message.sections) {
    for (const Record& record : section) write(out, record);
  }
  if (message.opt) write(out, to_record(*message.opt, message.rcode));
  buffer.resize(out.position());
  return buffer;
}

Result<Message> decode(Bytes bytes) {
  wire::Reader reader(bytes);
  Message message;
  message.id = reader.u16();
  const std::uint16_t flags = reader.u16();
  message.flags = static_cast<std::uint16_t>(flags & ~0xfU);
  message.rcode = static_cast<wire::Rcode>(wire::rcode_bits(flags));
  const std::uint16_t questions = reader.u16();
  std::array<std::uint16_t, 3> counts{};
  for (std::uint16_t& count : counts) count = reader.u16();
  for (unsigned i = 0; i < questions && !reader.failed(); ++i) {
    Question& question = message.questions.emplace_back();
    question.name = reader.name();
    question.type = static_cast<RRType>(reader.u16());
    question.klass = static_cast<wire::RRClass>(reader.u16());
  }
  for (std::size_t s = 0; s < counts.size(); ++s) {
    for (unsigned i = 0; i < counts[s] && !reader.failed(); ++i) {
      Record record = read_record(reader);
      if (record.type == RRType::opt) {
        take_opt(std::move(record), message);
      } else {
        message.sections[s].push_back(std::move(record));
      }
    }
  }
  if (reader.failed() || reader.remaining() > 0) return Error{Errc::malformed, "a bad message"};
  return message;
}

std::string to_line(const Question& question) {
  const std::string klass = question.klass == wire::RRClass::in
                                ? "IN"
                                : fmt::format("CLASS{}", static_cast<unsigned>(question.klass));
  return fmt::format("{} {} {}", question.name.to_text(), klass, to_string(question.type));
}

std::vector<std::string> to_lines(const Message& message) {
  std::string header;
  for (const auto& [mask, name] : kFlagNames) {
    if (message.flags & mask) header += fmt::format("{} ", name);
  }
  if (const auto opcode = wire::opcode_of(message.flags); opcode != wire::Opcode::query) {
    header += fmt::format("opcode {} ", static_cast<unsigned>(opcode));
  }
  std::vector<std::string> lines{header + to_string(message.rcode)};
  if (message.opt) lines.push_back(to_line(*message.opt));
  for (const Question& question : message.questions) lines.push_back("? " + to_line(question));
  for (std::size_t s = 0; s < message.sections.size(); ++s) {
    if (!message.sections[s].empty()) lines.push_back(fmt::format("; {}", kSectionNames[s]));
    for (const Record& record : message.sections[s]) lines.push_back(to_line(record));
  }
  return lines;
}

}  // namespace siskin::scenarios
