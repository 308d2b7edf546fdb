#include "serve/admit.hpp"

#include "support/catch.hpp"

using siskin::serve::Admission;
using siskin::serve::admit;
using siskin::serve::Step;
using siskin::wire::Ede;
using siskin::wire::QueryVerdict;
using siskin::wire::QueryView;
using siskin::wire::Rcode;
using siskin::wire::RRClass;
using siskin::wire::RRType;

namespace {

QueryView view(RRType type, RRClass klass = RRClass::in,
               std::uint16_t flags = siskin::wire::flag::rd) {
  QueryView query;
  query.flags = flags;
  query.type = type;
  query.klass = klass;
  return query;
}

}  // namespace

TEST_CASE("serve/admit: what cannot be read is answered by its verdict, whoever asks", "[serve]") {
  const bool allowed = GENERATE(true, false);
  const QueryView query = view(RRType::a);
  CHECK(admit(QueryVerdict::drop, query, allowed) == Admission{Step::drop, Rcode::noerror, {}});
  CHECK(admit(QueryVerdict::formerr, query, allowed) == Admission{Step::error, Rcode::formerr, {}});
  CHECK(admit(QueryVerdict::notimp, query, allowed) == Admission{Step::error, Rcode::notimp, {}});
  CHECK(admit(QueryVerdict::badvers, query, allowed) == Admission{Step::error, Rcode::badvers, {}});
}

TEST_CASE("serve/admit: strangers are refused, whatever they ask", "[serve]") {
  const RRType type = GENERATE(RRType::a, RRType::any, RRType::axfr, RRType::txt);
  const RRClass klass = GENERATE(RRClass::in, RRClass::ch, RRClass::any);
  CHECK(admit(QueryVerdict::accept, view(type, klass), false) ==
        Admission{Step::error, Rcode::refused, Ede::prohibited});
}

TEST_CASE("serve/admit: classes other than IN and CH are refused", "[serve]") {
  const auto klass =
      GENERATE(RRClass::hs, RRClass::none, RRClass::any, RRClass{0}, RRClass{2}, RRClass{65535});
  CHECK(admit(QueryVerdict::accept, view(RRType::a, klass), true) ==
        Admission{Step::error, Rcode::refused, Ede::not_supported});
}

TEST_CASE("serve/admit: class CH is for TXT and ANY", "[serve]") {
  const auto step = [](RRType type) {
    return admit(QueryVerdict::accept, view(type, RRClass::ch), true);
  };
  CHECK(step(RRType::txt).step == Step::chaos);
  CHECK(step(RRType::any).step == Step::chaos);
  CHECK(step(RRType::a) == Admission{Step::error, Rcode::refused, {}});
  CHECK(step(RRType::axfr) == Admission{Step::error, Rcode::refused, {}});
}

TEST_CASE("serve/admit: fault A89: zone transfers are refused, other meta types not implemented",
          "[serve]") {
  const auto of = [](RRType type) { return admit(QueryVerdict::accept, view(type), true); };
  for (const RRType type : {RRType::axfr, RRType::ixfr}) {
    CHECK(of(type) == Admission{Step::error, Rcode::refused, Ede::not_supported});
  }
  for (const RRType type : {RRType::none, RRType::opt, RRType::tsig, RRType::tkey, RRType::maila,
                            RRType::mailb, RRType{128}, RRType{200}, RRType{248}}) {
    CAPTURE(static_cast<int>(type));
    CHECK(of(type) == Admission{Step::error, Rcode::notimp, Ede::not_supported});
  }
  CHECK(of(RRType::any).step == Step::minimal_any);
  for (const RRType type :
       {RRType::rrsig, RRType::nsec3, RRType{127}, RRType{256}, RRType{65535}}) {
    CAPTURE(static_cast<int>(type));
    CHECK(of(type) == Admission{Step::resolve, Rcode::noerror, {}});
  }
}

TEST_CASE("serve/admit: without RD only the cache is looked into", "[serve]") {
  CHECK(admit(QueryVerdict::accept, view(RRType::a, RRClass::in, 0), true).step ==
        Step::from_cache);
  CHECK(admit(QueryVerdict::accept, view(RRType::any, RRClass::in, 0), true).step ==
        Step::minimal_any);
}
