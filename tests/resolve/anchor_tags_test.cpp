#include "resolve/anchor_tags.hpp"

#include "support/catch.hpp"

namespace siskin::resolve {
namespace {

using wire::Name;
using wire::RRType;

TEST_CASE("resolve/anchor_tags: the root's keys and the name that tells of them", "[resolve]") {
  CHECK(tags_of(dnssec::root_anchor()) == std::vector<std::uint16_t>{20326, 38696});
  CHECK(signal_name(dnssec::root_anchor())->to_text() == "_ta-4f66-9728.");
}

TEST_CASE("resolve/anchor_tags: sentinels name a key by five digits", "[resolve]") {
  const std::vector anchors{dnssec::root_anchor()};
  const auto fails = [&](std::string_view name, RRType type = RRType::a) {
    return is_sentinel_failure(Name::from_text(name).value(), type, anchors);
  };
  CHECK(!fails("root-key-sentinel-is-ta-20326.example."));
  CHECK(fails("root-key-sentinel-not-ta-20326.example."));
  CHECK(fails("ROOT-key-sentinel-NOT-ta-38696.example.", RRType::aaaa));
  CHECK(fails("root-key-sentinel-is-ta-00001.example."));
  CHECK(!fails("root-key-sentinel-not-ta-00001.example."));
  CHECK(!fails("root-key-sentinel-is-ta-00001.example.", RRType::txt));
  for (const std::string_view none :
       {"root-key-sentinel-is-ta-1.example.", "root-key-sentinel-is-ta-99999.example.",
        "root-key-sentinel-is-ta-0000x.example.", "x.root-key-sentinel-is-ta-00001.example.",
        "."}) {
    CHECK(!fails(none));
  }
}

}  // namespace
}  // namespace siskin::resolve
