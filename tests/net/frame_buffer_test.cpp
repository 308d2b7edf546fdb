#include "net/frame_buffer.hpp"

#include <algorithm>
#include <random>

#include "support/catch.hpp"

using namespace siskin;
using net::FrameBuffer;
using Bytes = std::vector<std::uint8_t>;

namespace {

void feed(FrameBuffer& buffer, std::span<const std::uint8_t> octets) {
  while (!octets.empty()) {
    const auto room = buffer.room();
    REQUIRE_FALSE(room.empty());
    const auto count = std::min(room.size(), octets.size());
    std::ranges::copy(octets.first(count), room.begin());
    buffer.added(count);
    octets = octets.subspan(count);
  }
}

Bytes taken(FrameBuffer& buffer) {
  const auto message = buffer.next();
  REQUIRE(message.has_value());
  return {message->begin(), message->end()};
}

}  // namespace

TEST_CASE("net/frame_buffer: a message comes out once its last octet is in", "[net]") {
  FrameBuffer buffer;
  CHECK(buffer.empty());
  for (const std::uint8_t octet : Bytes{0, 3, 7, 8}) {
    feed(buffer, Bytes{octet});
    CHECK_FALSE(buffer.next().has_value());
    CHECK_FALSE(buffer.empty());
  }
  feed(buffer, Bytes{9, 0, 0, 0});
  CHECK(taken(buffer) == Bytes{7, 8, 9});
  CHECK(taken(buffer).empty());
  CHECK_FALSE(buffer.next().has_value());
  CHECK_FALSE(buffer.empty());
}

TEST_CASE("net/frame_buffer: messages of every size survive any cutting of the stream", "[net]") {
  std::mt19937 random(11);  // NOLINT: the same every run on purpose
  std::vector<Bytes> messages;
  Bytes stream;
  for (const std::size_t size : {0U, 1U, 12U, 511U, 512U, 513U, 4095U, 65535U, 3U, 65535U, 700U}) {
    Bytes message(size);
    for (auto& octet : message) octet = static_cast<std::uint8_t>(random());
    net::append_frame(stream, message);
    messages.push_back(std::move(message));
  }
  for (int run = 0; run < 20; ++run) {
    FrameBuffer buffer;
    std::vector<Bytes> out;
    std::span<const std::uint8_t> left = stream;
    while (!left.empty()) {
      const auto room = buffer.room();
      REQUIRE_FALSE(room.empty());
      const auto count = std::min({std::size_t{1} + random() % 5000, room.size(), left.size()});
      std::ranges::copy(left.first(count), room.begin());
      buffer.added(count);
      left = left.subspan(count);
      while (const auto message = buffer.next()) out.emplace_back(message->begin(), message->end());
    }
    CHECK(out == messages);
    CHECK(buffer.empty());
  }
}

TEST_CASE("net/frame_buffer: a promised length takes no memory before its octets come", "[net]") {
  FrameBuffer buffer;
  feed(buffer, Bytes{0xff, 0xff});
  CHECK_FALSE(buffer.next().has_value());
  CHECK(buffer.room().size() <= 512);
}
