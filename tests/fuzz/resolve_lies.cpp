/// Fuzz target: a zone's servers say whatever the octets make them say, and a whole resolver asks
/// them.
#include <cstddef>

#include "resolve/lying_world.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::resolve::fuzz::LyingWorld({data, size}).run();
  return 0;
}
