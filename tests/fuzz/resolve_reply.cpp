/// Fuzz target: any octets as a server's reply, decoded and classified.
#include <cstddef>

#include "resolve/fuzz_bodies.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::resolve::fuzz::check_message({data, size});
  return 0;
}
