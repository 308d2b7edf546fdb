#include "config/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "config/words.hpp"

namespace siskin::config {

Report::Report(std::string_view file) : file_(printable(file)) {}

void Report::add(Position at, std::string_view key, const Complaint& complaint) {
  std::string message = fmt::format("{}, {} expected", complaint.wrong, complaint.expected);
  if (!complaint.meant.empty()) message += fmt::format(", did you mean {}?", complaint.meant);
  add(at, key, std::move(message));
}

void Report::add(Position at, std::string_view key, std::string message) {
  diagnostics_.push_back({file_, at.line, at.column, std::string(key), std::move(message)});
}

std::vector<Diagnostic> Report::take() {
  std::ranges::sort(diagnostics_, {}, [](const Diagnostic& d) {
    return std::tie(d.line, d.column, d.key, d.message);
  });
  return std::move(diagnostics_);
}

std::string to_string(const Diagnostic& d) {
  std::string out = d.file;
  if (d.line > 0) out += fmt::format(":{}:{}", d.line, d.column);
  out += ": ";
  if (!d.key.empty()) out += d.key + ": ";
  return out + d.message;
}

}  // namespace siskin::config
