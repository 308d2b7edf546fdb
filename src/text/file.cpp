#include "siskin/text/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace siskin::text {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

Error system_error(const std::string& path, int code) {
  return {Errc::io, path + ": " + std::generic_category().message(code)};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "re"));
  if (!file) return system_error(path, errno);
  std::string text(bytes_max + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get())) return system_error(path, errno);
  if (text.size() > bytes_max) {
    return Error{Errc::too_long, fmt::format("{}: over {} octets", path, bytes_max)};
  }
  return text;
}

Error with_source(const Error& error, std::string_view source) {
  constexpr std::string_view kPrefix = "line ";  // "line 7: ..." becomes "SOURCE:7: ..."
  const bool has_line = error.detail.starts_with(kPrefix);
  return {error.code, std::string(source) + (has_line ? ":" + error.detail.substr(kPrefix.size())
                                                      : ": " + error.detail)};
}

}  // namespace siskin::text
