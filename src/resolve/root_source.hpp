/// One server of the root zone, asked for its serial and for the zone.
#pragma once

#include "resolve/root_transfer.hpp"
#include "siskin/resolve/root_keeper.hpp"

namespace siskin::resolve {

/// Coroutines of one core; what they are given outlives them.
class RootSource {
 public:
  RootSource(const RootKeeper::Context& context, runtime::Recall& recall)
      : context_(context), recall_(recall) {}

  /// What the server's SOA says: over UDP, and where that does not work over TCP.  Only the zone's
  /// own servers count (AA).
  runtime::Task<Result<SoaNumbers>> soa(Endpoint server);
  /// The zone, checked.
  runtime::Task<Result<RootZone>> zone(Endpoint server);

 private:
  runtime::Task<Result<SoaNumbers>> soa_over(Endpoint server, runtime::Transport transport);

  RootKeeper::Context context_;
  runtime::Recall& recall_;
};

}  // namespace siskin::resolve
