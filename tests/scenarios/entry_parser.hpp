/// Entries of a scenario file: one message each, how to match it, how to change it.
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/lines.hpp"
#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

/// Reads entries one after the other; $ORIGIN, $TTL and the last owner stay in force for the rest
/// of the file.
class EntryParser {
 public:
  EntryParser(Lines& lines, Scenario& scenario) : lines_(lines), scenario_(scenario) {}

  /// The current line is ENTRY_BEGIN; reads up to and with ENTRY_END.
  Entry read();

  /// Takes $ORIGIN and $TTL; false for any other line.
  bool take_directive();

 private:
  bool take_words(const std::vector<std::string>& words);
  void take_match(const std::string& word);
  bool take_match_value(const std::string& word);
  void take_adjust(const std::string& word);
  void take_reply(const std::string& word);
  void take_section(const std::string& name);
  std::vector<std::uint8_t> read_hex(const char* end);
  void take_record();
  void take_question();
  std::optional<Record> parse_record(const std::string& text);
  void lack(const std::string& what);
  Opt& opt();

  Lines& lines_;
  Scenario& scenario_;
  Entry entry_;
  std::optional<wire::Section> section_;  ///< none: the question
  wire::Name origin_;
  std::uint32_t ttl_ = 3600;  ///< seconds
  std::string owner_;         ///< of the last record, as text
  std::string trouble_;       ///< of the last parse_record() that failed
};

}  // namespace siskin::scenarios
