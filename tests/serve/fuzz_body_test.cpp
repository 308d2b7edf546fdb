#include "serve/fuzz_body.hpp"

#include "serve/messages.hpp"
#include "support/catch.hpp"

using siskin::runtime::Transport;
using siskin::serve::fuzz::Target;
using siskin::wire::RRClass;
using siskin::wire::RRType;
using namespace siskin::serve::test;

TEST_CASE("serve/fuzz: the fuzz target's promises hold for good queries of every kind", "[serve]") {
  Target target;
  const Transport transport = GENERATE(Transport::udp, Transport::tcp);
  for (const char* asked : {"a.", "B.", "c.", "unknown.example.", "version.bind.", "."}) {
    for (const RRType type : {RRType::a, RRType::txt, RRType::any, RRType::axfr, RRType::cname}) {
      for (const RRClass klass : {RRClass::in, RRClass::ch, RRClass::hs}) {
        for (const std::uint16_t flags :
             std::initializer_list<std::uint16_t>{0, 0x100, 0x110, 0x2800}) {
          QuerySpec spec{asked, type, klass, 77, flags, {}};
          target.check(query(spec), transport);
          spec.opts = {OptSpec{512, 0, kDnssecOk, {}}};
          target.check(query(spec), transport);
          spec.opts[0].options = {0, 8, 0, 7, 0, 1, 24, 0, 203, 0, 113};
          target.check(query(spec), transport);
        }
      }
    }
  }
  SUCCEED("no promise was broken");
}
