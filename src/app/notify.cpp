#include "app/notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace siskin::app {

void notify_service_manager(std::string_view state) noexcept {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr) return;
  const std::string_view text(path);
  sockaddr_un address{};
  if (text.size() < 2 || text.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  std::ranges::copy(text, address.sun_path);
  if (text.front() == '@') address.sun_path[0] = '\0';  // the abstract namespace
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size());
  (void)sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&address), size);
  close(fd);
}

}  // namespace siskin::app
