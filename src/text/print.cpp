#include "siskin/text/print.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"
#include "text/ldns.hpp"

namespace siskin::text {
namespace {

using wire::Bytes;
using wire::Reader;
using wire::RRType;

struct FreeText {
  void operator()(char* text) const noexcept { std::free(text); }
};

std::string hex(Bytes bytes) {
  std::string text;
  for (const std::uint8_t octet : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", octet);
  return text;
}

std::string unknown_rdata(Bytes rdata) {
  return fmt::format("\\# {}{}{}", rdata.size(), rdata.empty() ? "" : " ", hex(rdata));
}

/// One record's line as ldns writes it, fields parted by spaces; nothing when it cannot be read.
/// `at` moves past it.
std::optional<std::string> ldns_line(Bytes message, std::size_t& at) {
  ldns_rr* raw = nullptr;
  const auto status = ldns_wire2rr(&raw, message.data(), message.size(), &at, LDNS_SECTION_ANSWER);
  if (status != LDNS_STATUS_OK) return std::nullopt;
  const Ldns<ldns_rr> rr(raw);
  const std::unique_ptr<char, FreeText> text(ldns_rr2str(rr.get()));
  if (!text) return std::nullopt;
  std::string line = text.get();
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  for (char& c : line) c = c == '\t' ? ' ' : c;  // a tab in the data is written \009
  return line;
}

std::string class_text(std::uint16_t number) {
  switch (static_cast<wire::RRClass>(number)) {
    case wire::RRClass::in: return "IN";
    case wire::RRClass::ch: return "CH";
    case wire::RRClass::hs: return "HS";
    case wire::RRClass::none: return "NONE";
    case wire::RRClass::any: return "ANY";
  }
  return "CLASS" + std::to_string(number);
}

std::string flags_text(std::uint16_t flags) {
  constexpr std::array<std::pair<std::uint16_t, std::string_view>, 7> names{{
      {wire::flag::qr, "qr"},
      {wire::flag::aa, "aa"},
      {wire::flag::tc, "tc"},
      {wire::flag::rd, "rd"},
      {wire::flag::ra, "ra"},
      {wire::flag::ad, "ad"},
      {wire::flag::cd, "cd"},
  }};
  std::string text;
  for (const auto& [mask, name] : names) {
    if (flags & mask) text.append(" ").append(name);
  }
  return text;
}

std::string_view opcode_text(wire::Opcode opcode) {
  switch (opcode) {
    case wire::Opcode::query: return "QUERY";
    case wire::Opcode::iquery: return "IQUERY";
    case wire::Opcode::status: return "STATUS";
    case wire::Opcode::notify: return "NOTIFY";
    case wire::Opcode::update: return "UPDATE";
  }
  return "RESERVED";
}

/// Walks one message and writes what it finds.
class MessagePrinter {
 public:
  explicit MessagePrinter(Bytes message) : message_(message) {}

  std::string print() {
    if (message_.size() < wire::kHeaderSize) return unreadable(0);
    Reader header(message_);
    const std::uint16_t id = header.u16();
    const std::uint16_t flags = header.u16();
    std::array<std::uint16_t, 4> counts{};
    for (std::uint16_t& count : counts) count = header.u16();
    text_ = fmt::format(
        ";; opcode: {}, status: {}, id: {}\n;; flags:{}; QUERY: {}, ANSWER: {}, AUTHORITY: {}, "
        "ADDITIONAL: {}\n",
        opcode_text(wire::opcode_of(flags)),
        to_string(static_cast<wire::Rcode>(wire::rcode_bits(flags))), id, flags_text(flags),
        counts[0], counts[1], counts[2], counts[3]);
    at_ = wire::kHeaderSize;
    if (!questions(counts[0]) || !section("ANSWER", counts[1]) ||
        !section("AUTHORITY", counts[2]) || !section("ADDITIONAL", counts[3])) {
      return text_ + unreadable(at_);
    }
    return at_ == message_.size() ? text_ : text_ + unreadable(at_);
  }

 private:
  bool questions(std::size_t count) {
    if (count > 0) text_ += ";; QUESTION SECTION:\n";
    for (std::size_t i = 0; i < count; ++i) {
      Reader reader(message_, at_);
      const wire::Name name = reader.name();
      const auto type = static_cast<RRType>(reader.u16());
      const std::uint16_t klass = reader.u16();
      if (reader.failed()) return false;
      text_ += fmt::format(";{} {} {}\n", name.to_text(), class_text(klass), to_string(type));
      at_ = reader.position();
    }
    return true;
  }

  bool section(std::string_view title, std::size_t count) {
    if (count > 0) text_ += fmt::format(";; {} SECTION:\n", title);
    for (std::size_t i = 0; i < count; ++i) {
      if (!record()) return false;
    }
    return true;
  }

  bool record() {
    Reader reader(message_, at_);
    const wire::Name owner = reader.name();
    const auto type = static_cast<RRType>(reader.u16());
    const std::uint16_t klass = reader.u16();
    const std::uint32_t ttl = reader.u32();
    const Bytes rdata = reader.bytes(reader.u16());
    if (reader.failed()) return false;
    if (type == RRType::opt) {
      opt(klass, ttl, rdata);
    } else {
      std::size_t at = at_;
      const auto line = ldns_line(message_, at);
      text_ += line && at == reader.position()
                   ? *line
                   : fmt::format("{} {} {} {} {}", owner.to_text(), ttl, class_text(klass),
                                 to_string(type), unknown_rdata(rdata));
      text_ += '\n';
    }
    at_ = reader.position();
    return true;
  }

  void opt(std::uint16_t udp_size, std::uint32_t ttl, Bytes options) {
    text_ += fmt::format("; EDNS: version: {}, flags:{}; udp: {}", (ttl >> 16) & 0xff,
                         ttl & 0x8000 ? " do" : "", udp_size);
    if (ttl >> 24) text_ += fmt::format(", extended rcode: {}", ttl >> 24);
    text_ += '\n';
    Reader reader(options);
    while (reader.remaining() > 0 && !reader.failed()) {
      const std::uint16_t code = reader.u16();
      const Bytes data = reader.bytes(reader.u16());
      if (!reader.failed()) option(code, data);
    }
  }

  void option(std::uint16_t code, Bytes data) {
    if (code != static_cast<std::uint16_t>(wire::EdnsOption::extended_error) || data.size() < 2) {
      text_ += fmt::format("; OPT={}: {}\n", code, hex(data));
      return;
    }
    text_ += fmt::format("; EDE: {}", data[0] << 8 | data[1]);
    if (data.size() > 2) {
      const std::string words(data.begin() + 2, data.end());
      text_ += fmt::format(" ({})", words);
    }
    text_ += '\n';
  }

  std::string unreadable(std::size_t from) const {
    return fmt::format(";; unreadable from octet {} of {}: {}\n", from, message_.size(),
                       hex(message_.subspan(from)));
  }

  Bytes message_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

std::string print_record(const wire::Name& owner, RRType type, std::uint32_t ttl, Bytes rdata) {
  if (rdata.size() <= 0xffff && wire::is_well_formed(type, rdata)) {
    std::vector<std::uint8_t> record(wire::kNameSizeMax + 10 + rdata.size());
    wire::Writer out(record);
    out.bytes(owner.wire());
    out.u16(static_cast<std::uint16_t>(type));
    out.u16(static_cast<std::uint16_t>(wire::RRClass::in));
    out.u32(ttl);
    out.u16(static_cast<std::uint16_t>(rdata.size()));
    out.bytes(rdata);
    std::size_t at = 0;
    if (auto line = ldns_line(out.written(), at)) return *line;
  }
  return fmt::format("{} {} IN {} {}", owner.to_text(), ttl, to_string(type), unknown_rdata(rdata));
}

std::string print_rdata(RRType type, Bytes rdata) {
  const std::string line = print_record({}, type, 0, rdata);
  const std::string before = fmt::format(". 0 IN {} ", to_string(type));
  return line.starts_with(before) ? line.substr(before.size()) : unknown_rdata(rdata);
}

std::string print_rrset(const wire::RRset& set) {
  std::string text;
  for (const Bytes rdata : set.records) {
    text += print_record(set.owner, set.type, set.ttl, rdata) + '\n';
  }
  for (const Bytes rdata : set.signatures) {
    text += print_record(set.owner, RRType::rrsig, set.ttl, rdata) + '\n';
  }
  return text;
}

std::string print_message(Bytes message) {
  return MessagePrinter(message).print();
}

}  // namespace siskin::text
