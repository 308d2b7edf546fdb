#include "siskin/base/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/syslog_sink.h>

#include <array>

namespace siskin::log {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  constexpr std::array levels{spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                              spdlog::level::warn, spdlog::level::err};
  return levels[static_cast<std::size_t>(level)];
}

spdlog::sink_ptr make_sink(const std::string& target) {
  if (target == "stderr") return std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  if (target == "syslog") {
    return std::make_shared<spdlog::sinks::syslog_sink_mt>("siskind", 0, LOG_DAEMON, true);
  }
  return std::make_shared<spdlog::sinks::basic_file_sink_mt>(target);
}

/// spdlog has no JSON formatter; this one escapes the message, which may quote names from outside.
class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& msg, spdlog::memory_buf_t& out) override {
    time_.format(msg, out);
    append(out, R"(,"message":")");
    for (const char c : msg.payload) escape(out, c);
    append(out, "\"}\n");
  }

  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }

 private:
  static void append(spdlog::memory_buf_t& out, std::string_view text) {
    out.append(text.data(), text.data() + text.size());
  }

  static void escape(spdlog::memory_buf_t& out, char c) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      append(out, fmt::format("\\u{:04x}", static_cast<unsigned char>(c)));
    } else {
      out.push_back(c);
    }
  }

  spdlog::pattern_formatter time_{R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l")",
                                  spdlog::pattern_time_type::local, ""};
};

}  // namespace

Result<void> configure(const Options& options) {
  try {
    auto logger = std::make_shared<spdlog::logger>("siskind", make_sink(options.target));
    logger->set_level(spdlog_level(options.level));
    logger->flush_on(spdlog::level::info);
    if (options.format == Format::json) {
      logger->set_formatter(std::make_unique<JsonFormatter>());
    } else {
      logger->set_pattern(options.target == "syslog" ? "%v" : "%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    }
    spdlog::set_default_logger(std::move(logger));
  } catch (const spdlog::spdlog_ex& failure) {
    return Error{Errc::io, "log target \"" + options.target + "\": " + failure.what()};
  }
  return {};
}

}  // namespace siskin::log
