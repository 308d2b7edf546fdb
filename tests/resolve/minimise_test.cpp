#include "resolve/minimise.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

/// How many labels of a name of `labels` are shown step by step, when each step's name turns out to
/// be no zone (`zone_labels` stay those of the zone asked).
std::vector<std::size_t> steps(std::size_t labels, std::size_t zone_labels = 0) {
  wire::Name full;
  for (std::size_t i = 0; i < labels; ++i) full = full.with_label(octets_of("a")).value();
  Minimiser minimiser(full, true);
  std::vector<std::size_t> shown;
  do {
    const wire::Name next = minimiser.next(full.suffix(zone_labels));
    CHECK(full.is_at_or_below(next));
    shown.push_back(next.label_count());
  } while (shown.back() < labels);
  return shown;
}

}  // namespace

TEST_CASE("resolve/minimise: one label at a time, then more, never over ten steps", "[resolve]") {
  using Labels = std::vector<std::size_t>;
  CHECK(steps(0) == Labels{0});
  CHECK(steps(1) == Labels{1});
  CHECK(steps(2) == Labels{1, 2});
  CHECK(steps(4) == Labels{1, 2, 3, 4});
  CHECK(steps(5) == Labels{1, 2, 3, 4, 5});
  CHECK(steps(10) == Labels{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(steps(11) == Labels{1, 2, 3, 4, 6, 7, 8, 9, 10, 11});
  CHECK(steps(16) == Labels{1, 2, 3, 4, 6, 8, 10, 12, 14, 16});
  CHECK(steps(127) == Labels{1, 2, 3, 4, 25, 46, 67, 87, 107, 127});
}

TEST_CASE("resolve/minimise: every length ends with the whole name within ten steps", "[resolve]") {
  for (std::size_t labels = 0; labels <= 127; ++labels) {
    for (const std::size_t zone : {std::size_t{0}, labels / 2, labels}) {
      CAPTURE(labels, zone);
      const auto shown = steps(labels, zone);
      CHECK(shown.size() <= Minimiser::kStepsMax);
      CHECK(shown.back() == labels);
      CHECK(std::ranges::is_sorted(shown));
      CHECK(shown.front() == std::min(labels, zone + 1));
    }
  }
}

TEST_CASE("resolve/minimise: one label below the zone, however deep that is", "[resolve]") {
  Minimiser minimiser(name("a.b.c.d.e.f."), true);
  CHECK(minimiser.next(name(".")).to_text() == "f.");
  // The referral jumped over two labels.
  CHECK(minimiser.next(name("d.e.f.")).to_text() == "c.d.e.f.");
  CHECK(minimiser.next(name("c.d.e.f.")).to_text() == "b.c.d.e.f.");
  // No zone there: the next label.
  CHECK(minimiser.next(name("c.d.e.f.")).to_text() == "a.b.c.d.e.f.");
  CHECK(minimiser.next(name("c.d.e.f.")).to_text() == "a.b.c.d.e.f.");
}

TEST_CASE("resolve/minimise: back at a zone above, what was shown is not shown again",
          "[resolve]") {
  Minimiser minimiser(name("a.b.c.d."), true);
  CHECK(minimiser.next(name("c.d.")).to_text() == "b.c.d.");
  CHECK(minimiser.next(name(".")).to_text() == "a.b.c.d.");
}

TEST_CASE("resolve/minimise: what is known to exist is not shown", "[resolve]") {
  Minimiser minimiser(name("a.b.c.d."), true);
  minimiser.skip(2);
  CHECK(minimiser.next(name("d.")).to_text() == "b.c.d.");
  minimiser.skip(1);
  CHECK(minimiser.next(name("d.")).to_text() == "a.b.c.d.");
}

TEST_CASE("resolve/minimise: the zone itself is asked for itself", "[resolve]") {
  Minimiser minimiser(name("example."), true);
  CHECK(minimiser.next(name("example.")).to_text() == "example.");
}

TEST_CASE("resolve/minimise: the letter case is kept", "[resolve]") {
  Minimiser minimiser(name("A.b.C."), true);
  CHECK(minimiser.next(name(".")).to_text() == "C.");
  CHECK(minimiser.next(name("c.")).to_text() == "b.C.");
}

TEST_CASE("resolve/minimise: off or given up, the whole name is shown at once", "[resolve]") {
  Minimiser off(name("a.b.c."), false);
  CHECK(off.next(name(".")).to_text() == "a.b.c.");

  Minimiser minimiser(name("a.b.c."), true);
  CHECK(minimiser.next(name(".")).to_text() == "c.");
  minimiser.give_up();
  CHECK(minimiser.next(name("c.")).to_text() == "a.b.c.");
  CHECK(minimiser.next(name("b.c.")).to_text() == "a.b.c.");
}

}  // namespace siskin::resolve::test
