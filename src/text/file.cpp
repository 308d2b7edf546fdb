#include "siskin/text/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

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

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (is_open()) (void)::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }

 private:
  const int number_;
};

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
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

Result<void> replace_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.is_open()) return system_error(draft, errno);
  if (!write_all(file.number(), text) || ::fsync(file.number()) != 0 ||
      ::rename(draft.c_str(), path.c_str()) != 0) {
    const int code = errno;
    (void)::unlink(draft.c_str());
    return system_error(draft, code);
  }
  // The new name outlives a power failure once the directory is written as well.
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor above(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above.is_open() || ::fsync(above.number()) != 0) return system_error(directory, errno);
  return {};
}

Error with_source(const Error& error, std::string_view source) {
  constexpr std::string_view kPrefix = "line ";  // "line 7: ..." becomes "SOURCE:7: ..."
  const bool has_line = error.detail.starts_with(kPrefix);
  return {error.code, std::string(source) + (has_line ? ":" + error.detail.substr(kPrefix.size())
                                                      : ": " + error.detail)};
}

}  // namespace siskin::text
