// Input that is almost right, in bulk; every body also runs as a fuzz target.
#include "support/catch.hpp"
#include "wire/fuzz_bodies.hpp"
#include "wire/mutate.hpp"
#include "wire/query_samples.hpp"
#include "wire/rdata_samples.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {

TEST_CASE("wire/malformed: no prefix of a valid query is accepted", "[wire]") {
  for (const auto text : kValidQueries) {
    const Octets whole = from_hex(text);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(text, size);
      // A copy of its own, so that a read past the end meets the sanitizer.
      const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      CHECK(fuzz::check_query(cut) ==
            (size < kHeaderSize ? QueryVerdict::drop : QueryVerdict::formerr));
    }
    CHECK(fuzz::check_query(whole) == QueryVerdict::accept);
  }
}

TEST_CASE("wire/malformed: 100,000 mutations of queries keep every promise", "[wire]") {
  Draw draw(67);
  std::array<std::size_t, 5> verdicts{};
  for (int i = 0; i < 100'000; ++i) {
    Octets message = from_hex(draw.of(kValidQueries));
    for (std::size_t left = 1 + draw.below(4); left > 0; --left) mutate(message, draw);
    ++verdicts[static_cast<std::size_t>(fuzz::check_query(message))];
  }
  for (const std::size_t count : verdicts) CHECK(count > 100);  // the mutations reach everything
  CHECK(fuzz::check_query(from_hex(kValidQueries[0])) == QueryVerdict::accept);
}

TEST_CASE("wire/malformed: 100,000 messages with mutated names keep every promise", "[wire]") {
  Draw draw(68);
  std::size_t good = 0;
  for (int i = 0; i < 100'000; ++i) {
    Octets message = from_hex("0000 0000 00000000 00000000 07'example'00 03'www'c00c 01'x'c015");
    if (draw.one_in(2)) message = message + from_hex(draw.of(kRdataSamples).rdata);
    for (std::size_t left = draw.below(4); left > 0; --left) mutate(message, draw);
    if (message.size() < 4) continue;
    message[1] = static_cast<std::uint8_t>(draw.below(message.size()));
    message[3] = static_cast<std::uint8_t>(draw.of(kRdataSamples).type);
    if (fuzz::check_name(message)) ++good;
  }
  CHECK(good > 10'000);
  CHECK(good < 90'000);
}

TEST_CASE("wire/malformed: mutated RDATA is judged within its bounds, fault A73", "[wire]") {
  Draw draw(69);
  std::size_t good = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto& sample = draw.of(kRdataSamples);
    Octets rdata = from_hex(sample.rdata);
    mutate(rdata, draw);
    if (is_well_formed(sample.type, rdata)) ++good;
  }
  CHECK(good > 10'000);
  CHECK(good < 90'000);
}

TEST_CASE("wire/malformed: noise is survived", "[wire]") {
  Draw draw(70);
  for (int i = 0; i < 50'000; ++i) {
    const Octets noise = draw.octets(draw.below(600));
    fuzz::check_query(noise);
    fuzz::check_name(noise);
  }
}

}  // namespace siskin::wire::test
