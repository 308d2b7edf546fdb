#include "siskin/net/bind.hpp"

#include "loopback.hpp"
#include "siskin/net/tcp_listener.hpp"
#include "siskin/net/udp_listener.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using net::TcpListener;
using net::UdpListener;
using runtime::Transport;

TEST_CASE("net/bind: an address that no interface has is named, with advice", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  const auto endpoint = Endpoint::from_text("192.0.2.1:5300").value();
  const auto udp = UdpListener::open(loop.io, {.endpoint = endpoint}, handler);
  REQUIRE_FALSE(udp.has_value());
  CHECK(udp.error().code == Errc::io);
  CHECK(udp.error().detail ==
        "cannot listen on 192.0.2.1:5300 (UDP): no interface of this machine has this address "
        "(\"ip address\" lists them)");
  const auto tcp =
      TcpListener::open({loop.io, loop.clock, loop.timers, handler}, {.endpoint = endpoint});
  REQUIRE_FALSE(tcp.has_value());
  CHECK(tcp.error().detail.find("192.0.2.1:5300 (TCP)") != std::string::npos);
}

TEST_CASE("net/bind: a port in use is named, with advice", "[net]") {
  const TcpServer other;
  const auto taken = net::check_bindable(other.local());
  REQUIRE_FALSE(taken.has_value());
  CHECK(taken.error().detail == "cannot listen on " + other.local().to_text() +
                                    " (TCP): another program uses this port; stop it "
                                    "(\"ss -lnptu\" names it) or listen elsewhere");

  Loop loop;
  Handler handler = echo_handler();
  CHECK_FALSE(
      TcpListener::open({loop.io, loop.clock, loop.timers, handler}, {.endpoint = other.local()})
          .has_value());
}

TEST_CASE("net/bind: a missing permission names the capability", "[net]") {
  const auto error =
      net::listen_error(EACCES, Endpoint::from_text("[::1]:53").value(), Transport::udp);
  CHECK(error.code == Errc::forbidden);
  CHECK(error.detail ==
        "cannot listen on [::1]:53 (UDP): not permitted; it needs CAP_NET_BIND_SERVICE or a port "
        "above 1023");
}

TEST_CASE("net/bind: the check sees listeners that share their port, and leaves nothing behind",
          "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto udp = UdpListener::open(loop.io, {.endpoint = {loopback_v4(), 0}}, handler).value();
  const Endpoint endpoint = udp->local_endpoint();
  CHECK_FALSE(net::check_bindable(endpoint).has_value());
  udp->stop();

  auto tcp = TcpListener::open({loop.io, loop.clock, loop.timers, handler},
                               {.endpoint = {loopback_v4(), 0}})
                 .value();
  CHECK_FALSE(net::check_bindable(tcp->local_endpoint()).has_value());
  const Endpoint free = tcp->local_endpoint();
  tcp->stop();
  CHECK(net::check_bindable(free).has_value());
  CHECK(net::check_bindable(free).has_value());
}

TEST_CASE("net/bind: workers share an endpoint", "[net]") {
  Loop a;
  Loop b;
  Handler handler = echo_handler();
  auto first = UdpListener::open(a.io, {.endpoint = {loopback_v4(), 0}}, handler).value();
  auto second = UdpListener::open(b.io, {.endpoint = first->local_endpoint()}, handler);
  REQUIRE(second.has_value());
  CHECK((*second)->local_endpoint() == first->local_endpoint());
}
