#include "siskin/wire/writer.hpp"

#include <algorithm>

#include "siskin/base/check.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::wire {
namespace {

constexpr std::size_t kMessageSizeMax = 0xffff;
constexpr std::size_t kOptSize = 11;  ///< without options
constexpr std::uint32_t kDnssecOkBit = 0x8000;
constexpr std::size_t kErrorOptionSize = 6;  ///< code, length, INFO-CODE (RFC 8914 §2)

/// Positions of the header's words.
constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kQuestionCountAt = 4;
constexpr std::size_t kCountsAt = 6;

std::span<std::uint8_t> cut(std::span<std::uint8_t> buffer, std::size_t limit) noexcept {
  return buffer.first(std::min({buffer.size(), limit, kMessageSizeMax}));
}

/// The rest of `records` from the index-th one on.
Bytes records_from(Bytes records, std::size_t index) noexcept {
  Reader reader(records);
  for (; index > 0; --index) reader.skip(reader.u16());
  return records.subspan(reader.position());
}

std::size_t count_records(Bytes records) noexcept {
  Reader reader(records);
  std::size_t count = 0;
  for (; reader.remaining() > 0; ++count) reader.skip(reader.u16());
  SISKIN_DCHECK(!reader.failed());
  return count;
}

}  // namespace

MessageWriter::MessageWriter(std::span<std::uint8_t> buffer, std::size_t limit,
                             std::size_t reserved) noexcept
    : buffer_(cut(buffer, limit)),
      out_(buffer_.first(buffer_.size() - std::min(buffer_.size(), reserved))) {
  SISKIN_CHECK(out_.remaining() >= kHeaderSize);
}

void MessageWriter::begin(std::uint16_t id, std::uint16_t flags) noexcept {
  out_.rewind(0);
  out_.u16(id);
  out_.u16(flags);
  out_.u32(0);
  out_.u32(0);
  klass_ = static_cast<std::uint16_t>(RRClass::in);
  question_size_ = 0;
  truncated_ = false;
  counts_ = {};
  work_ = 0;
  table_in_use_ = false;
}

void MessageWriter::question(Bytes name, RRType type, RRClass klass) noexcept {
  SISKIN_DCHECK(out_.position() == kHeaderSize);
  out_.bytes(name);
  out_.u16(static_cast<std::uint16_t>(type));
  out_.u16(static_cast<std::uint16_t>(klass));
  if (out_.failed()) {
    out_.rewind(kHeaderSize);
    truncated_ = true;
    return;
  }
  question_size_ = static_cast<std::uint16_t>(name.size());
  klass_ = static_cast<std::uint16_t>(klass == RRClass::any ? RRClass::in : klass);
}

bool MessageWriter::is_closed(Section section) const noexcept {
  return truncated_ && section != Section::additional;
}

MessageWriter::Mark MessageWriter::mark(Section section) const noexcept {
  return {out_.position(), counts_[static_cast<std::size_t>(section)]};
}

bool MessageWriter::settle(Section section, const Mark& mark) noexcept {
  if (!out_.failed()) return true;
  out_.rewind(mark.position);
  counts_[static_cast<std::size_t>(section)] = mark.count;
  if (table_in_use_) forget_from(mark.position);
  if (section != Section::additional) truncated_ = true;
  return false;
}

bool MessageWriter::add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl,
                              Bytes records, std::size_t first) noexcept {
  if (is_closed(section)) return false;
  const Mark before = mark(section);
  write_rrset(section, owner, type, ttl, records, first);
  return settle(section, before);
}

bool MessageWriter::add(Section section, const RRset& set, bool with_signatures,
                        std::size_t first) noexcept {
  if (is_closed(section)) return false;
  const Mark before = mark(section);
  const Bytes owner = set.owner.wire();
  write_rrset(section, owner, set.type, set.ttl, set.records.bytes(), first);
  if (with_signatures) {
    write_rrset(section, owner, RRType::rrsig, set.ttl, set.signatures.bytes(), 0);
  }
  return settle(section, before);
}

