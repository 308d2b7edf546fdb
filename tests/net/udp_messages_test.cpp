#include "net/udp_messages.hpp"

#include <array>

#include "loopback.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using net::Fd;
using net::UdpOutbox;

namespace {

/// Datagram sockets whose sender is told EAGAIN when the receiver has not read for a while, which
/// UDP over loopback never does.
std::pair<Fd, Fd> tight_pair() {
  std::array<int, 2> fds{};
  REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds.data()) == 0);
  REQUIRE(net::set_option(fds[0], SOL_SOCKET, SO_SNDBUF, 1));  // the kernel's least
  return {Fd(fds[0]), Fd(fds[1])};
}

bool push_unaddressed(UdpOutbox& outbox, Bytes message) {
  iovec part{message.data(), message.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  return outbox.push(header);
}

std::vector<std::uint8_t> first_octets(const Fd& fd) {
  std::vector<std::uint8_t> firsts;
  std::array<std::uint8_t, 64> message{};
  while (recv(fd.get(), message.data(), message.size(), 0) > 0) firsts.push_back(message[0]);
  return firsts;
}

}  // namespace

TEST_CASE("net/udp_messages: what a full socket does not take waits in order", "[net]") {
  const auto [sender, receiver] = tight_pair();
  UdpOutbox outbox(200, false);
  for (std::uint8_t i = 0; i < 150; ++i) REQUIRE(push_unaddressed(outbox, Bytes(20, i)));

  std::vector<std::uint8_t> seen;
  std::size_t sent = outbox.flush(sender.get()).sent;
  CHECK(sent < 150);
  CHECK(outbox.size() == 150 - sent);
  CHECK(outbox.flush(sender.get()).done() == 0);
  while (!outbox.empty()) {
    for (const auto octet : first_octets(receiver)) seen.push_back(octet);
    const auto step = outbox.flush(sender.get());
    CHECK(step.lost == 0);
    sent += step.sent;
  }
  for (const auto octet : first_octets(receiver)) seen.push_back(octet);
  CHECK(sent == 150);
  REQUIRE(seen.size() == 150);
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == i);
}

TEST_CASE("net/udp_messages: the outbox is bounded in replies and in octets", "[net]") {
  UdpOutbox few(3, false);
  const runtime::ReplyTicket ticket{{loopback_v4(), 9}, loopback_v4(), 0, 0};
  for (int i = 0; i < 3; ++i) CHECK(few.push(ticket, message_of("x")));
  CHECK_FALSE(few.push(ticket, message_of("x")));
  few.clear();
  CHECK(few.push(ticket, message_of("x")));

  UdpOutbox many(1000, false);
  int pushed = 0;
  while (many.push(ticket, Bytes(4096))) ++pushed;
  CHECK(pushed == 256);  // 1 MiB
}

TEST_CASE("net/udp_messages: a message that the kernel refuses does not hold up the next",
          "[net]") {
  UdpPeer from(loopback_v4());
  UdpPeer to(loopback_v4());
  UdpOutbox outbox(10, false);
  const runtime::ReplyTicket good{to.local(), loopback_v4(), 0, 0};
  const runtime::ReplyTicket no_port{{loopback_v4(), 0}, loopback_v4(), 0, 0};
  REQUIRE(outbox.push(no_port, message_of("lost")));
  REQUIRE(outbox.push(good, message_of("sent")));
  const auto count = outbox.flush(from.fd());
  CHECK(count.sent == 1);
  CHECK(count.lost == 1);
  CHECK(outbox.empty());
  CHECK(to.receive()->first == message_of("sent"));
}
