#include "sim/sim_frontend.hpp"

#include <boost/asio/post.hpp>
#include <stdexcept>

#include "sim/probe.hpp"
#include "siskin/text/print.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/header.hpp"

namespace siskin::sim {

using Message = std::vector<std::uint8_t>;

namespace {

constexpr std::size_t kReplyRoom = 0xffff;

std::optional<policy::ClientSubnets> subnets(const SimResolver::Settings& settings) {
  if (settings.resolve.subnet_zones.empty()) return std::nullopt;
  return policy::ClientSubnets(settings.subnets);
}

serve::Frontend::Options frontend_options(const SimResolver::Settings& settings) {
  serve::Frontend::Options options;
  options.renew_below = settings.renew_below;
  options.validation = !settings.resolve.validation.anchors.empty();
  return options;
}

std::optional<serve::Fetches::Stale> stale(const SimResolver::Settings& settings,
                                           VirtualTime& time) {
  if (settings.cache.stale_max == 0) return std::nullopt;
  return serve::Fetches::Stale{time.clock(), time.timers(), settings.stale_wait,
                               settings.stale_recheck};
}

/// The lines of a printed message between a section's title and the next comment.
std::vector<wire::RRset> section(const std::string& printed, const std::string& title) {
  const std::string mark = ";; " + title + " SECTION:\n";
  const auto at = printed.find(mark);
  if (at == std::string::npos) return {};
  const auto begin = at + mark.size();
  auto end = begin;
  while (end < printed.size() && printed[end] != ';') end = printed.find('\n', end) + 1;
  return text::parse_zone(printed.substr(begin, end - begin)).value();
}

}  // namespace

resolve::Outcome outcome_of(wire::Bytes reply, const resolve::Question& question,
                            std::uint16_t id) {
  wire::Reader reader(reply);
  const bool same_id = reader.u16() == id;
  const std::uint16_t flags = reader.u16();
  reader.skip(8);
  const bool same_name = reader.name() == question.name;
  const bool same_type = static_cast<wire::RRType>(reader.u16()) == question.type;
  const std::string printed = text::print_message(reply);
  if (!same_id || !same_name || !same_type || reader.failed() || !(flags & wire::flag::qr) ||
      printed.find(";; unreadable") != std::string::npos) {
    throw std::invalid_argument("not a reply to the query: " + printed);
  }
  resolve::Outcome outcome;
  outcome.rcode = static_cast<wire::Rcode>(wire::rcode_bits(flags));
  outcome.answer = section(printed, "ANSWER");
  outcome.authority = section(printed, "AUTHORITY");
  const std::string mark = "; EDE: ";
  if (const auto at = printed.find(mark); at != std::string::npos) {
    const int code = std::stoi(printed.substr(at + mark.size()));
    outcome.error = wire::ExtendedError{static_cast<wire::Ede>(code), ""};
  }
  return outcome;
}

std::string subnet_of(wire::Bytes reply) {
  wire::Reader reader(reply, 6);
  std::size_t records = reader.u16();
  records += reader.u16();
  records += reader.u16();
  reader.skip_name();
  reader.skip(4);
  for (; records > 0; --records) {
    reader.skip_name();
    const bool is_opt = static_cast<wire::RRType>(reader.u16()) == wire::RRType::opt;
    reader.skip(6);
    const wire::Bytes rdata = reader.bytes(reader.u16());
    if (!is_opt) continue;
    const auto option = wire::find_option(rdata, wire::EdnsOption::client_subnet);
    const auto subnet = option ? wire::ClientSubnet::parse(*option) : std::nullopt;
    if (subnet) return subnet->network().to_text() + " scope " + std::to_string(subnet->scope);
  }
  return {};
}

void SimFrontend::OneManCrew::post(unsigned, std::function<void()> work) {
  boost::asio::post(owner_.resolver_.time().io(), std::move(work));
}

void SimFrontend::Sink::send(const runtime::ReplyTicket& ticket,
                             std::span<const std::uint8_t> reply) {
  owner_.replies_[ticket.connection].emplace_back(reply.begin(), reply.end());
}

void SimFrontend::Sink::abandon(const runtime::ReplyTicket&) {}

SimFrontend::SimFrontend(const World& world, SimResolver::Settings settings)
    : access_({Network(), Network::from_text("::/0").value()}),
      subnets_(subnets(settings)),
      draws_(settings.seed ^ 0xf00d),
      resolver_(world, settings),
      fetches_(questioner_, resolver_.time().io().get_executor(),
               {4096, 1024, {settings.seed, settings.seed}}, stale(settings, resolver_.time())),
      frontend_({resolver_.cache(),
                 access_,
                 resolver_.time().clock(),
                 draws_,
                 crew_,
                 0,
                 {},
                 subnets_ ? &*subnets_ : nullptr},
                frontend_options(settings)) {}

SimFrontend::Ticket SimFrontend::send(std::string_view name, wire::RRType type,
                                      const ClientQuery& query) {
  return send(resolve::Question{wire::Name::from_text(name).value(), type}, query);
}

SimFrontend::Ticket SimFrontend::send(const resolve::Question& question, const ClientQuery& query) {
  ProbeQuery message;
  message.id = query.id;
  message.with_edns = query.with_edns;
  message.dnssec_ok = query.dnssec_ok;
  message.udp_size = query.udp_size;
  message.subnet = query.subnet;
  message.flags = wire::flag::rd;
  runtime::ReplyTicket ticket;
  ticket.client = {IpAddress::from_text(query.client).value(), 4000};
  ticket.connection = next_ticket_++;
  Message reply(kReplyRoom);
  const auto outcome =
      frontend_.handle(encode_query(question.name.to_text(), question.type, message),
                       query.transport, ticket, sink_, reply);
  const bool at_once = outcome.done == runtime::QueryHandler::Done::replied;
  hits_[ticket.connection] = at_once;
  if (at_once) {
    reply.resize(outcome.reply_size);
    replies_[ticket.connection].push_back(std::move(reply));
  }
  return ticket.connection;
}

Message SimFrontend::ask(const resolve::Question& question, const ClientQuery& query) {
  const Ticket ticket = send(question, query);
  resolver_.time().run_until([&] { return !replies(ticket).empty(); });
  if (replies(ticket).size() != 1) throw std::runtime_error("not one reply");
  return replies(ticket).front();
}

std::string SimFrontend::answer(std::string_view name, wire::RRType type,
                                const ClientQuery& query) {
  const resolve::Question question{wire::Name::from_text(name).value(), type};
  return to_text(outcome_of(ask(question, query), question, query.id));
}

}  // namespace siskin::sim
