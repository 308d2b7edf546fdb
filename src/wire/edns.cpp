#include "siskin/wire/edns.hpp"

#include "siskin/wire/cursor.hpp"

namespace siskin::wire {

bool are_options(Bytes options) noexcept {
  Reader reader(options);
  while (reader.remaining() > 0) {
    reader.skip(2);
    reader.skip(reader.u16());
  }
  return !reader.failed();
}

std::optional<Bytes> find_option(Bytes options, EdnsOption code) noexcept {
  Reader reader(options);
  while (reader.remaining() > 0) {
    const auto found = static_cast<EdnsOption>(reader.u16());
    const Bytes data = reader.bytes(reader.u16());
    if (!reader.failed() && found == code) return data;
  }
  return std::nullopt;
}

}  // namespace siskin::wire
