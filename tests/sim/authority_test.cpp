#include "sim/authority.hpp"

#include <string>

#include "sim/probe.hpp"
#include "sim/world.hpp"
#include "support/catch.hpp"

using siskin::sim::Probe;
using siskin::sim::ProbeQuery;
using siskin::sim::World;
using siskin::wire::RRType;

namespace {

/// One server for example. and other.example., apart from the servers of child.example.
void build(World& world) {
  world.add_zone("example.", R"(
$TTL 300
@         SOA   ns1 host 1 7200 900 604800 60
          NS    ns1
          MX    10 mail
ns1       A     192.0.2.1
mail      A     192.0.2.25
          AAAA  2001:db8::25
alias     CNAME www.other
out       CNAME www.elsewhere.test.
down      CNAME www.child
gone      CNAME nope
loop      CNAME pool
pool      CNAME loop
d         DNAME other
*.w       A     192.0.2.77
a.ent     TXT   "x"
big       TXT   "0123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "1123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "2123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "3123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "4123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "5123456789012345678901234567890123456789012345678901234567890123456789"
          TXT   "6123456789012345678901234567890123456789012345678901234567890123456789"
child     NS    ns.child
child     NS    ns.far.test.
ns.child  A     192.0.2.2
other     NS    ns1
)");
  world.add_zone("other.example.", "$TTL 300\n@ NS ns1.example.\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.1", {"example.", "other.example."});
}

/// The reply without the lines that repeat the question.
std::string reply(const char* name, RRType type, const ProbeQuery& query = {}) {
  World world;
  build(world);
  Probe probe(world);
  std::string text = probe.answer("192.0.2.1", name, type, query);
  const auto begin = text.find(";; flags");
  const auto question = text.find(";; QUESTION");
  const auto end = text.find('\n', text.find('\n', question) + 1) + 1;
  const std::string status =
      text.substr(text.find("status"), text.find(", id") - text.find("status"));
  return status + "\n" + text.substr(begin, question - begin) + text.substr(end);
}

const char* const kOpt = ";; ADDITIONAL SECTION:\n; EDNS: version: 0, flags:; udp: 1232\n";
const char* const kSoa =
    ";; AUTHORITY SECTION:\n"
    "example. 60 IN SOA ns1.example. host.example. 1 7200 900 604800 60\n";

}  // namespace

