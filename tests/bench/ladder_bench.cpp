/// The ladder: the conventional layout of a DNS cache, then five changes one at a time, then ours,
/// each on the same sets (cache_mix.hpp) and each in a file of its own, ladder_N_*.hpp.
///   build/bench/tests/siskin_bench --benchmark_filter=ladder
/// Before look-ups are timed, each step's replies are held against ours, octet by octet.
#include <benchmark/benchmark.h>

#include <memory>

#include "bench/cache_mix.hpp"
#include "bench/ladder_0_conventional.hpp"
#include "bench/ladder_1_exact.hpp"
#include "bench/ladder_2_one_list.hpp"
#include "bench/ladder_3_owners.hpp"
#include "bench/ladder_4_own_size.hpp"
#include "bench/ladder_5_wire.hpp"
#include "bench/ladder_6_ours.hpp"
#include "bench/measure.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::cache::bench {
namespace {

constexpr Instant kStored{std::chrono::seconds(1000)};
constexpr Instant kAsked{std::chrono::seconds(1100)};
constexpr std::uint64_t kCompared = 2'000;  ///< samples whose replies are held against ours

/// Types and sections that the mix has not, so that no layout is tailored to it.
constexpr std::string_view kOddSets = R"(
$ORIGIN odd.example.
$TTL 86400
mail   MX    10 mx1.mail
       MX    20 mx2.other.example.
host   NS    ns1.host
alias  CNAME www.elsewhere.example.
phone  NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .
signed A     192.0.2.1
       A     192.0.2.2
       RRSIG A 13 3 86400 20300101000000 20260101000000 12345 odd.example. c2lnbmF0dXJl
strange TYPE65280 \# 4 0a0b0c0d
)";
constexpr std::string_view kOddAuthority = R"(
example. 3600 SOA ns1.example. hostmaster.example. 1 1800 900 604800 3600
example. 3600 RRSIG SOA 13 1 3600 20300101000000 20260101000000 12345 example. c2lnbmF0dXJl
a.example. 3600 NSEC z.example. A RRSIG NSEC
)";

std::vector<Learnt> odd_values() {
  std::vector<Learnt> made;
  for (const wire::RRset& set : text::parse_zone(kOddSets).value()) {
    made.push_back({set.owner, set.type, {Kind::positive, set.ttl, {set}, {}, {}, {}}});
  }
  const auto authority = text::parse_zone(kOddAuthority).value();
  const wire::Name missing = wire::Name::from_text("missing.example.").value();
  made.push_back({missing, wire::RRType::a, {Kind::nodata, 3600, {}, authority, {}, {}}});
  made.push_back({missing, kNameSlot, {Kind::nxdomain, 3600, {}, authority, {}, {}}});
  made.push_back({missing, kDelegationSlot, {Kind::delegation, 3600, {}, authority, {}, {}}});
  return made;
}

using Reply = std::array<std::uint8_t, 1232>;

template <class Step>
wire::Bytes ask(const Step& step, wire::Bytes name, wire::RRType type, bool dnssec_ok,
                Reply& buffer) {
  wire::MessageWriter out(buffer, buffer.size(), 0);
  out.begin(0, 0x8180);
  out.question(name, type, wire::RRClass::in);
  if (!step.render(name, type, kAsked, dnssec_ok, out)) return {};
  return out.finish(wire::Rcode::noerror, nullptr);
}

/// Aborts unless every compared reply of `step` is what ours says.
template <class Step>
void check_replies(Step& step, std::uint64_t sets) {
  std::vector<Learnt> compared = odd_values();
  for (const Learnt& odd : compared) step.store(odd.name, odd.type, odd.value, kStored);
  const std::uint64_t stride = std::max<std::uint64_t>(1, sets / kCompared);
  for (std::uint64_t i = 0; i < sets; i += stride) compared.push_back(Mix::learnt(i));

  Ours ours;
  for (const auto& [name, type, value] : compared) {
    SISKIN_CHECK(ours.store(name, type, value, kStored));
    for (const bool dnssec_ok : {false, true}) {
      Reply expected;
      Reply got;
      const wire::Bytes wanted = ask(ours, name.wire(), type, dnssec_ok, expected);
      SISKIN_CHECK(!wanted.empty());
      SISKIN_CHECK(std::ranges::equal(ask(step, name.wire(), type, dnssec_ok, got), wanted));
    }
  }
}

template <class Step>
void fill(Step& step, std::uint64_t sets, LeastTimes& times) {
  store_all(sets, times, [&step](const auto& name, wire::RRType type, const Value& value) {
    step.store(name, type, value, kStored);
  });
}

template <class Step>
void ask_each(const Step& step, std::span<const Sample> questions, LeastTimes& times) {
  Reply buffer;
  std::size_t found = 0;
  ask_all(questions, times, [&](const Sample& question) {
    const wire::Bytes reply = ask(step, question.name(), question.type, false, buffer);
    benchmark::DoNotOptimize(reply.data());
    if (!reply.empty()) ++found;
  });
  SISKIN_CHECK(found == questions.size());
}

template <class Step>
void ladder(benchmark::State& state) {
  const auto sets = static_cast<std::uint64_t>(state.range(0));
  const auto number = static_cast<double>(sets);
  const std::vector<Sample> questions = shuffled_questions(sets);
  for (auto _ : state) {
    LeastTimes storing;
    LeastTimes asking;
    for (int run = 0; run < LeastTimes::kRuns; ++run) {
      const HeapUse before = heap_use();
      const auto step = std::make_unique<Step>();
      fill(*step, sets, storing);
      const HeapUse after = heap_use();
      state.counters["bytes_an_entry"] = static_cast<double>(after.bytes - before.bytes) / number;
      state.counters["allocations_an_entry"] =
          static_cast<double>(after.allocations - before.allocations) / number;
      check_replies(*step, sets);
      ask_each(*step, questions, asking);
    }
    state.counters["inserts_a_second"] = number / storing.seconds();
    state.counters["render_ns"] = asking.seconds() / number * 1e9;
  }
}

void shape(benchmark::internal::Benchmark* step) {
  step->Arg(2'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->Iterations(1);
}

BENCHMARK(ladder<LadderMap<Conventional>>)->Name("ladder/0_conventional")->Apply(shape);
BENCHMARK(ladder<LadderMap<ExactSizes>>)->Name("ladder/1_exact_sizes")->Apply(shape);
BENCHMARK(ladder<LadderMap<OneList>>)->Name("ladder/2_one_list")->Apply(shape);
BENCHMARK(ladder<LadderMap<Owners>>)->Name("ladder/3_owner_if_other")->Apply(shape);
BENCHMARK(ladder<LadderMap<OwnSizes>>)->Name("ladder/4_own_size")->Apply(shape);
BENCHMARK(ladder<LadderMap<WireForm>>)->Name("ladder/5_wire_form")->Apply(shape);
BENCHMARK(ladder<Ours>)->Name("ladder/6_ours")->Apply(shape);

}  // namespace
}  // namespace siskin::cache::bench
