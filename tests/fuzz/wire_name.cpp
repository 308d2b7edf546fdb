/// Fuzz target: a name somewhere in any octets, and RDATA of any type.
#include <cstddef>

#include "wire/fuzz_bodies.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::wire::fuzz::check_name({data, size});
  return 0;
}
