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

std::optional<Bytes> find_opt(Bytes message) noexcept {
  Reader reader(message);
  reader.skip(4);
  const std::size_t questions = reader.u16();
  std::size_t before = reader.u16();  // records of answer and authority
  before += reader.u16();
  const std::size_t records = before + reader.u16();
  for (std::size_t i = 0; i < questions && !reader.failed(); ++i) {
    reader.skip_name();
    reader.skip(4);
  }
  for (std::size_t i = 0; i < records && !reader.failed(); ++i) {
    reader.skip_name();
    const auto type = static_cast<RRType>(reader.u16());
    reader.skip(6);
    const Bytes rdata = reader.bytes(reader.u16());
    if (type == RRType::opt && i >= before && !reader.failed()) return rdata;
  }
  return std::nullopt;
}

}  // namespace siskin::wire
