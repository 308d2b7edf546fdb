/// Fills a Config from a document and knows where each value stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"
#include "config/option.hpp"
#include "config/report.hpp"
#include "config/words.hpp"
#include "siskin/config/load.hpp"

namespace siskin::config {

/// In this order: apply_defaults(), apply(), check_pairs(), finish().
class Builder {
 public:
  Builder(std::string_view file, std::uint64_t machine_bytes)
      : machine_bytes_(machine_bytes), report_(file), rows_(options().size()) {
    loaded_.file = printable(file);
    loaded_.lines.resize(options().size());
  }

  void apply_defaults();
  void apply(const Node& root);
  /// What concerns two keys at once; after apply().
  void check_pairs();
  Report& report() noexcept { return report_; }
  Outcome finish() &&;

 private:
  struct Row {
    Position at;            ///< of the value in the file; line 0: default
    bool is_wrong = false;  ///< reported already
  };

  void apply_section(const Section& section, const Member& member);
  void apply_value(std::size_t row, const Node& node);
  void refuse_unknown_section(const Member& member);
  void refuse_unknown_key(const Section& section, const Member& member);
  /// The row of the two that stands later in the file, for an error about both; nothing where one
  /// is wrong in itself.
  std::optional<std::size_t> later_of(std::size_t one, std::size_t other) const;
  std::string place(std::size_t row) const;
  void check_ttls();
  void check_families();
  std::vector<Diagnostic> warnings() const;
  void refuse(std::size_t row, const Complaint& complaint) {
    report_.add(rows_[row].at, options()[row].name(), complaint);
  }

  std::uint64_t machine_bytes_;
  Loaded loaded_;
  Report report_;
  std::vector<Row> rows_;
};

}  // namespace siskin::config
