#include "app/privileges.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace siskin::app {
namespace {

Error cannot(const std::string& user, int error) {
  return {Errc::forbidden, "cannot become user \"" + user +
                               "\": " + std::generic_category().message(error) +
                               "; start as root, or leave [server] user empty"};
}

}  // namespace

Result<void> become_user(const std::string& user) {
  if (user.empty()) return {};
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16384);
  const int error = getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) {
    return Error{Errc::forbidden,
                 "[server] user: there is no user \"" + user + "\"" +
                     (error == 0 ? "" : " (" + std::generic_category().message(error) + ")")};
  }
  if (geteuid() == entry.pw_uid) return {};
  if (initgroups(user.c_str(), entry.pw_gid) != 0 || setgid(entry.pw_gid) != 0 ||
      setuid(entry.pw_uid) != 0) {
    return cannot(user, errno);
  }
  if (entry.pw_uid != 0 && setuid(0) == 0) return cannot(user, EPERM);  // it must not come back
  return {};
}

std::size_t raise_descriptor_limit(std::size_t wanted) noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace siskin::app
