#include "net/udp_messages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "siskin/base/check.hpp"

namespace siskin::net {
namespace {

// A full outbox of large replies would otherwise hold replies_max * 4096 octets.
constexpr std::size_t kOutboxOctetsMax = 1 << 20;

PacketInfo take_v4(cmsghdr& control) noexcept {
  in_pktinfo info{};
  std::memcpy(&info, CMSG_DATA(&control), sizeof(info));
  std::array<std::uint8_t, 4> octets{};
  std::memcpy(octets.data(), &info.ipi_spec_dst, octets.size());
  const auto interface = static_cast<std::uint32_t>(info.ipi_ifindex);
  info.ipi_ifindex = 0;
  std::memcpy(CMSG_DATA(&control), &info, sizeof(info));
  return {IpAddress::v4(octets), interface};
}

PacketInfo take_v6(cmsghdr& control, bool keep_interface) noexcept {
  in6_pktinfo info{};
  std::memcpy(&info, CMSG_DATA(&control), sizeof(info));
  const std::span<const std::uint8_t, 16> octets(info.ipi6_addr.s6_addr, 16);
  const PacketInfo taken{IpAddress::v6(octets), info.ipi6_ifindex};
  if (!keep_interface) info.ipi6_ifindex = 0;
  std::memcpy(CMSG_DATA(&control), &info, sizeof(info));
  return taken;
}

template <class Info>
std::size_t write_control(ControlBlock& out, int level, int type, const Info& info) noexcept {
  msghdr message{};
  message.msg_control = out.octets.data();
  message.msg_controllen = CMSG_SPACE(sizeof(Info));
  cmsghdr* control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = level;
  control->cmsg_type = type;
  control->cmsg_len = CMSG_LEN(sizeof(Info));
  std::memcpy(CMSG_DATA(control), &info, sizeof(Info));
  return message.msg_controllen;
}

}  // namespace

void request_packet_info(int fd, Family family) noexcept {
  if (family == Family::ipv4) {
    set_option(fd, IPPROTO_IP, IP_PKTINFO, 1);
  } else {
    set_option(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
  }
}

std::optional<PacketInfo> take_packet_info(msghdr& message, bool keep_interface) noexcept {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) return take_v4(*c);
    if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
      return take_v6(*c, keep_interface);
    }
  }
  return std::nullopt;
}

std::size_t write_packet_info(const PacketInfo& info, bool keep_interface,
                              ControlBlock& out) noexcept {
  const auto octets = info.local.octets();
  if (info.local.is_v4()) {
    in_pktinfo v4{};
    std::memcpy(&v4.ipi_spec_dst, octets.data(), octets.size());
    return write_control(out, IPPROTO_IP, IP_PKTINFO, v4);
  }
  in6_pktinfo v6{};
  std::memcpy(&v6.ipi6_addr, octets.data(), octets.size());
  if (keep_interface) v6.ipi6_ifindex = info.interface;
  return write_control(out, IPPROTO_IPV6, IPV6_PKTINFO, v6);
}

