#include "cache/entry.hpp"

#include "cache/lowered_words.hpp"
#include "cache/owner.hpp"

namespace siskin::cache {
namespace {

std::size_t load_u16(const std::uint8_t* at) noexcept {
  return static_cast<std::size_t>(at[0] << 8 | at[1]);
}

/// `own`: lowered, in an entry, at an offset that is a multiple of eight.
bool begins_with(const std::uint8_t* own, wire::Bytes wanted) noexcept {
  static_assert(kEntryHeaderSize % 8 == 0);
  const LoweredWords words(wanted);
  for (std::size_t i = 0; i < words.whole(); ++i, own += 8) {
    if (load_word(own) != words[i]) return false;
  }
  if (words.left() == 0) return true;
  const std::uint64_t differs = load_word(own) ^ words.last();
  return (differs & ((std::uint64_t{1} << 8 * words.left()) - 1)) == 0;
}

wire::RecordList record_list(wire::RecordRun records) {
  wire::RecordList list;
  for (const std::uint8_t* at = records.at; records.count > 0; --records.count) {
    const std::size_t size = load_u16(at);
    list.add({at + 2, size});
    at += 2 + size;
  }
  return list;
}

std::vector<wire::RRset>& section_of(Value& value, wire::Section section) noexcept {
  switch (section) {
    case wire::Section::answer: return value.answer;
    case wire::Section::authority: return value.authority;
    case wire::Section::additional: break;
  }
  return value.additional;
}

}  // namespace

bool Entry::has_key(const Key& key) const noexcept {
  if (type() != key.type() || is_tailored() == key.subnet().empty()) return false;
  const wire::Bytes wanted = key.name();
  if (!begins_with(name(), wanted)) return false;
  const wire::Bytes subnet = key.subnet();
  if (subnet.empty()) return true;
  const std::uint8_t* const own = name() + wanted.size();
  // The first octet says how many there are.
  return own[0] == subnet[0] && std::memcmp(own, subnet.data(), subnet.size()) == 0;
}

wire::Bytes Entry::whole_name() const noexcept {
  return {name(), wire::name_size({name(), wire::kNameSizeMax})};
}

SetReader::SetReader(Entry entry, std::size_t name_size) noexcept
    : entry_(entry),
      at_(entry.body(name_size)),
      left_(entry.is_plain() ? std::size_t{1} : entry.count()) {
  if (entry.has_error()) at_ += 4 + load_u16(at_ + 2);
}

bool SetReader::next(StoredSet& set) noexcept {
  if (left_ == 0) return false;
  --left_;
  set = StoredSet{};
  set.type = entry_.type();
  if (entry_.is_plain()) {
    set.records = {at_, entry_.count()};
    return true;
  }
  const std::uint8_t lead = *at_++;
  set.section = static_cast<wire::Section>(lead & kLeadSection);
  if ((lead & kLeadOwnType) != 0) {
    set.type = wire::RRType{static_cast<std::uint16_t>(load_u16(at_))};
    at_ += 2;
  }
  if ((lead & kLeadOwnOwner) != 0) {
    set.owner = {at_, stored_owner_size(at_)};
    at_ += set.owner.size();
  }
  const std::size_t record_count = count();
  const std::size_t signature_count = (lead & kLeadSigned) != 0 ? count() : 0;
  set.records = records(record_count);
  set.signatures = records(signature_count);
  return true;
}

std::size_t SetReader::count() noexcept {
  const std::size_t first = *at_++;
  return first < 128 ? first : (first & 127U) << 8 | *at_++;
}

wire::RecordRun SetReader::records(std::size_t count) noexcept {
  const wire::RecordRun run{at_, count};
  for (; count > 0; --count) at_ += 2 + load_u16(at_);
  return run;
}

std::optional<wire::ExtendedError> error_of(Entry entry, std::size_t name_size) {
  if (!entry.has_error()) return std::nullopt;
  const std::uint8_t* const at = entry.body(name_size);
  const wire::Bytes text{at + 4, load_u16(at + 2)};
  return wire::ExtendedError{static_cast<wire::Ede>(load_u16(at)),
                             std::string(text.begin(), text.end())};
}

Value take_apart(Entry entry, const wire::Name& key_name, std::uint32_t ttl) {
  Value value;
  value.kind = entry.kind();
  value.security = entry.security();
  value.ttl = ttl;
  value.scope = entry.scope(key_name.size());
  value.error = error_of(entry, key_name.size());
  SetReader reader(entry, key_name.size());
  std::array<std::uint8_t, wire::kNameSizeMax> buffer;
  for (StoredSet set; reader.next(set);) {
    wire::RRset& out = section_of(value, set.section).emplace_back();
    out.owner = key_name;
    if (!set.owner.empty()) {
      out.owner = wire::Name::from_wire(expand_owner(set.owner, key_name.wire(), buffer)).value();
    }
    out.type = set.type;
    out.ttl = ttl;
    out.records = record_list(set.records);
    out.signatures = record_list(set.signatures);
  }
  return value;
}

}  // namespace siskin::cache
