/// Fuzz target: the first octet chooses the transport, the others are what a client sent.
#include <cstddef>

#include "serve/fuzz_body.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using siskin::runtime::Transport;
  if (size < 1) return 0;
  const Transport transport = (data[0] & 1U) != 0 ? Transport::tcp : Transport::udp;
  siskin::serve::fuzz::Target().check({data + 1, size - 1}, transport);
  return 0;
}