SendCount send_messages(int fd, std::span<mmsghdr> messages) noexcept {
  SendCount count;
  while (count.done() < messages.size()) {
    const auto left = messages.subspan(count.done());
    const int sent =
        sendmmsg(fd, left.data(), static_cast<unsigned>(left.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      count.sent += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      ++count.lost;  // the error is the first message's: its peer is unreachable, a filter refuses
    }
  }
  return count;
}

bool UdpOutbox::has_room(std::size_t octets) const noexcept {
  return items_.size() < replies_max_ && octets_.size() + octets <= kOutboxOctetsMax;
}

void UdpOutbox::append(Item item, std::span<const std::uint8_t> reply) {
  item.offset = octets_.size();
  item.size = reply.size();
  octets_.insert(octets_.end(), reply.begin(), reply.end());
  items_.push_back(item);
}

bool UdpOutbox::push(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) {
  if (!has_room(reply.size())) return false;
  Item item;
  item.address_size = write_address(ticket.client, ticket.interface, item.address);
  if (with_packet_info_) {
    const PacketInfo info{ticket.local, ticket.interface};
    item.control_size = write_packet_info(info, is_link_local(ticket.client.address), item.control);
  }
  append(item, reply);
  return true;
}

bool UdpOutbox::push(const msghdr& message) {
  SISKIN_DCHECK(message.msg_iovlen == 1);
  const iovec& part = message.msg_iov[0];
  if (!has_room(part.iov_len)) return false;
  Item item;
  item.address_size = std::min<socklen_t>(message.msg_namelen, sizeof(item.address));
  item.control_size = std::min(message.msg_controllen, item.control.octets.size());
  const auto copy = [](void* to, const void* from, std::size_t size) {
    if (size != 0) std::memcpy(to, from, size);
  };
  copy(&item.address, message.msg_name, item.address_size);
  copy(item.control.octets.data(), message.msg_control, item.control_size);
  append(item, {static_cast<const std::uint8_t*>(part.iov_base), part.iov_len});
  return true;
}

/// The next messages to send.
std::span<mmsghdr> UdpOutbox::fill() noexcept {
  const std::size_t count = std::min(kBatchMax, size());
  for (std::size_t i = 0; i < count; ++i) {
    Item& item = items_[sent_ + i];
    parts_[i] = {octets_.data() + item.offset, item.size};
    msghdr& header = messages_[i].msg_hdr;
    header = {};
    header.msg_name = &item.address;
    header.msg_namelen = item.address_size;
    header.msg_iov = &parts_[i];
    header.msg_iovlen = 1;
    header.msg_control = item.control_size == 0 ? nullptr : item.control.octets.data();
    header.msg_controllen = item.control_size;
  }
  return std::span(messages_).first(count);
}

SendCount UdpOutbox::flush(int fd) noexcept {
  SendCount total;
  while (size() > 0) {
    const auto messages = fill();
    const SendCount step = send_messages(fd, messages);
    sent_ += step.done();
    total.sent += step.sent;
    total.lost += step.lost;
    if (step.done() < messages.size()) return total;
  }
  clear();
  return total;
}

void UdpOutbox::clear() noexcept {
  items_.clear();
  octets_.clear();
  sent_ = 0;
}

UdpBatch::UdpBatch(bool with_packet_info)
    : with_packet_info_(with_packet_info), s_(std::make_unique<Storage>()) {
  for (std::size_t i = 0; i < kBatchMax; ++i) {
    s_->in_parts[i] = {s_->queries.data() + i * kStride, kDatagramMax};
    s_->in[i].msg_hdr.msg_iov = &s_->in_parts[i];
    s_->in[i].msg_hdr.msg_iovlen = 1;
    s_->in[i].msg_hdr.msg_name = &s_->clients[i];
    s_->out[i].msg_hdr.msg_iov = &s_->out_parts[i];
    s_->out[i].msg_hdr.msg_iovlen = 1;
  }
  received_ = kBatchMax;  // so that the first receive() sets the sizes of all
}

std::size_t UdpBatch::receive(int fd) noexcept {
  // The kernel overwrote these in the messages that the last call filled.
  for (std::size_t i = 0; i < received_; ++i) {
    msghdr& header = s_->in[i].msg_hdr;
    header.msg_namelen = sizeof(SocketAddress);
    header.msg_control = with_packet_info_ ? s_->controls[i].octets.data() : nullptr;
    header.msg_controllen = with_packet_info_ ? s_->controls[i].octets.size() : 0;
  }
  const int got = recvmmsg(fd, s_->in.data(), kBatchMax, MSG_DONTWAIT, nullptr);
  received_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  replies_ = 0;
  return received_;
}

bool UdpBatch::is_oversized(std::size_t i) const noexcept {
  return (s_->in[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
}

std::span<const std::uint8_t> UdpBatch::message(std::size_t i) const noexcept {
  return {s_->queries.data() + i * kStride, s_->in[i].msg_len};
}

runtime::ReplyTicket UdpBatch::ticket(std::size_t i, const IpAddress& local) noexcept {
  const SocketAddress& client = s_->clients[i];
  runtime::ReplyTicket ticket{read_address(client), local, 0, 0};
  const bool link_local = is_link_local(ticket.client.address);
  if (link_local) ticket.interface = client.sin6_scope_id;
  if (with_packet_info_) {
    if (const auto info = take_packet_info(s_->in[i].msg_hdr, link_local)) {
      ticket.local = info->local;
      ticket.interface = info->interface;
    }
  }
  return ticket;
}

std::span<std::uint8_t> UdpBatch::reply_room(std::size_t i) noexcept {
  return {s_->replies.data() + i * kStride, kDatagramMax};
}

void UdpBatch::add_reply(std::size_t i, std::size_t size) noexcept {
  SISKIN_CHECK(size <= kDatagramMax);
  const msghdr& query = s_->in[i].msg_hdr;
  s_->out_parts[replies_] = {reply_room(i).data(), size};
  msghdr& header = s_->out[replies_].msg_hdr;
  header.msg_name = query.msg_name;
  header.msg_namelen = query.msg_namelen;
  header.msg_control = query.msg_controllen == 0 ? nullptr : query.msg_control;
  header.msg_controllen = query.msg_controllen;
  ++replies_;
}

SendCount UdpBatch::flush(int fd, UdpOutbox& outbox) {
  const auto messages = std::span(s_->out).first(replies_);
  SendCount count = send_messages(fd, messages);
  for (const mmsghdr& message : messages.subspan(count.done())) {
    if (!outbox.push(message.msg_hdr)) ++count.lost;
  }
  replies_ = 0;
  return count;
}

}  // namespace siskin::net
