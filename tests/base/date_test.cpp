#include "siskin/base/date.hpp"

#include "support/catch.hpp"

namespace siskin {
namespace {

TEST_CASE("base/date: dates are read as they are written, in UTC", "[base]") {
  CHECK(date_text(WallTime{}) == "1970-01-01T00:00:00Z");
  CHECK(date_from("2026-12-31T23:59:59Z") == WallTime{std::chrono::seconds(1'798'761'599)});
  CHECK(date_text(*date_from("2028-02-29")) == "2028-02-29T00:00:00Z");
  CHECK(date_text(*date_from("2106-02-07T06:28:16Z")) == "2106-02-07T06:28:16Z");
}

TEST_CASE("base/date: what is no date is nothing", "[base]") {
  for (const char* bad :
       {"", "2026", "2026-02-30", "2026-13-01", "2026-1-01", " 2026-01-01", "2026-01-01 ",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00",
        "2026-01-01T00:00:60Z", "26-01-01", "-026-01-01", "tomorrow"}) {
    CAPTURE(bad);
    CHECK_FALSE(date_from(bad));
  }
}

}  // namespace
}  // namespace siskin
