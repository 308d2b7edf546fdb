/// Collects everything that is wrong with a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/document.hpp"
#include "siskin/config/load.hpp"

namespace siskin::config {

/// What is wrong with one value.  `meant` may be empty.
struct Complaint {
  Complaint() = default;
  Complaint(std::string what, std::string fits, std::string advice = {})
      : wrong(std::move(what)), expected(std::move(fits)), meant(std::move(advice)) {}

  std::string wrong;
  std::string expected;
  std::string meant;
};

class Report {
 public:
  explicit Report(std::string_view file);

  void add(Position at, std::string_view key, const Complaint& complaint);
  void add(Position at, std::string_view key, std::string message);
  bool is_empty() const noexcept { return diagnostics_.empty(); }
  /// In order of lines and columns.
  std::vector<Diagnostic> take();

 private:
  std::string file_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace siskin::config
