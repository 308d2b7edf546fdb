#include "wire/svcb.hpp"

#include "siskin/wire/cursor.hpp"

namespace siskin::wire {
namespace {

/// SvcParamKeys with a format of their own (RFC 9460 §14.3.2).
enum class Key : std::uint16_t {
  mandatory = 0,
  alpn = 1,
  no_default_alpn = 2,
  port = 3,
  ipv4hint = 4,
  ipv6hint = 6,
};

bool is_list_of(Bytes value, std::size_t item_size) noexcept {
  return !value.empty() && value.size() % item_size == 0;
}

/// Non-empty protocol names behind length octets (RFC 9460 §7.1.1).
bool is_alpn(Bytes value) noexcept {
  Reader reader(value);
  do {
    const std::uint8_t size = reader.u8();
    if (size == 0) return false;
    reader.skip(size);
  } while (reader.remaining() > 0);
  return !reader.failed();
}

bool is_value(Key key, Bytes value) noexcept {
  switch (key) {
    case Key::mandatory: return is_list_of(value, 2);
    case Key::alpn: return is_alpn(value);
    case Key::no_default_alpn: return value.empty();
    case Key::port: return value.size() == 2;
    case Key::ipv4hint: return is_list_of(value, 4);
    case Key::ipv6hint: return is_list_of(value, 16);
  }
  return true;
}

}  // namespace

void skip_service_parameters(Reader& reader) noexcept {
  int last = -1;
  while (reader.remaining() > 0) {
    const std::uint16_t key = reader.u16();
    const Bytes value = reader.bytes(reader.u16());
    if (key <= last || !is_value(static_cast<Key>(key), value)) return reader.fail();
    last = key;
  }
}

}  // namespace siskin::wire
