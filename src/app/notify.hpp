/// Telling the service manager how we are (sd_notify's protocol: one datagram to $NOTIFY_SOCKET).
/// libsystemd would do the same, but is not there on systems without systemd.
#pragma once

#include <string_view>

namespace siskin::app {

/// "READY=1" or "STOPPING=1".  Without a service manager, or when it does not listen: nothing.
void notify_service_manager(std::string_view state) noexcept;

}  // namespace siskin::app
