#include "config/amounts.hpp"

#include "support/catch.hpp"

using namespace siskin::config;
using namespace std::chrono_literals;

TEST_CASE("config/amounts: durations are read and printed in the greatest whole unit", "[config]") {
  CHECK(duration_from("250ms") == 250ms);
  CHECK(duration_from("8s") == 8s);
  CHECK(duration_from("2m") == 2min);
  CHECK(duration_from("0s") == 0s);
  CHECK(duration_text(90s) == "90s");
  CHECK(duration_text(120s) == "2m");
  CHECK(duration_text(3600s) == "1h");
  CHECK(duration_text(1500ms) == "1500ms");
  CHECK(duration_text(0s) == "0ms");
  for (const char* bad :
       {"", "s", "8", "8 s", "8S", "-1s", "+1s", "1.5s", "8ss", "0x8s", "18446744073709551616ms",
        "18446744073709551615ms", "9223372036855ms0", "2562048h"}) {
    CAPTURE(bad);
    CHECK_FALSE(duration_from(bad).has_value());
  }
  CHECK(duration_from("2562047h").has_value());  // the last whole hour in 64 bits of nanoseconds
}

TEST_CASE("config/amounts: sizes and percentages", "[config]") {
  CHECK(memory_from("1") == MemoryLimit{1, 0});
  CHECK(memory_from("3KiB") == MemoryLimit{3072, 0});
  CHECK(memory_from("256MiB") == MemoryLimit{268435456, 0});
  CHECK(memory_from("2GiB") == MemoryLimit{2147483648, 0});
  CHECK(memory_from("1TiB") == MemoryLimit{1099511627776, 0});
  CHECK(memory_from("50%") == MemoryLimit{0, 50});
  CHECK(memory_from("18446744073709551615") == MemoryLimit{18446744073709551615ULL, 0});
  for (const char* bad : {"", "%", "0%", "101%", "5 %", "50%%", "1MB", "1mib", "MiB", "-1",
                          "18446744073709551616", "18014398509481984KiB"}) {
    CAPTURE(bad);
    CHECK_FALSE(memory_from(bad).has_value());
  }
  CHECK(bytes_text(268435456) == "256MiB");
  CHECK(bytes_text(1025) == "1025");
  CHECK(bytes_text(0) == "0");
}

TEST_CASE("config/amounts: a size in another dialect is understood as advice", "[config]") {
  CHECK(memory_meant("256MB") == "256MiB");
  CHECK(memory_meant("256 mib") == "256MiB");
  CHECK(memory_meant("4g") == "4GiB");
  CHECK(memory_meant("4x") == "");
  CHECK(memory_meant("much") == "");
  CHECK(memory_meant("99999999999999GB") == "");
}

TEST_CASE("config/amounts: a part of the memory is rounded down and never overflows", "[config]") {
  CHECK(part_of(1000, 50) == 500);
  CHECK(part_of(999, 50) == 499);
  CHECK(part_of(199, 1) == 1);
  CHECK(part_of(18446744073709551615ULL, 100) == 18446744073709551615ULL);
}
