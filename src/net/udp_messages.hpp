/// Datagrams in batches: the arrays that recvmmsg and sendmmsg work on.
///
/// A batch: for each i < 64 one address, one control block, one buffer in, one buffer out.  A reply
/// that is there at once uses the address and the control block of its query where they are.
/// The outbox holds replies that come later, or that the socket did not take, as copies.
#pragma once

#include <sys/socket.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "net/socket.hpp"
#include "siskin/runtime/query_handler.hpp"

namespace siskin::net {

inline constexpr std::size_t kBatchMax = 64;
inline constexpr std::size_t kDatagramMax = 4096;

/// Room for one packet-information control message of either family.
struct ControlBlock {
  alignas(cmsghdr) std::array<std::uint8_t, CMSG_SPACE(sizeof(in6_pktinfo))> octets;
};

/// Asks the kernel to tell, for each datagram, the address it was sent to.
void request_packet_info(int fd, Family family) noexcept;

/// Where a datagram was sent to.
struct PacketInfo {
  IpAddress local;
  std::uint32_t interface = 0;
};

/// Reads the packet information that came with `message` and readies it for the reply: the same
/// address, and an interface only where the peer's address means nothing without one.
std::optional<PacketInfo> take_packet_info(msghdr& message, bool keep_interface) noexcept;

/// Writes packet information for a reply from `info.local`; returns its size.
std::size_t write_packet_info(const PacketInfo& info, bool keep_interface,
                              ControlBlock& out) noexcept;

struct SendCount {
  std::size_t sent = 0;
  std::size_t lost = 0;  ///< refused by the kernel for good, or without room in the outbox

  std::size_t done() const noexcept { return sent + lost; }
};

/// Hands over messages in order until all are done or the socket's buffer is full.
SendCount send_messages(int fd, std::span<mmsghdr> messages) noexcept;

/// Replies that wait for their turn, oldest first.  Bounded: push() declines when full.
class UdpOutbox {
 public:
  UdpOutbox(std::size_t replies_max, bool with_packet_info)
      : replies_max_(replies_max), with_packet_info_(with_packet_info) {}

  bool empty() const noexcept { return items_.empty(); }
  std::size_t size() const noexcept { return items_.size() - sent_; }
  [[nodiscard]] bool push(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply);
  /// A message of a batch that the socket did not take.
  [[nodiscard]] bool push(const msghdr& message);
  /// Sends what the socket takes; empty afterwards unless the socket is full.
  SendCount flush(int fd) noexcept;
  void clear() noexcept;

 private:
  struct Item {
    SocketAddress address{};
    socklen_t address_size = 0;
    ControlBlock control{};
    std::size_t control_size = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };

  bool has_room(std::size_t octets) const noexcept;
  void append(Item item, std::span<const std::uint8_t> reply);
  std::span<mmsghdr> fill() noexcept;

  std::size_t replies_max_;
  bool with_packet_info_;
  std::vector<Item> items_;
  std::vector<std::uint8_t> octets_;           ///< the replies back to back, at each item's offset
  std::size_t sent_ = 0;                       ///< items before this one are done
  std::array<mmsghdr, kBatchMax> messages_{};  ///< fill()'s, of no meaning between two flushes
  std::array<iovec, kBatchMax> parts_{};
};

/// Up to 64 datagrams in, and their replies.
class UdpBatch {
 public:
  explicit UdpBatch(bool with_packet_info);

  /// Returns how many datagrams came; 0 when there are none.
  std::size_t receive(int fd) noexcept;

  bool is_oversized(std::size_t i) const noexcept;
  std::span<const std::uint8_t> message(std::size_t i) const noexcept;
  /// Who asked, where: `local` is the socket's own address unless packet information says better.
  runtime::ReplyTicket ticket(std::size_t i, const IpAddress& local) noexcept;
  std::span<std::uint8_t> reply_room(std::size_t i) noexcept;
  /// The reply to datagram `i` lies in reply_room(i).
  void add_reply(std::size_t i, std::size_t size) noexcept;
  /// Sends the replies; those that the socket does not take go to `outbox`.
  SendCount flush(int fd, UdpOutbox& outbox);

 private:
  // An odd number of cache lines: buffers a power of two apart would compete for a few cache sets.
  static constexpr std::size_t kStride = kDatagramMax + 64;

  struct Storage {
    std::array<mmsghdr, kBatchMax> in{};
    std::array<mmsghdr, kBatchMax> out{};
    std::array<iovec, kBatchMax> in_parts{};
    std::array<iovec, kBatchMax> out_parts{};
    std::array<SocketAddress, kBatchMax> clients{};
    std::array<ControlBlock, kBatchMax> controls{};
    std::array<std::uint8_t, kBatchMax * kStride> queries{};
    std::array<std::uint8_t, kBatchMax * kStride> replies{};
  };

  bool with_packet_info_;
  std::unique_ptr<Storage> s_;
  std::size_t received_ = 0;
  std::size_t replies_ = 0;
};

}  // namespace siskin::net
