#include "siskin/wire/writer.hpp"

#include <algorithm>
#include <cstring>

#include "siskin/base/check.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::wire {
namespace {

constexpr std::size_t kMessageSizeMax = 0xffff;
constexpr std::size_t kOptSize = 11;  ///< without options
constexpr std::size_t kDnssecOkBit = 0x8000;
constexpr std::size_t kErrorOptionSize = 6;  ///< code, length, INFO-CODE (RFC 8914 §2)

/// Positions of the header's words.
constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kQuestionCountAt = 4;
constexpr std::size_t kCountsAt = 6;

std::span<std::uint8_t> cut(std::span<std::uint8_t> buffer, std::size_t limit) noexcept {
  return buffer.first(std::min({buffer.size(), limit, kMessageSizeMax}));
}

void store_u16(std::uint8_t* to, std::size_t value) noexcept {
  to[0] = static_cast<std::uint8_t>(value >> 8);
  to[1] = static_cast<std::uint8_t>(value);
}

std::size_t load_u16(const std::uint8_t* at) noexcept {
  return static_cast<std::size_t>(at[0] << 8 | at[1]);
}

/// memcpy for what records mostly are: addresses and short texts behind their length.
void copy_short(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  const auto both_ends = [&](auto word) {
    auto last = word;
    std::memcpy(&word, from, sizeof word);
    std::memcpy(&last, from + size - sizeof word, sizeof word);
    std::memcpy(to, &word, sizeof word);
    std::memcpy(to + size - sizeof word, &last, sizeof word);
  };
  if (size > 32) {
    std::memcpy(to, from, size);
  } else if (size >= 16) {
    both_ends(std::array<std::uint8_t, 16>{});
  } else if (size >= 8) {
    both_ends(std::uint64_t{});
  } else if (size >= 4) {
    both_ends(std::uint32_t{});
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
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
  std::uint8_t* const to = out_.claim(kHeaderSize);
  SISKIN_CHECK(to != nullptr);  // the constructor saw to it
  std::memset(to, 0, kHeaderSize);
  store_u16(to, id);
  store_u16(to + kFlagsAt, flags);
  klass_ = static_cast<std::uint16_t>(RRClass::in);
  question_size_ = 0;
  truncated_ = false;
  counts_ = {};
  work_ = 0;
  table_in_use_ = false;
}

void MessageWriter::question(Bytes name, RRType type, RRClass klass) noexcept {
  SISKIN_DCHECK(out_.position() == kHeaderSize);
  std::uint8_t* const to = out_.claim(name.size() + 4);
  if (to == nullptr) {
    out_.rewind(kHeaderSize);
    truncated_ = true;
    return;
  }
  copy_short(to, name.data(), name.size());
  store_u16(to + name.size(), static_cast<std::size_t>(type));
  store_u16(to + name.size() + 2, static_cast<std::size_t>(klass));
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

/// Type, class and TTL: the same for all records of a set.
struct MessageWriter::RecordHead {
  static constexpr std::size_t kSize = 8;

  RecordHead(RRType type, std::uint16_t klass, std::uint32_t ttl) noexcept {
    Writer out(octets);
    out.u16(static_cast<std::uint16_t>(type));
    out.u16(klass);
    out.u32(ttl);
  }

  std::array<std::uint8_t, kSize> octets;
};

bool MessageWriter::add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl,
                              Bytes records, std::size_t first) noexcept {
  return add_rrset(section, owner, type, ttl, RecordRun{records.data(), count_records(records)},
                   first);
}

bool MessageWriter::add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl,
                              RecordRun records, std::size_t first) noexcept {
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
  write_rrset(section, owner, set.type, set.ttl, set.records.run(), first);
  if (with_signatures) {
    write_rrset(section, owner, RRType::rrsig, set.ttl, set.signatures.run(), 0);
  }
  return settle(section, before);
}

void MessageWriter::write_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl,
                                RecordRun records, std::size_t first) noexcept {
  SISKIN_DCHECK(!owner.empty() && name_size(owner) == owner.size());
  if (records.count == 0) return;
  if (first != 0) first %= records.count;
  const std::uint8_t* at = records.at;
  for (std::size_t i = 0; i < first; ++i) at += 2 + load_u16(at);

  const RecordHead head(type, klass_, ttl);
  const CompressibleLayout layout = compressible_layout(type);
  std::uint16_t owner_offset = is_question(owner) ? kHeaderSize : 0;
  for (std::size_t i = 0; i < records.count && !out_.failed(); ++i) {
    if (i == records.count - first) at = records.at;  // round to the first one
    const Bytes rdata{at + 2, load_u16(at)};
    if (owner_offset != 0 && layout.names == 0) {
      copy_record(owner_offset, head, at);
    } else {
      if (owner_offset == 0) {
        owner_offset = write_name(owner);
      } else {
        write_pointer(owner_offset);
      }
      out_.bytes(head.octets);
      layout.names == 0 ? out_.bytes({at, 2 + rdata.size()}) : write_names(layout, rdata);
    }
    at += 2 + rdata.size();
  }
  if (!out_.failed()) {
    counts_[static_cast<std::size_t>(section)] += static_cast<std::uint16_t>(records.count);
  }
}

