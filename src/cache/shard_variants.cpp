/// Tailored answers in a shard: the directory of a question and its variants.
#include "cache/shard.hpp"
#include "cache/variants.hpp"

namespace siskin::cache {

namespace {

/// A variant, not the directory: that goes by itself.
bool is_variant_of(Entry entry, const Key& key) noexcept {
  if (!entry.is_tailored() || entry.type() != key.type()) return false;
  const wire::Bytes name = entry.whole_name();
  return wire::equal_names(name, key.name()) && !entry.is_directory(name.size());
}

}  // namespace

Slot* Shard::slot_of(const Key& key) noexcept {
  Page& page = page_of(key);
  const Page::Place place = page.find(slot_hash(key.hash()), key);
  return place.is_found ? &page[place.at] : nullptr;
}

Slot* Shard::directory_slot(Key key) noexcept {
  key.narrow(hash_key_, skip_bits_, SubnetField::directory());
  return slot_of(key);
}

/// Who opted out sees only what such askers were told; nobody else sees that.
std::optional<Entry> Shard::use_variant(Key& key, const Network& subnet,
                                        std::uint32_t now) noexcept {
  const Slot* const slot = directory_slot(key);
  if (slot == nullptr) return std::nullopt;
  const Directory directory(slot->entry(), key.name().size());
  const std::uint8_t own = subnet_code(subnet);
  for (std::size_t i = directory.find(own); i < directory.size(); ++i) {
    const std::uint8_t code = directory[i].code;
    if (is_v6_code(code) != is_v6_code(own)) break;
    if (code == kSubnetOptedOut && own != kSubnetOptedOut) break;
    key.narrow(hash_key_, skip_bits_,
               SubnetField(Network::of(subnet.address(), prefix_length_of(code))));
    if (const auto entry = use(key, now)) return entry;
  }
  key.widen();
  return std::nullopt;
}

std::size_t Shard::variants(Key key) noexcept {
  const Slot* const slot = directory_slot(key);
  return slot == nullptr ? 0 : Directory(slot->entry(), key.name().size()).variants();
}

/// The directory comes first: so it cannot go while putting the variant pushes out others.
bool Shard::put_variant(const Key& key, Memory entry, std::uint32_t now) {
  const std::uint8_t code = key.subnet()[0];
  if (!enter_variant(key, code, now)) return false;
  if (put(key, std::move(entry), now)) return true;
  leave_variant(key, code);
  return false;
}

/// Making room may take variants, and with the last one the directory: so all is looked at again
/// after it.
bool Shard::enter_variant(Key key, std::uint8_t code, std::uint32_t now) {
  key.narrow(hash_key_, skip_bits_, SubnetField::directory());
  for (bool has_room = false;; has_room = true) {
    Slot* const slot = slot_of(key);
    std::optional<Directory> old;
    if (slot != nullptr) old.emplace(slot->entry(), key.name().size());
    if (old && old->has(code)) {
      old->add(code);
      return true;
    }
    const Directory* const rows = old ? &*old : nullptr;
    if (!has_room) {
      // A quarter more than asked for is what the allocator may round up to.
      const std::size_t size = directory_size(key, rows) + 16;
      if (!make_room(size + size / 4, now)) return false;
      continue;
    }
    Memory fresh = build_directory(key, rows, code);
    if (slot == nullptr) return put(key, std::move(fresh), now);
    exchange(*slot, std::move(fresh));
    return true;
  }
}

void Shard::leave_variant(Key key, std::uint8_t code) {
  key.narrow(hash_key_, skip_bits_, SubnetField::directory());
  Page& page = page_of(key);
  const Page::Place place = page.find(slot_hash(key.hash()), key);
  if (!place.is_found) return;
  Directory directory(page[place.at].entry(), key.name().size());
  directory.take(code);
  if (directory.size() == 0) drop(page, place.at);
}

/// Other memory for what is the same entry.
void Shard::exchange(Slot& slot, Memory entry) noexcept {
  const Memory old(const_cast<std::uint8_t*>(slot.entry().at()));
  unbook(slot.entry(), charge_of(old.get()));
  slot.set_entry(entry.get());
  book(slot.entry(), charge_of(entry.release()));
}

/// A walk over the index: there is no list of variants.
bool Shard::remove_variants(const Key& key) {
  if (variants(key) == 0) return false;
  for (Page& page : pages_) {
    for (std::uint32_t at = 0; at < page.capacity();) {
      if (page[at].is_empty() || !is_variant_of(page[at].entry(), key)) {
        ++at;
      } else {
        drop(page, at);
      }
    }
  }
  return true;
}

}  // namespace siskin::cache
