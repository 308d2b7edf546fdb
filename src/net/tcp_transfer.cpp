#include "siskin/net/tcp_transfer.hpp"

#include <cerrno>

#include "net/frame_buffer.hpp"
#include "net/upstream_common.hpp"

namespace siskin::net {

using runtime::Recall;
using runtime::Task;
using runtime::TransferSink;

namespace {

/// How a step ended the transfer; nothing: it goes on.
using End = std::optional<Result<void>>;

End send_some(int fd, std::vector<std::uint8_t>& unsent) {
  while (!unsent.empty()) {
    const ssize_t sent = ::send(fd, unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) break;
    if (sent < 0) return socket_error(errno);
    unsent.erase(unsent.begin(), unsent.begin() + sent);
  }
  return std::nullopt;
}

/// Until EAGAIN.
End receive_some(int fd, FrameBuffer& in, TransferSink& sink) {
  for (;;) {
    const auto room = in.room();
    const ssize_t got = recv(fd, room.data(), room.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::nullopt;
    if (got < 0) return socket_error(errno);
    if (got == 0) return Error{Errc::closed, "the server closed before the end"};
    in.added(static_cast<std::size_t>(got));
    while (const auto message = in.next()) {
      if (!sink.take(*message)) return Result<void>();
    }
  }
}

}  // namespace

struct TcpTransfer::Impl {
  Impl(boost::asio::io_context& io, runtime::TimerQueue& queue)
      : timers(queue), poller(std::make_shared<SocketPoller>(io, kTransfersMax)) {}

  /// A connection that is not there yet says EAGAIN, one that failed says why.
  Task<Result<void>> run(Endpoint server, std::span<const std::uint8_t> query, TransferSink& sink,
                         Instant deadline, Recall& recall) {
    auto socket = connect_upstream(*poller, server);
    if (!socket) co_return socket.error();
    SocketWatch watch(timers, std::move(*socket));
    if (auto started = watch.start(*poller, Interest::reading_and_writing, deadline); !started) {
      co_return started.error();
    }
    const Recall::Listener listener(recall, [&watch] { watch.close(); });
    std::vector<std::uint8_t> unsent;
    append_frame(unsent, query);
    FrameBuffer in;
    for (;;) {
      if (auto end = send_some(watch.fd(), unsent)) co_return std::move(*end);
      if (unsent.empty()) {
        if (auto end = receive_some(watch.fd(), in, sink)) co_return std::move(*end);
      }
      const Wake wake = co_await watch.wait();
      if (wake != Wake::ready) co_return error_of(wake);
    }
  }

  runtime::TimerQueue& timers;
  std::shared_ptr<SocketPoller> poller;
};

TcpTransfer::TcpTransfer(boost::asio::io_context& io, runtime::TimerQueue& timers)
    : impl_(std::make_unique<Impl>(io, timers)) {}

TcpTransfer::~TcpTransfer() {
  shutdown();
}

Task<Result<void>> TcpTransfer::transfer(const Endpoint& server,
                                         std::span<const std::uint8_t> query, TransferSink& sink,
                                         Instant deadline, Recall& recall) {
  return impl_->run(server, query, sink, deadline, recall);
}

void TcpTransfer::shutdown() {
  impl_->poller->shutdown();
}

}  // namespace siskin::net
