#include "serve/chaos.hpp"

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::wire::Rcode;
using siskin::wire::RRClass;
using siskin::wire::RRType;

namespace {

QuerySpec chaos(const std::string& asked, RRType type = RRType::txt) {
  QuerySpec spec;
  spec.name = asked;
  spec.type = type;
  spec.klass = RRClass::ch;
  return spec;
}

WorldOptions knowing(const std::string& version, const std::string& identity) {
  WorldOptions options;
  options.frontend.version = version;
  options.frontend.identity = identity;
  return options;
}

}  // namespace

TEST_CASE("serve/chaos: version and identity are told as configured", "[serve]") {
  World w(knowing("siskin 0.1", "resolver-7"));
  const RRType type = GENERATE(RRType::txt, RRType::any);
  CHECK(w.ask(chaos("version.bind.", type)).answer == Lines{"version.bind. 0 CH TXT siskin 0.1"});
  CHECK(w.ask(chaos("VERSION.server.", type)).answer ==
        Lines{"VERSION.server. 0 CH TXT siskin 0.1"});
  CHECK(w.ask(chaos("id.server.", type)).answer == Lines{"id.server. 0 CH TXT resolver-7"});
  CHECK(w.ask(chaos("hostname.bind.", type)).answer == Lines{"hostname.bind. 0 CH TXT resolver-7"});
  CHECK(w.ask(chaos("id.server.", type)).question == "id.server. CH " + to_string(type));
}

TEST_CASE("serve/chaos: what is not configured is refused", "[serve]") {
  World no_version(knowing("", "resolver-7"));
  CHECK(no_version.ask(chaos("version.bind.")).rcode == Rcode::refused);
  CHECK(no_version.ask(chaos("version.server.")).rcode == Rcode::refused);
  CHECK(no_version.ask(chaos("id.server.")).rcode == Rcode::noerror);
  World no_identity(knowing("siskin 0.1", ""));
  CHECK(no_identity.ask(chaos("id.server.")).rcode == Rcode::refused);
  CHECK(no_identity.ask(chaos("hostname.bind.")).rcode == Rcode::refused);
  CHECK(no_identity.ask(chaos("version.bind.")).rcode == Rcode::noerror);
}

TEST_CASE("serve/chaos: other names and types are refused, and nobody is asked", "[serve]") {
  World w(knowing("siskin 0.1", "resolver-7"));
  for (const char* asked : {".", "bind.", "authors.bind.", "x.version.bind.", "www.example."}) {
    CAPTURE(asked);
    CHECK(w.ask(chaos(asked)).rcode == Rcode::refused);
    CHECK(w.ask(chaos(asked)).answer.empty());
  }
  CHECK(w.ask(chaos("version.bind.", RRType::a)).rcode == Rcode::refused);
  CHECK(w.questions_asked() == 0);
}

TEST_CASE("serve/chaos: a text of over 255 octets is told in parts", "[serve]") {
  World w(knowing("siskin", std::string(300, 'x')));
  const Reply reply = w.ask(chaos("id.server."));
  CHECK(reply.answer == Lines{"id.server. 0 CH TXT (302)"});
}