TEST_CASE("sim/authority: an answer has AA, and the addresses of hosts it names", "[sim]") {
  CHECK(reply("mail.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nmail.example. 300 IN A 192.0.2.25\n" +
            std::string(kOpt));
  CHECK(reply("example.", RRType::mx) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 3\n"
        ";; ANSWER SECTION:\nexample. 300 IN MX 10 mail.example.\n"
        ";; ADDITIONAL SECTION:\nmail.example. 300 IN A 192.0.2.25\n"
        "mail.example. 300 IN AAAA 2001:db8::25\n; EDNS: version: 0, flags:; udp: 1232\n");
}

TEST_CASE("sim/authority: negative answers carry the SOA", "[sim]") {
  const std::string counts = "QUERY: 1, ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 1\n";
  CHECK(reply("mail.example.", RRType::txt) ==
        "status: NOERROR\n;; flags: qr aa; " + counts + kSoa + kOpt);
  CHECK(reply("nope.example.", RRType::a) ==
        "status: NXDOMAIN\n;; flags: qr aa; " + counts + kSoa + kOpt);
  CHECK(reply("ent.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; " + counts + kSoa + kOpt);
}

TEST_CASE("sim/authority: a referral has no AA, the NS set and the glue of the zone", "[sim]") {
  for (const char* name : {"child.example.", "www.child.example.", "ns.child.example."}) {
    CAPTURE(name);
    CHECK(reply(name, RRType::a) ==
          "status: NOERROR\n;; flags: qr; QUERY: 1, ANSWER: 0, AUTHORITY: 2, ADDITIONAL: 2\n"
          ";; AUTHORITY SECTION:\nchild.example. 300 IN NS ns.child.example.\n"
          "child.example. 300 IN NS ns.far.test.\n"
          ";; ADDITIONAL SECTION:\nns.child.example. 300 IN A 192.0.2.2\n"
          "; EDNS: version: 0, flags:; udp: 1232\n");
  }
  CHECK(reply("child.example.", RRType::ds) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 1\n" +
            std::string(kSoa) + kOpt);
}

TEST_CASE("sim/authority: aliases are followed as far as the server's zones go", "[sim]") {
  CHECK(reply("alias.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 2, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nalias.example. 300 IN CNAME www.other.example.\n"
        "www.other.example. 300 IN A 192.0.2.80\n" +
            std::string(kOpt));
  CHECK(reply("out.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nout.example. 300 IN CNAME www.elsewhere.test.\n" +
            std::string(kOpt));
  CHECK(reply("gone.example.", RRType::a) ==
        "status: NXDOMAIN\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 1, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\ngone.example. 300 IN CNAME nope.example.\n" +
            std::string(kSoa) + kOpt);
  CHECK(reply("loop.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 2, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nloop.example. 300 IN CNAME pool.example.\n"
        "pool.example. 300 IN CNAME loop.example.\n" +
            std::string(kOpt));
}

TEST_CASE("sim/authority: an alias into a delegated zone is answered with a referral behind it",
          "[sim]") {
  CHECK(reply("down.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 2, ADDITIONAL: 2\n"
        ";; ANSWER SECTION:\ndown.example. 300 IN CNAME www.child.example.\n"
        ";; AUTHORITY SECTION:\nchild.example. 300 IN NS ns.child.example.\n"
        "child.example. 300 IN NS ns.far.test.\n"
        ";; ADDITIONAL SECTION:\nns.child.example. 300 IN A 192.0.2.2\n"
        "; EDNS: version: 0, flags:; udp: 1232\n");
}

TEST_CASE("sim/authority: a DNAME goes with the CNAME it makes", "[sim]") {
  CHECK(reply("www.d.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 3, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nd.example. 300 IN DNAME other.example.\n"
        "www.d.example. 300 IN CNAME www.other.example.\n"
        "www.other.example. 300 IN A 192.0.2.80\n" +
            std::string(kOpt));
  const std::string label(63, 'x');
  const std::string too_long =
      label + "." + label + "." + label + "." + label.substr(14) + ".d.example.";
  const std::string text = reply(too_long.c_str(), RRType::a);
  CHECK(text ==
        "status: YXDOMAIN\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nd.example. 300 IN DNAME other.example.\n" +
            std::string(kOpt));
}

TEST_CASE("sim/authority: a wildcard answers under the name asked", "[sim]") {
  CHECK(reply("x.y.w.example.", RRType::a) ==
        "status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; ANSWER SECTION:\nx.y.w.example. 300 IN A 192.0.2.77\n" +
            std::string(kOpt));
}

TEST_CASE("sim/authority: what is not served is refused", "[sim]") {
  CHECK(reply("www.test.", RRType::a) ==
        "status: REFUSED\n;; flags: qr; QUERY: 1, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 1\n" +
            std::string(kOpt));
}

TEST_CASE("sim/authority: a set that does not fit is left out with TC, and whole over TCP",
          "[sim]") {
  ProbeQuery query;
  query.with_edns = false;
  CHECK(reply("big.example.", RRType::txt, query) ==
        "status: NOERROR\n;; flags: qr aa tc; QUERY: 1, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 0\n");
  query.transport = siskin::runtime::Transport::tcp;
  CHECK(reply("big.example.", RRType::txt, query)
            .starts_with("status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 7, AUTHORITY: 0, "
                         "ADDITIONAL: 0\n"));
  query = ProbeQuery{};
  CHECK(reply("big.example.", RRType::txt, query)
            .starts_with("status: NOERROR\n;; flags: qr aa; QUERY: 1, ANSWER: 7, AUTHORITY: 0, "
                         "ADDITIONAL: 1\n"));
}