void MessageWriter::write_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl,
                                Bytes records, std::size_t first) noexcept {
  SISKIN_DCHECK(!owner.empty() && name_size(owner) == owner.size());
  if (records.empty()) return;
  if (first != 0) first %= count_records(records);
  const Bytes tail = records_from(records, first);
  std::array<std::uint8_t, 8> type_class_ttl;
  Writer fixed(type_class_ttl);
  fixed.u16(static_cast<std::uint16_t>(type));
  fixed.u16(klass_);
  fixed.u32(ttl);
  std::uint16_t owner_offset = 0;
  for (Bytes part : {tail, records.first(records.size() - tail.size())}) {
    Reader reader(part);
    while (reader.remaining() > 0 && !out_.failed()) {
      const Bytes rdata = reader.bytes(reader.u16());
      SISKIN_DCHECK(!reader.failed());
      if (owner_offset != 0) {
        write_pointer(owner_offset);
      } else {
        owner_offset = write_name(owner);
      }
      out_.bytes(type_class_ttl);
      write_rdata(type, rdata);
      ++counts_[static_cast<std::size_t>(section)];
    }
  }
}

void MessageWriter::write_rdata(RRType type, Bytes rdata) noexcept {
  const std::size_t length_at = out_.position();
  out_.u16(static_cast<std::uint16_t>(rdata.size()));
  const CompressibleLayout layout = compressible_layout(type);
  if (layout.names == 0) return out_.bytes(rdata);
  Reader reader(rdata);
  out_.bytes(reader.bytes(layout.fixed_before));
  for (std::size_t i = 0; i < layout.names; ++i) {
    const Bytes name = reader.bytes(name_size(rdata.subspan(reader.position())));
    SISKIN_DCHECK(!name.empty());
    if (!name.empty()) write_name(name);
  }
  out_.bytes(reader.bytes(reader.remaining()));
  out_.u16_at(length_at, static_cast<std::uint16_t>(out_.position() - length_at - 2));
}

std::size_t MessageWriter::opt_size(const ExtendedError* error,
                                    const ClientSubnet* subnet) noexcept {
  const std::size_t subnet_size = subnet == nullptr ? 0 : subnet->option_size();
  const std::size_t error_size = error == nullptr ? 0 : kErrorOptionSize + error->text.size();
  return kOptSize + subnet_size + error_size;
}

bool MessageWriter::write_opt(Rcode rcode, const Opt& opt) noexcept {
  if (out_.remaining() < kOptSize) return false;
  const auto upper = static_cast<std::uint32_t>(rcode) >> 4;
  out_.u8(0);
  out_.u16(static_cast<std::uint16_t>(RRType::opt));
  out_.u16(opt.udp_size);
  out_.u32(upper << 24 | (opt.dnssec_ok ? kDnssecOkBit : 0));
  const std::size_t size_at = out_.position();
  out_.u16(0);
  ++counts_[static_cast<std::size_t>(Section::additional)];
  if (opt.subnet != nullptr && opt.subnet->option_size() <= out_.remaining()) {
    opt.subnet->write_option(out_);
  }
  if (opt.error != nullptr) write_error(*opt.error);
  out_.u16_at(size_at, static_cast<std::uint16_t>(out_.position() - size_at - 2));
  return true;
}

/// The option with its text, without it, or not at all.
void MessageWriter::write_error(const ExtendedError& error) noexcept {
  if (out_.remaining() < kErrorOptionSize) return;
  std::string_view text = error.text;
  if (out_.remaining() < kErrorOptionSize + text.size()) text = {};
  out_.u16(static_cast<std::uint16_t>(EdnsOption::extended_error));
  out_.u16(static_cast<std::uint16_t>(2 + text.size()));
  out_.u16(static_cast<std::uint16_t>(error.code));
  for (const char c : text) out_.u8(static_cast<std::uint8_t>(c));
}

Bytes MessageWriter::finish(Rcode rcode, const Opt* opt) noexcept {
  out_ = Writer(buffer_, out_.position());
  const bool has_opt = opt != nullptr && write_opt(rcode, *opt);
  const auto code = static_cast<std::uint16_t>(rcode);
  const auto sent = code > 15 && !has_opt ? static_cast<std::uint16_t>(Rcode::servfail) : code;

  unsigned flags = Reader(buffer_, kFlagsAt).u16();
  flags = (flags & ~(flag::tc | 0xfU)) | (sent & 0xfU) | (truncated_ ? flag::tc : 0U);
  out_.u16_at(kFlagsAt, static_cast<std::uint16_t>(flags));
  out_.u16_at(kQuestionCountAt, question_size_ != 0 ? 1 : 0);
  for (std::size_t i = 0; i < counts_.size(); ++i) out_.u16_at(kCountsAt + 2 * i, counts_[i]);
  return out_.written();
}

}  // namespace siskin::wire
