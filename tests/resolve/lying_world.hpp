/// A zone whose servers say what a fuzzer makes them say, below an honest root and beside an honest
/// zone: whatever they say, nobody else's names change.
///
///   .          20.0.0.1   refers to both, knows nothing else
///   honest.    20.0.0.2   www.honest. A 30.0.0.1, and nothing else
///   lies.      20.0.0.3   the fuzzer's, as is every other address
#pragma once

#include "resolve/core_rig.hpp"
#include "resolve/lying_message.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::resolve::fuzz {

class LyingUpstream final : public runtime::Upstream {
 public:
  LyingUpstream(Choices& choices, test::ManualClock& clock) : choices_(choices), clock_(clock) {}

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& /*recall*/) override {
    ++exchanges;
    co_return play({server, transport, {query.begin(), query.end()}, clock_.now(), deadline},
                   filter);
  }

  std::size_t exchanges = 0;

 private:
  static constexpr int kMessagesMax = 3;  ///< of one exchange

  Result<std::vector<std::uint8_t>> play(const test::Seen& seen, runtime::ReplyFilter& filter) {
    clock_.advance(std::chrono::milliseconds(1));
    const std::string server = seen.server.address.to_text();
    for (int i = 0; i < kMessagesMax; ++i) {
      Octets message;
      if (server == "20.0.0.1") {
        message = of_root(seen);
      } else if (server == "20.0.0.2") {
        message = of_honest(seen);
      } else {
        if (choices_.is_over()) break;
        if (choices_.one_in(16)) return Error{Errc::unreachable, ""};
        message = lie(seen);
      }
      switch (filter.judge(message)) {
        case runtime::ReplyVerdict::take: return message;
        case runtime::ReplyVerdict::give_up: return Error{Errc::spoof_suspected, ""};
        case runtime::ReplyVerdict::ignore: break;
      }
    }
    clock_.set(std::max(clock_.now(), seen.deadline));
    return Error{Errc::timeout, ""};
  }

  Octets lie(const test::Seen& seen) {
    static const std::array kNames{
        test::name("lies."),         test::name("a.lies."),     test::name("b.a.lies."),
        test::name("ns.lies."),      test::name("*.lies."),     test::name("www.honest."),
        test::name("honest."),       test::name("."),           test::name("com."),
        test::name("ns.honest."),    test::name("new.honest."), test::name("a.root-servers.net."),
        test::name("x.y.z.a.lies."), test::name("c.b.a.lies."), test::name("elsewhere.")};
    static const std::array kAddresses{test::ip("20.0.0.3"),  test::ip("20.0.0.4"),
                                       test::ip("20.0.0.1"),  test::ip("20.0.0.2"),
                                       test::ip("127.0.0.1"), test::ip("66.6.6.6")};
    const wire::QueryView query = seen.view();
    return LyingMessage(choices_, query, kNames, kAddresses).make();
  }

  static Octets of_root(const test::Seen& seen) {
    const Name asked = Name::from_valid_wire(seen.view().name);
    for (const auto& [zone, address] : {std::pair{"honest.", "20.0.0.2"}, {"lies.", "20.0.0.3"}}) {
      if (!asked.is_at_or_below(test::name(zone))) continue;
      const std::string ns = std::string("ns.") + zone;
      return reply(seen, 0x8000, {}, {record(zone, RRType::ns, octets_of_name(ns))},
                   {record(ns, RRType::a, octets_of_address(address))});
    }
    return reply(seen, 0x8403, {}, {record(".", RRType::soa, soa())}, {});
  }

  static Octets of_honest(const test::Seen& seen) {
    const Name asked = Name::from_valid_wire(seen.view().name);
    if (!asked.is_at_or_below(test::name("honest."))) return reply(seen, 0x8005, {}, {}, {});
    const bool exists = asked == test::name("www.honest.") || asked == test::name("honest.");
    if (asked == test::name("www.honest.") && seen.view().type == RRType::a) {
      const Octets address = octets_of_address("30.0.0.1");
      return reply(seen, 0x8400, {record("www.honest.", RRType::a, address)}, {}, {});
    }
    return reply(seen, exists ? 0x8400 : 0x8403, {}, {record("honest.", RRType::soa, soa())}, {});
  }

  static Octets octets_of_name(const std::string& text) {
    const Name name = test::name(text);
    return {name.wire().begin(), name.wire().end()};
  }
  static Octets octets_of_address(const char* text) {
    const IpAddress address = test::ip(text);
    return {address.octets().begin(), address.octets().end()};
  }
  static Octets soa() {
    Octets soa(22, 0);
    for (std::size_t i = 5; i < soa.size(); i += 4) soa[i] = 60;
    return soa;
  }
  static Octets record(const std::string& owner, RRType type, const Octets& rdata) {
    using test::operator+;
    return octets_of_name(owner) + test::u16_octets(static_cast<std::size_t>(type)) +
           test::u16_octets(1) + Octets{0, 0, 1, 0} + test::u16_octets(rdata.size()) + rdata;
  }
  static Octets reply(const test::Seen& seen, std::uint16_t flags,
                      const std::vector<Octets>& answer, const std::vector<Octets>& authority,
                      const std::vector<Octets>& additional) {
    using test::operator+;
    const wire::QueryView query = seen.view();
    Octets out = test::u16_octets(query.id) + test::u16_octets(flags) + test::u16_octets(1) +
                 test::u16_octets(answer.size()) + test::u16_octets(authority.size()) +
                 test::u16_octets(additional.size());
    out.insert(out.end(), query.name.begin(), query.name.end());
    out = out + test::u16_octets(static_cast<std::size_t>(query.type)) + test::u16_octets(1);
    for (const auto* section : {&answer, &authority, &additional}) {
      for (const Octets& one : *section) out = out + one;
    }
    return out;
  }

  Choices& choices_;
  test::ManualClock& clock_;
};

