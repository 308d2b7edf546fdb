#include "siskin/serve/frontend.hpp"

#include <algorithm>
#include <utility>

#include "serve/admit.hpp"
#include "serve/chaos.hpp"
#include "serve/client_subnet.hpp"
#include "serve/hints.hpp"
#include "serve/hit.hpp"
#include "serve/minimal_any.hpp"
#include "serve/owner.hpp"
#include "serve/renewals.hpp"
#include "serve/reply.hpp"
#include "serve/waiters.hpp"
#include "siskin/base/check.hpp"

namespace siskin::serve {
namespace {

using runtime::QueryHandler;

/// As QueryHandler promises: header, question and OPT always fit.
constexpr std::size_t kReplySizeMin = 4096;

/// One query while handle() runs.
struct Call {
  Request request;
  const runtime::ReplyTicket& ticket;
  runtime::ReplySink& sink;
  std::span<std::uint8_t> reply;
};

QueryHandler::Outcome replied(std::size_t size) noexcept {
  return {QueryHandler::Done::replied, size};
}

QueryHandler::Outcome reply_with(const Call& call, wire::Rcode rcode,
                                 const wire::ExtendedError* error) noexcept {
  return replied(write_error(call.request, rcode, error, call.reply));
}

/// An error without words: those that a client can cause at will allocate nothing.
QueryHandler::Outcome refuse(const Call& call, wire::Rcode rcode,
                             std::optional<wire::Ede> reason) noexcept {
  if (!reason) return reply_with(call, rcode, nullptr);
  const wire::ExtendedError error{*reason, {}};
  return reply_with(call, rcode, &error);
}

resolve::Question question_of(const Request& request) {
  resolve::Question question{wire::Name::from_valid_wire(request.name).lowered(), request.type};
  if (request.subnet) question.subnet = request.subnet->network;
  question.checking_disabled = !request.must_be_checked;
  return question;
}

resolve::Outcome shutting_down() {
  resolve::Outcome outcome;
  outcome.rcode = wire::Rcode::servfail;
  outcome.error = wire::ExtendedError{wire::Ede::not_ready, "shutting down"};
  return outcome;
}

/// Brings `question` to the core that owns it, and the outcome back to the waiter's core.
struct Errand {
  Crew* crew;
  unsigned home;
  unsigned owner;
  std::weak_ptr<Waiters> waiters;  ///< looked into on the home core only
  Waiters::Id id;

  void run(const resolve::Question& question) const {
    crew->post(owner, [errand = *this, question] {
      errand.crew->fetches(errand.owner).join(question, [errand](SharedOutcome outcome) {
        errand.bring_home(std::move(outcome));
      });
    });
  }

  void bring_home(SharedOutcome outcome) const {
    crew->post(home, [weak = waiters, waiter = id, outcome = std::move(outcome)] {
      if (const auto alive = weak.lock()) alive->deliver(waiter, outcome);
    });
  }
};

}  // namespace

struct Frontend::Impl {
  Impl(const Context& given, const Options& options)
      : context(given),
        udp_size(std::max(options.udp_size_max, wire::kUdpSizeMin)),
        pending_max(options.pending_max),
        chaos(options.version, options.identity),
        renew_below(options.renew_below),
        validation(options.validation),
        rotation(given.random.u64()),
        waiters(std::make_shared<Waiters>(options.pending_max, Rotation(given.random.u64()))) {}

  QueryHandler::Outcome step(const Admission& admission, const Call& call);
  QueryHandler::Outcome resolve(const Call& call, bool may_ask);
  QueryHandler::Outcome miss(const Call& call);
  void renew(const Request& request, Instant now);

