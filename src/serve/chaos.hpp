/// Questions about the server itself: class CH, type TXT (RFC 4892).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "serve/request.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::serve {

/// version.bind, version.server, id.server and hostname.bind, as far as there is a text for them.
/// Threads: immutable.
class Chaos {
 public:
  Chaos(std::string_view version, std::string_view identity);

  /// REFUSED for names that are not answered.
  std::size_t write(const Request& request, std::span<std::uint8_t> buffer) const noexcept;

 private:
  struct Entry {
    wire::Name name;
    wire::RecordList text;  ///< empty: not answered
  };

  const Entry* find(wire::Bytes name) const noexcept;

  std::array<Entry, 4> entries_;
};

}  // namespace siskin::serve
