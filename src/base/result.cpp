#include "siskin/base/result.hpp"

#include <cstdio>
#include <cstdlib>

#include "siskin/base/check.hpp"

namespace siskin {

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::malformed: return "malformed";
    case Errc::too_long: return "too long";
    case Errc::timeout: return "timeout";
    case Errc::unreachable: return "unreachable";
    case Errc::closed: return "closed";
    case Errc::spoof_suspected: return "spoofing suspected";
    case Errc::forbidden: return "forbidden";
    case Errc::limit: return "limit reached";
    case Errc::io: return "input/output error";
  }
  return "unknown error";
}

std::string to_string(const Error& error) {
  std::string text(to_string(error.code));
  if (!error.detail.empty()) text += ": " + error.detail;
  return text;
}

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
  std::fprintf(stderr, "siskin: unexpected error: %s\n", to_string(error).c_str());
  check_failed("result holds a value", where.file_name(), static_cast<int>(where.line()));
}

void check_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "siskin: check failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace siskin
