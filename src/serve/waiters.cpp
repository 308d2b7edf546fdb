#include "serve/waiters.hpp"

#include <algorithm>
#include <utility>

#include "serve/reply.hpp"

namespace siskin::serve {
namespace {

constexpr std::size_t kReplySizeMax = 65535;

}  // namespace

Waiters::Waiters(std::size_t waiters_max, Rotation rotation)
    : waiters_max_(waiters_max), rotation_(rotation), buffer_(kReplySizeMax) {}

std::optional<Waiters::Id> Waiters::add(const Request& request, const runtime::ReplyTicket& ticket,
                                        runtime::ReplySink& sink) {
  if (waiters_.size() >= waiters_max_) return std::nullopt;
  auto name = std::make_unique<std::uint8_t[]>(request.name.size());
  std::ranges::copy(request.name, name.get());
  Waiter waiter{ticket, &sink, std::move(name), request};
  waiter.request.name = {waiter.name.get(), request.name.size()};
  entering_ = ++last_id_;
  waiters_.emplace(last_id_, std::move(waiter));
  return last_id_;
}

SharedOutcome Waiters::enter() noexcept {
  entering_.reset();
  return std::exchange(early_, nullptr);
}

void Waiters::deliver(Id id, const SharedOutcome& outcome) {
  const auto found = waiters_.find(id);
  if (found == waiters_.end()) return;
  const Waiter waiter = std::move(found->second);
  waiters_.erase(found);  // before the call, for the sink may ask how many wait
  if (id == entering_) {
    early_ = outcome;
    return;
  }
  send(waiter, *outcome);
}

void Waiters::deliver_to_all(const resolve::Outcome& outcome) {
  for (const auto& [id, waiter] : std::exchange(waiters_, {})) send(waiter, outcome);
}

void Waiters::send(const Waiter& waiter, const resolve::Outcome& outcome) {
  const std::size_t size = write_outcome(waiter.request, outcome, rotation_.next(), buffer_);
  waiter.sink->send(waiter.ticket, {buffer_.data(), size});
}

}  // namespace siskin::serve
