/// Asks the simulated servers directly, without a resolver: for tests of the simulator itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/upstream.hpp"

namespace siskin::sim {

/// A query as a resolver would send it.
struct ProbeQuery {
  std::uint16_t id = 4660;
  std::uint16_t flags = 0;
  runtime::Transport transport = runtime::Transport::udp;
  bool with_edns = true;
  bool dnssec_ok = false;
  std::uint16_t udp_size = 1232;
  std::optional<wire::ClientSubnet> subnet = {};
  Duration patience = std::chrono::seconds(2);
  /// What the filter says to each message; beyond the end: take.
  std::vector<runtime::ReplyVerdict> verdicts;
};

std::vector<std::uint8_t> encode_query(std::string_view name, wire::RRType type,
                                       const ProbeQuery& query);

class Probe {
 public:
  explicit Probe(const World& world, std::uint64_t seed = 1)
      : weather_(seed), upstream_(time_, world, weather_) {}

  Result<std::vector<std::uint8_t>> ask(std::string_view server, std::string_view name,
                                        wire::RRType type, const ProbeQuery& query = {});

  /// ask(), printed in dig's manner, or the error.
  std::string answer(std::string_view server, std::string_view name, wire::RRType type,
                     const ProbeQuery& query = {});

  /// Messages that the last exchange's filter judged.
  const std::vector<std::vector<std::uint8_t>>& judged() const noexcept { return judged_; }
  VirtualTime& time() noexcept { return time_; }
  SimUpstream& upstream() noexcept { return upstream_; }

 private:
  VirtualTime time_;
  SimRandom weather_;
  SimUpstream upstream_;
  std::vector<std::vector<std::uint8_t>> judged_;
};

}  // namespace siskin::sim
