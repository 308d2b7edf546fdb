/// Fuzz target: any octets as a client's query.
#include <cstddef>

#include "wire/fuzz_bodies.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::wire::fuzz::check_query({data, size});
  return 0;
}
