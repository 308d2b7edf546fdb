/// Fuzz target: any octets as an entry.  What the checker passes must be readable, and building it
/// anew from what was read must give an entry that reads the same.
#include <array>
#include <cstddef>
#include <cstring>

#include "cache/entry.hpp"
#include "cache/values.hpp"
#include "cache/variants.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache {
namespace {

/// Each row can be counted down to nothing, and a new one finds its place.
void check_directory(const Key& key, Entry entry) {
  SISKIN_CHECK(entry.has_key(key));
  Directory directory(entry, key.name().size());
  if (!directory.has(24)) {
    const Memory more = build_directory(key, &directory, 24);
    SISKIN_CHECK(checked_size({more.get(), charge_of(more.get())}).has_value());
  }
  for (const std::uint8_t code : std::array<std::uint8_t, 5>{32, 24, 16, 0, 120}) {
    if (!directory.has(code)) continue;
    const Directory::Row row = directory[directory.find(code)];
    directory.take(code);
    SISKIN_CHECK(directory.has(code) == (row.variants > 1));
  }
}

void check(wire::Bytes input) {
  const auto size = checked_size(input);
  if (!size) return;
  const Memory memory = allocate(*size);  // exact, so that reading on is seen
  std::memcpy(memory.get(), input.data(), *size);
  const Entry entry(memory.get());
  const wire::Bytes rest = input.subspan(kEntryHeaderSize);
  const wire::Name name = wire::Name::from_wire(rest.first(wire::name_size(rest))).value();
  Key key({1, 2}, name.wire(), entry.type());
  if (entry.is_tailored()) key.narrow({1, 2}, 4, SubnetField(entry.name() + name.size()));
  if (entry.is_directory(name.size())) return check_directory(key, entry);
  const Value value = take_apart(entry, name, 1);
  SISKIN_CHECK(entry.has_key(key));
  const Memory again = build_entry(key, value, entry.expiry());
  if (!again) return;  // a denser form than ours can grow over 65535 octets
  SISKIN_CHECK(checked_size({again.get(), charge_of(again.get())}).has_value());
  SISKIN_CHECK(test::equal(take_apart(Entry(again.get()), name, 1), value));
}

}  // namespace
}  // namespace siskin::cache

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::cache::check({data, size});
  return 0;
}
