#include "config/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace siskin::config {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

Error system_error() {
  return {Errc::io, std::generic_category().message(errno)};
}

/// Never blocks: a FIFO is opened and then refused.
Result<Descriptor> open_regular(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_error();
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return system_error();
  if (S_ISDIR(status.st_mode)) return Error{Errc::io, "is a directory"};
  if (!S_ISREG(status.st_mode)) return Error{Errc::io, "is not a regular file"};
  return file;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t octets_max) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  std::string text;
  std::array<char, 16384> chunk{};
  while (true) {
    const ssize_t got = ::read(file->get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error();
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
    if (text.size() > octets_max) return Error{Errc::too_long, "is too big"};
  }
}

Result<void> check_readable(const std::string& path) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  return {};
}

}  // namespace siskin::config
