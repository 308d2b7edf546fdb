/// Fuzz target: any octets as the messages of a transfer of the root zone, each behind its length
/// in two octets.
#include <algorithm>

#include "resolve/root_transfer.hpp"
#include "siskin/wire/cursor.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::wire::Reader reader({data, size});
  siskin::resolve::RootTransfer transfer(0);
  while (reader.remaining() > 2) {
    const std::size_t length = std::min<std::size_t>(reader.u16(), reader.remaining());
    if (!transfer.take(reader.bytes(length))) break;
  }
  (void)std::move(transfer).finish();
  return 0;
}
