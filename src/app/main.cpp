#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/daemon.hpp"
#include "app/settings.hpp"
#include "siskin/base/log.hpp"
#include "siskin/config/load.hpp"
#include "siskin/config/machine.hpp"
#include "siskin/config/print.hpp"
#include "siskin/stats/metrics.hpp"

namespace {

constexpr const char* kDefaultConfig = "/etc/siskin/siskin.toml";

struct CommandLine {
  std::string config = kDefaultConfig;
  bool check = false;
  bool print = false;
  bool print_reference = false;
  bool print_metrics = false;
  bool config_given = false;
};

/// An exit status when there is nothing left to do.
std::optional<int> parse(int argc, char** argv, CommandLine& line) {
  CLI::App cli{"siskind, a recursive DNS resolver", "siskind"};
  CLI::Option* config = cli.add_option("-c,--config", line.config, "the TOML file to read")
                            ->type_name("FILE")
                            ->capture_default_str();
  cli.add_flag("--check-config", line.check, "check the file and exit: 0 right, 1 wrong");
  cli.add_flag("--print-config", line.print,
               "print the effective configuration and where each value comes from");
  cli.add_flag("--print-config-reference", line.print_reference,
               "print what every key means, as Markdown");
  cli.add_flag("--print-metrics-reference", line.print_metrics,
               "print what is counted, as Markdown");
  cli.set_version_flag("--version", "siskind " SISKIN_VERSION);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    return cli.exit(stop) == 0 ? 0 : 1;
  }
  line.config_given = config->count() > 0;
  return std::nullopt;
}

int complain(const std::vector<siskin::config::Diagnostic>& diagnostics) {
  for (const auto& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", to_string(diagnostic).c_str());
  }
  return 1;
}

siskin::config::Outcome load(const CommandLine& line) {
  // Somebody who only wants to see the defaults needs no file.
  if (line.print && !line.config_given && !std::filesystem::exists(line.config)) {
    return siskin::config::defaults();
  }
  return siskin::config::load_file(line.config, siskin::config::machine_memory());
}

int check(const CommandLine& line, const siskin::config::Loaded& loaded) {
  if (auto r = siskin::app::check_files(loaded.config); !r) {
    std::fprintf(stderr, "%s\n", r.error().detail.c_str());
    return 1;
  }
  for (const auto& warning : loaded.warnings) {
    std::printf("warning: %s\n", to_string(warning).c_str());
  }
  std::printf("%s: the configuration is right\n", line.config.c_str());
  return 0;
}

int serve(const siskin::config::Config& config) {
  namespace log = siskin::log;
  log::Options options;
  options.level = config.log.level;
  options.format = config.log.format;
  options.target = config.log.target;
  if (auto r = log::configure(options); !r) {
    std::fprintf(stderr, "siskind: %s\n", r.error().detail.c_str());
    return 1;
  }
  if (auto r = siskin::app::run_daemon(config); !r) {
    log::error("{}", r.error().detail);
    return 1;
  }
  return 0;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): memory that cannot be had, which ends the process
int main(int argc, char** argv) {
  CommandLine line;
  if (const auto status = parse(argc, argv, line)) return *status;
  if (line.print_reference) {
    std::fputs(siskin::config::reference_page().c_str(), stdout);
    return 0;
  }
  if (line.print_metrics) {
    std::fputs(siskin::stats::metrics_page().c_str(), stdout);
    return 0;
  }
  const auto loaded = load(line);
  if (!loaded) return complain(loaded.error());
  if (line.check) return check(line, *loaded);
  if (line.print) {
    std::fputs(siskin::config::print_config(*loaded).c_str(), stdout);
    return 0;
  }
  return serve(loaded->config);
}
