/// Fuzz target: any octets as an entry.  What the checker passes must be readable, and building it
/// anew from what was read must give an entry that reads the same.
#include <cstddef>
#include <cstring>

#include "cache/entry.hpp"
#include "cache/values.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache {
namespace {

void check(wire::Bytes input) {
  const auto size = checked_size(input);
  if (!size) return;
  const Memory memory = allocate(*size);  // exact, so that reading on is seen
  std::memcpy(memory.get(), input.data(), *size);
  const Entry entry(memory.get());
  const wire::Bytes rest = input.subspan(kEntryHeaderSize);
  const wire::Name name = wire::Name::from_wire(rest.first(wire::name_size(rest))).value();
  const Value value = take_apart(entry, name, 1);

  const Key key({1, 2}, name.wire(), entry.type());
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
