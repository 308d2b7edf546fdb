#include "siskin/text/root_hints.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "support/catch.hpp"

using siskin::IpAddress;
using siskin::text::parse_root_hints;
using siskin::text::read_root_hints;
using siskin::text::RootHints;
using siskin::wire::Name;

namespace {

/// A file that goes away with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const int descriptor = ::mkstemp(path_.data());
    REQUIRE(descriptor >= 0);
    ::close(descriptor);
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "siskin-hints-XXXXXX";
};

}  // namespace

TEST_CASE("text/root_hints: only addresses of the root's servers are taken", "[text]") {
  const auto hints = parse_root_hints(
      ". 3600000 NS A.ROOT.TEST.\n"
      "a.root.test. 3600000 A 192.0.2.1\n"
      "a.root.test. 3600000 AAAA 2001:db8::1\n"
      "other.test. 3600000 A 192.0.2.66\n"
      "test. NS b.root.test.\n"
      "b.root.test. A 192.0.2.67\n"
      "a.root.test. TXT \"hello\"\n",
      "here");
  REQUIRE(hints.has_value());
  const Name a = *Name::from_text("a.root.test.");
  CHECK(*hints ==
        RootHints{{a, IpAddress::v4(192, 0, 2, 1)}, {a, *IpAddress::from_text("2001:db8::1")}});
}

TEST_CASE("text/root_hints: errors name the source and, where there is one, the line", "[text]") {
  CHECK(to_string(parse_root_hints("\n. NS a.\n. A 1.2.3\n", "named.root").error()) ==
        "malformed: named.root:3: Syntax error, could not parse the RR's rdata");
  CHECK(to_string(parse_root_hints("a. A 192.0.2.1\n", "named.root").error()) ==
        "malformed: named.root: no NS record of the root");
  CHECK(to_string(parse_root_hints("", "named.root").error()) ==
        "malformed: named.root: no NS record of the root");
  CHECK(to_string(parse_root_hints(". NS a.\nb. A 192.0.2.1\n", "named.root").error()) ==
        "malformed: named.root: no A or AAAA record of a server that an NS of the root names");
}

TEST_CASE("text/root_hints: files are read, missing and huge ones refused", "[text]") {
  const TemporaryFile good(". NS a.\na. A 192.0.2.1\n");
  const auto hints = read_root_hints(good.path());
  REQUIRE(hints.has_value());
  CHECK(hints->size() == 1);

  CHECK(to_string(read_root_hints("no/such/file").error()) ==
        "input/output error: no/such/file: No such file or directory");
  const auto directory = read_root_hints(".");
  REQUIRE_FALSE(directory.has_value());
  CHECK(to_string(directory.error()) == "input/output error: .: Is a directory");

  const std::string line = ". NS a.\n; ";
  const TemporaryFile largest(line + "\na. A 192.0.2.1\n;" +
                              std::string(siskin::text::kRootHintsBytesMax - 27, 'x'));
  CHECK(read_root_hints(largest.path()).has_value());
  const TemporaryFile huge(std::string(siskin::text::kRootHintsBytesMax + 1, '\n'));
  CHECK(to_string(read_root_hints(huge.path()).error()) ==
        "too long: " + huge.path() + ": over 1048576 octets");
}

TEST_CASE("text/root_hints: thirteen servers with both families are built in", "[text]") {
  const RootHints hints = siskin::text::builtin_root_hints();
  CHECK(hints.size() == 26);
  const Name b = *Name::from_text("b.root-servers.net.");
  CHECK(std::ranges::count(hints, std::pair(b, IpAddress::v4(170, 247, 170, 2))) == 1);
  CHECK(std::ranges::count(hints, std::pair(b, *IpAddress::from_text("2801:1b8:10::b"))) == 1);
}

TEST_CASE("text/root_hints: the built-in hints equal Debian's dns-root-data", "[text]") {
  const std::string path = "/usr/share/dns/root.hints";
  if (::access(path.c_str(), R_OK) != 0) {
    WARN(path << " is not installed");
    return;
  }
  auto debian = read_root_hints(path);
  REQUIRE(debian.has_value());
  RootHints builtin = siskin::text::builtin_root_hints();
  std::ranges::sort(*debian);
  std::ranges::sort(builtin);
  CHECK(builtin == *debian);
}
