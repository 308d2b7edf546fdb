/// Servers of the root zone that a RootKeeper asks and copies from, in virtual time.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "resolve/root_samples.hpp"
#include "sim/virtual_time.hpp"
#include "siskin/resolve/root_keeper.hpp"

namespace siskin::sim {

/// One of them.  Each exchange takes a millisecond, or until its deadline.
struct RootServer {
  std::string zone_text{resolve::test::kSmallRoot};
  bool is_dead = false;
  bool is_deaf_to_udp = false;
  bool is_authoritative = true;
  bool refuses = false;            ///< transfers
  bool hangs = false;              ///< in the middle of transfers
  bool cuts_short = false;         ///< closes there
  bool spoils = false;             ///< one octet of the zone
  std::size_t octets_flooded = 0;  ///< in front of the last SOA
  unsigned soas = 0;               ///< asked for, so far
  unsigned transfers = 0;          ///< likewise
};

class RootServers final : public runtime::Upstream, public runtime::Transfer {
 public:
  explicit RootServers(VirtualTime& time) : time_(time) {}

  RootServer& operator[](std::string_view address) {
    return servers_[Endpoint{IpAddress::from_text(address).value(), 53}];
  }
  std::vector<Endpoint> endpoints() const;

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) override;
  runtime::Task<Result<void>> transfer(const Endpoint& server, std::span<const std::uint8_t> query,
                                       runtime::TransferSink& sink, Instant deadline,
                                       runtime::Recall& recall) override;

 private:
  runtime::Task<bool> wait_until(Instant until, runtime::Recall& recall);

  VirtualTime& time_;
  std::map<Endpoint, RootServer> servers_;
};

}  // namespace siskin::sim
