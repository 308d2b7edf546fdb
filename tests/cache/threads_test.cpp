#include <atomic>
#include <thread>

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

/// The value of key `i` in its `version`: as many records as version says, all telling i.
Value versioned(unsigned i, unsigned version) {
  Value value;
  value.ttl = 100;
  wire::RRset& set = value.answer.emplace_back();
  set.owner = name("k" + std::to_string(i) + ".example.");
  set.type = RRType::a;
  for (unsigned n = 0; n <= version % 8; ++n)
    set.records.add(address(static_cast<std::uint8_t>(i)));
  return value;
}

/// Whether all records tell the key they were stored under.
bool belongs(const Value& value, unsigned i) {
  const wire::RecordList& records = value.answer.front().records;
  return records.count() <= 8 && std::all_of(records.begin(), records.end(), [i](wire::Bytes r) {
           return r.size() == 4 && r[3] == static_cast<std::uint8_t>(i);
         });
}

/// Half of the operations are of one subnet or another.
const Network* any_subnet(unsigned draw) {
  static const std::array kSubnets{Network::from_text("10.0.0.0/8").value(),
                                   Network::from_text("10.1.0.0/16").value(),
                                   Network::from_text("10.1.2.0/24").value()};
  const unsigned choice = draw / 7 % 6;
  return choice < kSubnets.size() ? &kSubnets[choice] : nullptr;
}

bool renders(const Cache& cache, const wire::Name& key, unsigned i, Instant now,
             const Network* subnet) {
  std::array<std::uint8_t, 512> buffer;
  wire::MessageWriter out(buffer, buffer.size(), 0);
  out.begin(1, 0);
  out.question(key.wire(), RRType::a, wire::RRClass::in);
  const Cache::Hint hint = cache.expect(key.wire(), RRType::a);
  cache.fetch(hint);
  const Rendered rendered =
      cache.render(key.wire(), RRType::a, now, {.subnet = subnet, .hint = hint}, out);
  if (!rendered.found) return true;
  const wire::Bytes message = out.finish(wire::Rcode::noerror, nullptr);
  return rendered.fits && out.count(wire::Section::answer) >= 1 &&
         message.back() == static_cast<std::uint8_t>(i);
}

/// One thread's mix of operations; false once something is wrong.
bool churn(Cache& cache, unsigned thread, unsigned steps) {
  std::uint64_t state = thread + 1;
  for (unsigned step = 0; step < steps; ++step) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto draw = static_cast<unsigned>(state >> 33);
    const unsigned i = draw % 600;
    const wire::Name key = name("k" + std::to_string(i) + ".example.");
    const Instant now = at(step / 50);
    const Network* const subnet = any_subnet(draw);
    if (draw / 600 % 10 < 4) {
      if (!cache.store(key, RRType::a, versioned(i, step), now, subnet)) return false;
    } else if (draw / 600 % 10 < 6) {
      const auto found = cache.find(key, RRType::a, now, subnet);
      if (found && !belongs(*found, i)) return false;
    } else if (draw / 600 % 10 < 9) {
      if (!renders(cache, key, i, now, subnet)) return false;
    } else {
      cache.remove(key, RRType::a);
    }
    if (step % 512 == 0 && cache.usage().bytes > 30'000) return false;
    if (step % 3000 == 2999 && thread == 0) cache.clear();
    if (step % 64 == 63 && thread == 1) cache.repack(4);
    if (step % 500 == 499 && thread == 2) cache.set_bytes_max(step % 1000 == 999 ? 30'000 : 20'000);
  }
  return true;
}

TEST_CASE("cache/threads: readers, writers and eviction at once see whole entries", "[cache]") {
  Cache::Options options;
  options.bytes_max = 30'000;  // about half of what the keys need
  options.shards = 2;
  options.hash_key = {5, 6};
  Cache cache(options);
  std::atomic<unsigned> sound = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache, &sound, thread] {
      if (churn(cache, thread, 6000)) ++sound;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(sound == 4);
  CHECK(cache.usage().evictions > 0);
  CHECK(cache.recount().bytes == cache.usage().bytes);
}

}  // namespace
}  // namespace siskin::cache::test
