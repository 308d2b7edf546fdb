/// The queries of one core that wait for a fetch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "serve/request.hpp"
#include "serve/rotation.hpp"
#include "siskin/runtime/query_handler.hpp"
#include "siskin/serve/fetches.hpp"

namespace siskin::serve {

/// Waiters are named by numbers that are never used again, so an outcome that comes after its
/// waiter was served or failed finds nothing and is forgotten.
/// Threads: one core.   Memory: about 200 octets and the name a waiter; one reply buffer in all.
class Waiters {
 public:
  using Id = std::uint64_t;

  Waiters(std::size_t waiters_max, Rotation rotation);

  /// Copies what is needed; nothing when there are too many.  The new waiter is entering until
  /// enter() is called.
  std::optional<Id> add(const Request& request, const runtime::ReplyTicket& ticket,
                        runtime::ReplySink& sink);

  /// Ends the entering of the last added waiter.  An outcome that came meanwhile is given back and
  /// the waiter gone: its query can still be answered without the sink.
  SharedOutcome enter() noexcept;

  /// Sends the reply, or keeps the outcome for enter().
  void deliver(Id id, const SharedOutcome& outcome);

  /// Sends all of them the same outcome.
  void deliver_to_all(const resolve::Outcome& outcome);

  std::size_t size() const noexcept { return waiters_.size(); }

 private:
  struct Waiter {
    runtime::ReplyTicket ticket;
    runtime::ReplySink* sink;
    std::unique_ptr<std::uint8_t[]> name;
    Request request;  ///< its name is the one above
  };

  void send(const Waiter& waiter, const resolve::Outcome& outcome);

  const std::size_t waiters_max_;
  Rotation rotation_;
  Id last_id_ = 0;
  std::optional<Id> entering_;
  SharedOutcome early_;
  std::unordered_map<Id, Waiter> waiters_;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace siskin::serve
