#include "sim/probe.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

#include "siskin/text/print.hpp"
#include "siskin/wire/writer.hpp"

namespace siskin::sim {

using Message = std::vector<std::uint8_t>;

namespace {

/// Says what it was told to, and keeps what it saw.
class ScriptedFilter final : public runtime::ReplyFilter {
 public:
  ScriptedFilter(const std::vector<runtime::ReplyVerdict>& verdicts, std::vector<Message>& judged)
      : verdicts_(verdicts), judged_(judged) {}

  runtime::ReplyVerdict judge(std::span<const std::uint8_t> message) override {
    judged_.emplace_back(message.begin(), message.end());
    const std::size_t number = judged_.size() - 1;
    return number < verdicts_.size() ? verdicts_[number] : runtime::ReplyVerdict::take;
  }

 private:
  const std::vector<runtime::ReplyVerdict>& verdicts_;
  std::vector<Message>& judged_;
};

}  // namespace

std::vector<std::uint8_t> encode_query(std::string_view name, wire::RRType type,
                                       const ProbeQuery& query) {
  Message buffer(512);
  const wire::ClientSubnet* subnet = query.subnet ? &*query.subnet : nullptr;
  wire::MessageWriter out(buffer, buffer.size(), wire::MessageWriter::opt_size(nullptr, subnet));
  out.begin(query.id, query.flags);
  out.question(wire::Name::from_text(name).value().wire(), type, wire::RRClass::in);
  const wire::MessageWriter::Opt opt{query.udp_size, query.dnssec_ok, nullptr, subnet};
  const wire::Bytes message = out.finish(wire::Rcode::noerror, query.with_edns ? &opt : nullptr);
  return {message.begin(), message.end()};
}

Result<Message> Probe::ask(std::string_view server, std::string_view name, wire::RRType type,
                           const ProbeQuery& query) {
  judged_.clear();
  const Message message = encode_query(name, type, query);
  const Endpoint endpoint{IpAddress::from_text(server).value(), 53};
  ScriptedFilter filter(query.verdicts, judged_);
  runtime::Recall recall;
  std::optional<Result<Message>> result;
  boost::asio::co_spawn(time_.io().get_executor(),
                        upstream_.exchange(endpoint, query.transport, message, filter,
                                           time_.now() + query.patience, recall),
                        [&](std::exception_ptr error, Result<Message> got) {
                          if (error) std::rethrow_exception(error);
                          result = std::move(got);
                        });
  time_.run_until([&] { return result.has_value(); });
  if (!result) throw std::runtime_error("the exchange never ended");
  return std::move(*result);
}

std::string Probe::answer(std::string_view server, std::string_view name, wire::RRType type,
                          const ProbeQuery& query) {
  const auto message = ask(server, name, type, query);
  return message ? text::print_message(*message) : to_string(message.error());
}

}  // namespace siskin::sim
