/// The simulator's signed zones, looked at by the tools of others: what our own validator accepts
/// would say little if the signer had the same mistakes.
#include "sim/signer.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace siskin::sim {
namespace {

struct Ran {
  int status = -1;
  std::string output;
};

Ran run(const std::string& command) {
  Ran ran;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 512> part{};
  while (std::fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
    ran.output += part.data();
  }
  ran.status = pclose(pipe);
  return ran;
}

/// A file that is gone with the scope.
class ZoneFile {
 public:
  explicit ZoneFile(const std::string& text) {
    std::string path = std::filesystem::temp_directory_path() / "siskin-zone.XXXXXX";
    const int file = mkstemp(path.data());
    REQUIRE(file >= 0);
    close(file);
    path_ = path;
    std::ofstream(path_) << text;
  }
  ~ZoneFile() { std::filesystem::remove(path_); }
  ZoneFile(const ZoneFile&) = delete;
  ZoneFile& operator=(const ZoneFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

bool is_there(const std::string& program) {
  if (run("command -v " + program).status == 0) return true;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
  if (std::getenv("SISKIN_TESTS_SKIP_NOTHING") != nullptr) FAIL("no " + program);
  return false;
}

/// All that a denial has to get right.
constexpr std::string_view kText = R"(
$TTL 3600
@           NS ns
@           MX 10 Mail.EXAMPLE.
ns          A 192.0.2.2
Mail        A 192.0.2.3
mail        AAAA 2001:db8::3
a.b.c       A 192.0.2.81
*.wild      TXT "w" "second"
*.a.wild    A 192.0.2.82
old         DNAME good
alias       CNAME www.good
_x._tcp     SRV 1 2 3 Mail
good        NS ns.good
ns.good     A 192.0.2.4
plain       NS ns.plain
ns.plain    A 192.0.2.5
deep.er     NS ns.plain
\001.bin    A 192.0.2.6
)";

/// Valid whenever the test is run.
SignOptions always() {
  SignOptions options;
  options.inception = 1'600'000'000;
  options.expiration = 2'140'000'000;
  return options;
}

std::vector<SignOptions> all_ways() {
  std::vector<SignOptions> ways(4, always());
  ways[1].nsec3 = true;
  ways[2].nsec3 = ways[2].opt_out = true;
  ways[3].nsec3 = true;
  ways[3].iterations = 20;
  return ways;
}

std::string signed_zone(const SignOptions& options) {
  return sign("example.", std::string(kText) + ds_line("good.example."), options);
}

}  // namespace

TEST_CASE("sim/signer: what it signs, ldns-verify-zone accepts", "[sim]") {
  if (!is_there("ldns-verify-zone")) return;
  for (const SignOptions& options : all_ways()) {
    const ZoneFile file(signed_zone(options));
    const Ran ran = run("ldns-verify-zone " + file.path());
    CAPTURE(options.nsec3, options.opt_out, options.iterations, ran.output);
    CHECK(ran.status == 0);
  }
}

TEST_CASE("sim/signer: what it signs, dnssec-verify accepts", "[sim]") {
  if (!is_there("dnssec-verify")) return;
  for (const SignOptions& options : all_ways()) {
    const ZoneFile file(signed_zone(options));
    // -z: one key does everything.
    const Ran ran = run("dnssec-verify -z -o example. " + file.path());
    CAPTURE(options.nsec3, options.opt_out, options.iterations, ran.output);
    CHECK(ran.status == 0);
  }
}

TEST_CASE("sim/signer: what is spoilt, both refuse", "[sim]") {
  if (!is_there("ldns-verify-zone") || !is_there("dnssec-verify")) return;
  SignOptions expired = always();
  expired.expiration = 1'610'000'000;
  const ZoneFile file(signed_zone(expired));
  CHECK(run("ldns-verify-zone " + file.path()).status != 0);
  CHECK(run("dnssec-verify -z -o example. " + file.path()).status != 0);
}

}  // namespace siskin::sim
