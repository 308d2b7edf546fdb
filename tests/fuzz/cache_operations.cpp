/// Fuzz target: operations on the cache chosen by the input, against a map.  The first octet
/// chooses how big the cache is, so that both never-full and always-full ones are walked.
#include <cstddef>

#include "cache/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  siskin::cache::Cache::Options options;
  options.shards = 1U << (data[0] & 1U);
  options.bytes_max = (data[0] & 2U) != 0 ? 4U << 20 : 4000U + 64U * data[0];
  options.hash_key = {7, 9};
  siskin::cache::test::ModelRun(options, {data + 1, size - 1}).run();
  return 0;
}
