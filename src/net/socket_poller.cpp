#include "net/socket_poller.hpp"

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace siskin::net {
namespace {

constexpr std::size_t kEventsMax = 64;
constexpr int kRoundsMax = 8;  // full sets of events before other work of the loop has its turn

int create_epoll() {
  const int fd = epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  return fd;
}

}  // namespace

SocketWatch::SocketWatch(runtime::TimerQueue& timers, Fd fd)
    : fd_(std::move(fd)), timer_(timers, [this] { wake(Wake::deadline); }) {}

SocketWatch::~SocketWatch() {
  if (poller_ != nullptr) poller_->remove(*this);
}

Result<void> SocketWatch::start(SocketPoller& poller, Interest interest, Instant deadline) {
  if (auto added = poller.add(*this, interest); !added) return added.error();
  timer_.arm(deadline);
  return {};
}

runtime::Task<Wake> SocketWatch::wait() {
  if (end_) co_return *end_;
  if (std::exchange(ready_, false)) co_return Wake::ready;
  waiter_.emplace();
  co_return co_await waiter_->wait();
}

void SocketWatch::wake(Wake reason) {
  if (reason != Wake::ready) {
    if (!end_) end_ = reason;
  } else if (!waiter_ || waiter_->is_complete()) {
    ready_ = true;
    return;
  }
  if (waiter_) waiter_->complete(reason);  // the last act: we may be gone
}

SocketPoller::SocketPoller(boost::asio::io_context& io, std::size_t watches_max)
    : epoll_(io, create_epoll()), watches_max_(watches_max) {}

void SocketPoller::shutdown() {
  shut_down_ = true;
  // By index: waiters that resume may end other watches.
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    SocketWatch* watch = slots_[i].watch;
    if (watch == nullptr) continue;
    remove(*watch);
    watch->poller_ = nullptr;
    watch->wake(Wake::closed);
  }
  boost::system::error_code ignored;
  epoll_.close(ignored);
}

Result<void> SocketPoller::add(SocketWatch& watch, Interest interest) {
  if (shut_down_) return Error{Errc::closed, {}};
  if (is_full()) return Error{Errc::limit, "as many upstream sockets as allowed are open"};
  if (free_slots_.empty()) {
    free_slots_.push_back(slots_.size());
    slots_.emplace_back();
  }
  const std::size_t slot = free_slots_.back();
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  if (interest == Interest::reading_and_writing) event.events |= EPOLLOUT;
  event.data.u64 = std::uint64_t{slots_[slot].generation} << 32 | slot;
  if (epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, watch.fd(), &event) != 0) {
    return socket_error(errno);
  }
  free_slots_.pop_back();
  slots_[slot].watch = &watch;
  watch.slot_ = slot;
  watch.poller_ = this;
  ++watches_;
  arm();
  return {};
}

void SocketPoller::remove(const SocketWatch& watch) noexcept {
  Slot& slot = slots_[watch.slot_];
  slot.watch = nullptr;
  ++slot.generation;
  free_slots_.push_back(watch.slot_);
  --watches_;
}

SocketWatch* SocketPoller::find(std::uint64_t name) const noexcept {
  const Slot& slot = slots_[name & 0xffffffff];
  return slot.generation == name >> 32 ? slot.watch : nullptr;
}

void SocketPoller::arm() {
  if (armed_ || shut_down_) return;
  armed_ = true;
  epoll_.async_wait(decltype(epoll_)::wait_read,
                    [self = shared_from_this()](const boost::system::error_code& error) {
                      self->armed_ = false;
                      if (!error) self->on_ready();
                    });
}

void SocketPoller::on_ready() {
  for (int round = 0; round < kRoundsMax && !shut_down_; ++round) {
    if (!dispatch()) break;
  }
  if (watches_ > 0) arm();
}

/// Wakes the watches of one set of events; true when there may be more.
bool SocketPoller::dispatch() {
  std::array<epoll_event, kEventsMax> events{};
  const int count = epoll_wait(epoll_.native_handle(), events.data(), kEventsMax, 0);
  for (int i = 0; i < count && !shut_down_; ++i) {
    if (SocketWatch* watch = find(events[static_cast<std::size_t>(i)].data.u64)) {
      watch->wake(Wake::ready);
    }
  }
  return count == kEventsMax;
}

}  // namespace siskin::net
