/// EDNS(0), RFC 6891, and the options this resolver reads or writes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::wire {

inline constexpr std::uint16_t kUdpSizeMin = 512;       ///< smaller offers count as this
inline constexpr std::uint16_t kUdpSizeDefault = 1232;  ///< DNS flag day 2020

enum class EdnsOption : std::uint16_t {
  nsid = 3,
  client_subnet = 8,
  cookie = 10,
  tcp_keepalive = 11,
  padding = 12,
  extended_error = 15,
};

/// One OPT record as read.  `options` points into the message.
struct Edns {
  std::uint8_t version = 0;
  std::uint8_t extended_rcode = 0;  ///< the upper eight bits
  bool dnssec_ok = false;
  std::uint16_t udp_size = kUdpSizeMin;  ///< never below 512
  Bytes options;                         ///< well-formed: codes, lengths, data fill it exactly
};

/// An Extended DNS Error (RFC 8914) to send along.
struct ExtendedError {
  Ede code = Ede::other;
  std::string text;  ///< UTF-8 for people; kept under 160 octets by its makers

  friend bool operator==(const ExtendedError&, const ExtendedError&) = default;
};

/// Whether codes, lengths and data fill `options` exactly.
bool are_options(Bytes options) noexcept;

/// The data of the first option with that code.
std::optional<Bytes> find_option(Bytes options, EdnsOption code) noexcept;

/// The options of the first OPT in the additional section of a whole message, not checked yet;
/// nothing: none is there, or it cannot be reached.
std::optional<Bytes> find_opt(Bytes message) noexcept;

}  // namespace siskin::wire
