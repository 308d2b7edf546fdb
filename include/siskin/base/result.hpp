/// Errors as values: Result<T> is a T or an Error.
/// Malformed input and refused resources travel as Error; outcomes of DNS life (NXDOMAIN, lame)
/// are enumerators of their own types; our own mistakes abort (check.hpp).
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace siskin {

enum class Errc : std::uint8_t {
  malformed = 1,    ///< bytes or text that do not follow their format
  too_long,         ///< a name, text or message beyond its limit
  timeout,          ///< nothing usable arrived before the deadline
  unreachable,      ///< the network said that the peer cannot be reached (ICMP, no route, refused)
  closed,           ///< the peer closed, or we are shutting down
  spoof_suspected,  ///< near-miss replies arrived; ask again over TCP
  forbidden,        ///< policy does not let us do this
  limit,            ///< a resource bound was hit (sockets, memory, queue)
  io,               ///< any other failure of the operating system
};

std::string_view to_string(Errc code) noexcept;

/// What failed; `detail` is for people and may be empty.
struct Error {
  Errc code = Errc::io;
  std::string detail;
};

/// "timeout" or "malformed: label longer than 63 octets".
std::string to_string(const Error& error);

template <class T>
using Result = boost::system::result<T, Error>;

/// Boost.System asks for this when .value() is called on an error: that is a bug of ours, so abort.
[[noreturn]] void throw_exception_from_error(const Error& error,
                                             const boost::source_location& where);

}  // namespace siskin