/// A resolver in that world, and what must hold in it.
class LyingWorld {
 public:
  explicit LyingWorld(Bytes choices)
      : choices_(choices),
        upstream_(choices_, clock_),
        resolver_({cache_, upstream_, clock_, random_, timers_}, options()) {}

  /// Asks for something of the liars, then for what they have no say in.  The first outcome.
  Outcome run() {
    static const std::array kNames{test::name("a.lies."), test::name("lies."),
                                   test::name("c.b.a.lies."), test::name("www.honest.")};
    static const std::array kTypes{RRType::a,  RRType::aaaa,  RRType::mx,
                                   RRType::ns, RRType::cname, RRType::ds};
    Outcome first;
    for (int i = 0; i < 2; ++i) {
      const Question question{choices_.of(kNames), choices_.of(kTypes)};
      Outcome outcome = resolve(question);
      check_outcome(question, outcome);
      if (i == 0) first = std::move(outcome);
    }
    check_honest_zone();
    cache_.recount();
    return first;
  }

 private:
  static Options options() {
    Options options;
    options.root_hints = {{test::name("a.root-servers.net."), test::ip("20.0.0.1")}};
    options.priming = false;
    options.ipv6 = false;
    return options;
  }

  static cache::Cache::Options cache_options() {
    cache::Cache::Options options;
    options.bytes_max = 1U << 20;
    options.shards = 1;
    return options;
  }

  Outcome resolve(const Question& question) {
    const std::size_t before = upstream_.exchanges;
    std::optional<Outcome> result;
    boost::asio::co_spawn(io_, resolver_.resolve(question),
                          [&](const std::exception_ptr& error, Outcome outcome) {
                            SISKIN_CHECK(!error);
                            result = std::move(outcome);
                          });
    io_.restart();
    io_.run();
    SISKIN_CHECK(result);
    SISKIN_CHECK(upstream_.exchanges - before <= options().limits.exchanges);
    return std::move(*result);
  }

  /// An answer is one chain from the question on, and nothing else.
  static void check_outcome(const Question& question, const Outcome& outcome) {
    Name at = question.name;
    bool is_ended = false;
    for (const wire::RRset& set : outcome.answer) {
      SISKIN_CHECK(!is_ended && !set.records.empty());
      if (set.type == RRType::dname && question.type != RRType::dname) {
        SISKIN_CHECK(at.is_below(set.owner));
        continue;
      }
      SISKIN_CHECK(set.owner == at);
      if (set.type == question.type) {
        is_ended = true;
      } else {
        SISKIN_CHECK(set.type == RRType::cname);
        at = wire::target_of(*set.records.begin()).value();
      }
    }
    SISKIN_CHECK(outcome.rcode != wire::Rcode::servfail || outcome.error);
  }

  void check_honest_zone() {
    const Instant now = clock_.now();
    SISKIN_CHECK(!cache_.find(test::name("com."), cache::kDelegationSlot, now));
    SISKIN_CHECK(!cache_.find(test::name("new.honest."), RRType::a, now));
    const auto known = cache_.find(test::name("honest."), cache::kDelegationSlot, now);
    if (known) {
      const Delegation honest = from_cache(test::name("honest."), *known);
      SISKIN_CHECK(honest.servers.size() == 1);
      SISKIN_CHECK(honest.servers[0].name == test::name("ns.honest."));
      SISKIN_CHECK(honest.servers[0].addresses == std::vector{test::ip("20.0.0.2")});
    }
    const Outcome outcome = resolve({test::name("www.honest."), RRType::a});
    SISKIN_CHECK(test::text_of(outcome.answer).ends_with("IN A 30.0.0.1"));
    SISKIN_CHECK(outcome.answer.size() == 1 && outcome.answer[0].records.count() == 1);
  }

  boost::asio::io_context io_{1};
  cache::Cache cache_{cache_options()};
  test::ManualClock clock_;
  test::SeededRandom random_;
  runtime::TimerQueue timers_;
  Choices choices_;
  LyingUpstream upstream_;
  Resolver resolver_;
};

}  // namespace siskin::resolve::fuzz
