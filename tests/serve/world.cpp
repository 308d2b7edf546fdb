#include "serve/world.hpp"

#include "support/catch.hpp"

namespace siskin::serve::test {
namespace {

cache::Cache::Options cache_options() {
  cache::Cache::Options options;
  options.bytes_max = 4U << 20;
  options.shards = 2;
  options.hash_key = {1, 2};
  return options;
}

policy::AccessList access_list(const std::vector<std::string>& texts) {
  std::vector<Network> networks;
  for (const std::string& text : texts) networks.push_back(*Network::from_text(text));
  return policy::AccessList(networks);
}

}  // namespace

void FakeRandom::fill(std::span<std::uint8_t> out) noexcept {
  for (std::uint8_t& octet : out) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    octet = static_cast<std::uint8_t>(state_ >> 56);
  }
}

runtime::Task<resolve::Outcome> FakeQuestioner::resolve(resolve::Question question) {
  asked.push_back(question);
  if (at_once) co_return *at_once;
  waiting_.push_back(std::make_unique<runtime::OneShot<resolve::Outcome>>());
  runtime::OneShot<resolve::Outcome>& end = *waiting_.back();
  resolve::Outcome outcome = co_await end.wait();
  co_return outcome;
}

void FakeQuestioner::answer(resolve::Outcome outcome) {
  REQUIRE_FALSE(waiting_.empty());
  const auto end = std::move(waiting_.front());
  waiting_.pop_front();
  end->complete(std::move(outcome));
}

void FakeCrew::post(unsigned, std::function<void()> work) {
  if (at_once) return work();
  work_.push_back(std::move(work));
}

bool FakeCrew::run_one() {
  if (work_.empty()) return false;
  const auto work = std::move(work_.front());
  work_.pop_front();
  work();
  return true;
}

World::World(const WorldOptions& options)
    : cache(cache_options()), access(access_list(options.allow)) {
  if (options.subnets) subnets.emplace(*options.subnets);
  for (unsigned core = 0; core < options.cores; ++core) {
    questioners.push_back(std::make_unique<FakeQuestioner>());
    fetches.push_back(
        std::make_unique<Fetches>(*questioners.back(), io.get_executor(), options.fetches));
    crew.add(*fetches.back());
  }
  for (unsigned core = 0; core < options.cores; ++core) {
    const Frontend::Context context{cache, access, clock,   random,
                                    crew,  core,   {7, 11}, subnets ? &*subnets : nullptr};
    frontends.push_back(std::make_unique<Frontend>(context, options.frontend));
  }
}

runtime::QueryHandler::Outcome World::handle(const Octets& message, const Asking& asking) {
  const bool is_tcp = asking.transport == runtime::Transport::tcp;
  buffer_.assign(is_tcp ? 65535 : 4096, 0xee);
  buffer_.shrink_to_fit();
  runtime::ReplyTicket ticket;
  ticket.client = {*IpAddress::from_text(asking.client), asking.port};
  const auto outcome =
      frontends[asking.core]->handle(message, asking.transport, ticket, sink, buffer_);
  last_size_ = outcome.reply_size;
  return outcome;
}

Reply World::ask(const QuerySpec& spec, const Asking& asking) {
  REQUIRE(handle(query(spec), asking).done == Done::replied);
  return last_reply();
}

Reply World::ask_tcp(const QuerySpec& spec) {
  Asking asking;
  asking.transport = runtime::Transport::tcp;
  return ask(spec, asking);
}

void World::run() {
  do {
    io.restart();
    io.poll();
  } while (crew.run_one());
}

void World::keep(const wire::RRset& set) {
  cache::Value value;
  value.ttl = set.ttl;
  value.answer = {set};
  REQUIRE(cache.store(set.owner, set.type, value, clock.now()));
}

void World::keep_for(const std::string& network, const wire::RRset& set) {
  const Network subnet = *Network::from_text(network);
  cache::Value value;
  value.ttl = set.ttl;
  value.answer = {set};
  REQUIRE(cache.store(set.owner, set.type, value, clock.now(), &subnet));
}

void World::keep_negative(const std::string& text, wire::RRType type, cache::Kind kind,
                          const wire::RRset& soa) {
  cache::Value value;
  value.kind = kind;
  value.ttl = soa.ttl;
  value.authority = {soa};
  REQUIRE(cache.store(name(text), type, value, clock.now()));
}

void World::keep_failure(const std::string& text, wire::RRType type, wire::ExtendedError error) {
  cache::Value value;
  value.kind = cache::Kind::failure;
  value.ttl = 5;
  value.error = std::move(error);
  REQUIRE(cache.store(name(text), type, value, clock.now()));
}

std::size_t World::questions_asked() const {
  std::size_t count = 0;
  for (const auto& questioner : questioners) count += questioner->asked.size();
  return count;
}

FakeQuestioner& World::asked() {
  FakeQuestioner* found = nullptr;
  for (const auto& questioner : questioners) {
    if (questioner->asked.empty()) continue;
    REQUIRE(found == nullptr);
    found = questioner.get();
  }
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace siskin::serve::test
