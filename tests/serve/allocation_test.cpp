// The hit path takes nothing from the heap: operator new is counted in this test program.
// ThreadSanitizer brings an operator new of its own that cannot be replaced.
#if !__has_feature(thread_sanitizer)

#include <atomic>
#include <cstdlib>
#include <new>

#include "serve/world.hpp"
#include "support/catch.hpp"

namespace {

// Replacing operator new leaves no other place than this for the count.
std::atomic<std::size_t> allocations{0};  // NOLINT(*-avoid-non-const-global-variables)

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}

// The analyzer takes what happens inside a delete for a second one.
// NOLINTBEGIN(clang-analyzer-cplusplus.NewDelete)
void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
// NOLINTEND(clang-analyzer-cplusplus.NewDelete)

using namespace siskin::serve::test;
using siskin::cache::Kind;
using siskin::wire::RRClass;
using siskin::wire::RRType;
namespace flag = siskin::wire::flag;

namespace {

struct Row {
  const char* what;
  QuerySpec spec;
};

QuerySpec asking(const char* name, RRType type, std::uint16_t flags = flag::rd) {
  QuerySpec spec;
  spec.name = name;
  spec.type = type;
  spec.flags = flags;
  spec.opts = {OptSpec{}};
  return spec;
}

QuerySpec in_class(QuerySpec spec, RRClass klass) {
  spec.klass = klass;
  return spec;
}

std::vector<Row> rows() {
  QuerySpec badvers = asking("www.example.", RRType::a);
  badvers.opts[0].version = 1;
  return {{"a set", asking("www.example.", RRType::a)},
          {"a set, RD clear", asking("www.example.", RRType::a, 0)},
          {"aliases", asking("alias.example.", RRType::a)},
          {"no data", asking("www.example.", RRType::aaaa)},
          {"no name", asking("no.example.", RRType::a)},
          {"ANY", asking("www.example.", RRType::any)},
          {"not in the cache, RD clear", asking("new.example.", RRType::a, 0)},
          {"a meta type", asking("www.example.", RRType::axfr)},
          {"version.bind", in_class(asking("version.bind.", RRType::txt), RRClass::ch)},
          {"another class", in_class(asking("www.example.", RRType::a), RRClass::hs)},
          {"BADVERS", badvers},
          {"NOTIMP", asking("www.example.", RRType::a, 0x2000)}};
}

std::size_t allocations_of_handle(World& world, const Octets& message) {
  Octets buffer(4096);
  siskin::runtime::ReplyTicket ticket;
  ticket.client.address = siskin::IpAddress::v4(192, 0, 2, 53);
  const std::size_t before = allocations;
  const auto outcome = world.frontends[0]->handle(message, siskin::runtime::Transport::udp, ticket,
                                                  world.sink, buffer);
  const std::size_t after = allocations;
  CHECK(outcome.done == World::Done::replied);
  return after - before;
}

}  // namespace

TEST_CASE("serve/frontend: replies that need no fetch take nothing from the heap", "[serve]") {
  WorldOptions options;
  options.frontend.version = "siskin 0.1, a text too long for a small string";
  World world(options);
  world.keep(with_signature(a_set("www.example.", 300, {"192.0.2.1", "192.0.2.2"})));
  world.keep(cname_set("alias.example.", 300, "other.example."));
  world.keep(cname_set("other.example.", 300, "www.example."));
  world.keep_negative("www.example.", RRType::aaaa, Kind::nodata, soa_set("example.", 60));
  world.keep_negative("no.example.", siskin::cache::kNameSlot, Kind::nxdomain,
                      soa_set("example.", 60));
  for (const Row& row : rows()) {
    CAPTURE(row.what);
    CHECK(allocations_of_handle(world, query(row.spec)) == 0);
  }
  CHECK(allocations > 0);  // it does count
}

TEST_CASE("serve/frontend: nor do they where client subnet is on", "[serve]") {
  WorldOptions options;
  options.subnets.emplace();
  options.subnets->accept_from = {siskin::Network::from_text("192.0.2.53/32").value()};
  World world(options);
  world.keep_for("203.0.113.0/24", a_set("www.example.", 300, {"192.0.2.1"}));
  QuerySpec spec = asking("www.example.", RRType::a);
  spec.opts[0].options = {0, 8, 0, 7, 0, 1, 24, 0, 203, 0, 113};
  CHECK(allocations_of_handle(world, query(spec)) == 0);
  spec.opts[0].options[6] = 8;  // bits beyond the prefix: FORMERR
  CHECK(allocations_of_handle(world, query(spec)) == 0);
}

#endif