/// A record whose owner is in the message already and whose RDATA needs no change.
void MessageWriter::copy_record(std::uint16_t owner, const RecordHead& head,
                                const std::uint8_t* record) noexcept {
  const std::size_t size = 2 + load_u16(record);
  std::uint8_t* const to = out_.claim(2 + RecordHead::kSize + size);
  if (to == nullptr) return;
  store_u16(to, 0xc000U | owner);
  std::memcpy(to + 2, head.octets.data(), RecordHead::kSize);
  copy_short(to + 2 + RecordHead::kSize, record, size);
}

/// RDLENGTH and RDATA, the names inside compressed.
void MessageWriter::write_names(const CompressibleLayout& layout, Bytes rdata) noexcept {
  const std::size_t length_at = out_.position();
  out_.u16(static_cast<std::uint16_t>(rdata.size()));
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
  std::uint8_t* const to = out_.remaining() < kOptSize ? nullptr : out_.claim(kOptSize);
  if (to == nullptr) return false;
  const auto upper = static_cast<std::size_t>(rcode) >> 4;
  const std::size_t size_at = out_.position() - 2;
  to[0] = 0;
  store_u16(to + 1, static_cast<std::size_t>(RRType::opt));
  store_u16(to + 3, opt.udp_size);
  store_u16(to + 5, upper << 8);
  store_u16(to + 7, opt.dnssec_ok ? kDnssecOkBit : 0);
  store_u16(to + 9, 0);
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

void MessageWriter::set_authenticated() noexcept {
  std::uint8_t* const at = buffer_.data() + kFlagsAt;
  store_u16(at, load_u16(at) | flag::ad);
}

Bytes MessageWriter::finish(Rcode rcode, const Opt* opt) noexcept {
  out_ = Writer(buffer_, out_.position());
  const bool has_opt = opt != nullptr && write_opt(rcode, *opt);
  const auto code = static_cast<std::uint16_t>(rcode);
  const auto sent = code > 15 && !has_opt ? static_cast<std::uint16_t>(Rcode::servfail) : code;

  std::uint8_t* const header = buffer_.data();
  const std::size_t flags = load_u16(header + kFlagsAt);
  store_u16(header + kFlagsAt,
            (flags & ~(flag::tc | 0xfU)) | (sent & 0xfU) | (truncated_ ? flag::tc : 0U));
  store_u16(header + kQuestionCountAt, question_size_ != 0 ? 1 : 0);
  for (std::size_t i = 0; i < counts_.size(); ++i)
    store_u16(header + kCountsAt + 2 * i, counts_[i]);
  return out_.written();
}

}  // namespace siskin::wire