  const Context context;
  const std::uint16_t udp_size;
  const std::size_t pending_max;
  const Chaos chaos;
  const std::uint32_t renew_below;
  const bool validation;
  Rotation rotation;
  Renewals renewals;
  Hints hints;
  bool stopping = false;
  std::shared_ptr<Waiters> waiters;
};

QueryHandler::Outcome Frontend::Impl::step(const Admission& admission, const Call& call) {
  switch (admission.step) {
    case Step::drop: break;
    case Step::error: return refuse(call, admission.rcode, admission.reason);
    case Step::chaos: return replied(chaos.write(call.request, call.reply));
    case Step::minimal_any: return replied(write_minimal_any(call.request, call.reply));
    case Step::from_cache: return resolve(call, false);
    case Step::resolve: return resolve(call, true);
  }
  return {};
}

QueryHandler::Outcome Frontend::Impl::resolve(const Call& call, bool may_ask) {
  const Instant now = context.clock.now();
  const auto hit = answer_from_cache(call.request, context.cache, now, rotation.next(), call.reply);
  if (hit) {
    if (hit->seconds_left <= renew_below && may_ask) [[unlikely]]
      renew(call.request, now);
    return replied(hit->size);
  }
  // RFC 8914 §4.21: what is not in the cache would have to be asked for (fault A91).
  if (!may_ask) return refuse(call, wire::Rcode::refused, wire::Ede::not_authoritative);
  return miss(call);
}

/// Asks for what was just told, since it soon expires; nobody waits for that.
void Frontend::Impl::renew(const Request& request, Instant now) {
  if (stopping) return;
  resolve::Question question = question_of(request);
  question.renew_below = renew_below;
  question.checking_disabled = !validation;
  const wire::Bytes name = question.name.wire();
  const auto type = static_cast<std::uint64_t>(request.type);
  if (!renewals.take(siphash13(context.owner_key, name) + type, now)) return;
  const unsigned owner = owner_of(name, request.type, context.owner_key, context.crew.size());
  context.crew.post(
      owner, [crew = &context.crew, owner, question] { crew->fetches(owner).renew(question); });
}

QueryHandler::Outcome Frontend::Impl::miss(const Call& call) {
  if (stopping) return replied(write_outcome(call.request, shutting_down(), 0, call.reply));
  const auto id = waiters->add(call.request, call.ticket, call.sink);
  if (!id) {
    const wire::ExtendedError error{wire::Ede::other,
                                    std::to_string(pending_max) + " queries wait already"};
    return reply_with(call, wire::Rcode::servfail, &error);
  }
  const wire::Bytes name = call.request.name;
  const unsigned owner = owner_of(name, call.request.type, context.owner_key, context.crew.size());
  Errand{&context.crew, context.core, owner, waiters, *id}.run(question_of(call.request));
  // A limit, or a resolver that needed nobody, may have ended the fetch already.
  const SharedOutcome early = waiters->enter();
  if (!early) return {QueryHandler::Done::pending, 0};
  return replied(write_outcome(call.request, *early, rotation.next(), call.reply));
}

Frontend::Frontend(const Context& context, const Options& options)
    : impl_(std::make_unique<Impl>(context, options)) {}

Frontend::~Frontend() = default;

void Frontend::expect(std::span<const std::span<const std::uint8_t>> queries) noexcept {
  impl_->hints.make(impl_->context.cache, queries);
}

QueryHandler::Outcome Frontend::handle(std::span<const std::uint8_t> message,
                                       runtime::Transport transport,
                                       const runtime::ReplyTicket& ticket, runtime::ReplySink& sink,
                                       std::span<std::uint8_t> reply) {
  SISKIN_CHECK(reply.size() >= kReplySizeMin);
  wire::QueryView query;
  const wire::QueryVerdict verdict = wire::parse_query(message, query);
  Admission admission = admit(verdict, query, impl_->context.access.allows(ticket.client.address));
  if (admission.step == Step::drop) return {};
  Call call{request_of(query, transport, impl_->udp_size), ticket, sink, reply};
  call.request.must_be_checked = impl_->validation && !call.request.has_cd();
  const policy::ClientSubnets* subnets = impl_->context.subnets;
  if (subnets != nullptr && admission.step != Step::error &&
      !take_subnet(*subnets, ticket.client.address, query, call.request)) {
    admission = {Step::error, wire::Rcode::formerr, {}};
  }
  call.request.hint = impl_->hints.take(message);
  return impl_->step(admission, call);
}

std::size_t Frontend::pending() const noexcept {
  return impl_->waiters->size();
}

void Frontend::fail_pending() {
  impl_->stopping = true;
  impl_->waiters->deliver_to_all(shutting_down());
}

}  // namespace siskin::serve
