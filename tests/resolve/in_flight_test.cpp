// What may be in flight at once.
#include "resolve/in_flight.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::milliseconds;

constexpr InFlight::Id kZone = 7;
constexpr InFlight::Id kOther = 8;
const Instant kStart = at_second(1000);

void begin(InFlight& flights, unsigned count) {
  for (unsigned i = 0; i < count; ++i) flights.begin(kZone);
}

void answer(InFlight& flights, unsigned count, Instant now) {
  for (unsigned i = 0; i < count; ++i) {
    flights.replied(kZone, now);
    flights.end(kZone);
  }
}

}  // namespace

TEST_CASE("resolve/in_flight: the limit is one key's, not all keys'", "[resolve]") {
  InFlight flights(3);
  begin(flights, 3);
  CHECK_FALSE(flights.has_room_for_all());
  CHECK_FALSE(flights.has_room(kZone, kStart));
  CHECK(flights.has_room(kOther, kStart));
  flights.end(kZone);
  CHECK(flights.has_room(kZone, kStart));
  CHECK(flights.count(kZone) == 2);
}

TEST_CASE("resolve/in_flight: as many as were answered within a second may be in flight",
          "[resolve]") {
  InFlight flights(3);
  begin(flights, 11);
  answer(flights, 5, kStart);
  CHECK(flights.count(kZone) == 6);
  CHECK_FALSE(flights.has_room(kZone, kStart));  // 6 in flight, 5 answered
  answer(flights, 2, kStart + milliseconds(10));
  CHECK(flights.has_room(kZone, kStart + milliseconds(999)));  // 4 in flight, 7 answered
  begin(flights, 2);
  CHECK(flights.has_room(kZone, kStart + milliseconds(1999)));
  flights.begin(kZone);
  CHECK_FALSE(flights.has_room(kZone, kStart + milliseconds(1999)));
  flights.end(kZone);
  CHECK_FALSE(flights.has_room(kZone, kStart + milliseconds(2000)));  // long ago
}

TEST_CASE("resolve/in_flight: the second before the present one counts too", "[resolve]") {
  InFlight flights(1);
  begin(flights, 10);
  answer(flights, 4, kStart);
  answer(flights, 1, kStart + milliseconds(1500));
  CHECK_FALSE(flights.has_room(kZone, kStart + milliseconds(1500)));  // 5 and 4 + 1
  flights.end(kZone);
  CHECK(flights.has_room(kZone, kStart + milliseconds(1500)));
  answer(flights, 1, kStart + milliseconds(2500));
  CHECK_FALSE(flights.has_room(kZone, kStart + milliseconds(2500)));  // 3 and 1 + 1
}

TEST_CASE("resolve/in_flight: a reply to anybody since then", "[resolve]") {
  InFlight flights(1);
  begin(flights, 2);
  CHECK_FALSE(flights.has_replied_since(kZone, kStart));
  answer(flights, 1, kStart + milliseconds(1));
  CHECK(flights.has_replied_since(kZone, kStart));
  CHECK_FALSE(flights.has_replied_since(kZone, kStart + milliseconds(1)));
}

TEST_CASE("resolve/in_flight: what is not in flight takes no memory", "[resolve]") {
  InFlight flights(1);
  begin(flights, 2);
  answer(flights, 2, kStart);
  CHECK(flights.total() == 0);
  CHECK(flights.count(kZone) == 0);
  CHECK_FALSE(flights.has_replied_since(kZone, Instant{}));
}

}  // namespace siskin::resolve::test
