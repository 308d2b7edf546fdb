#include "scenarios/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "scenarios/config_parser.hpp"
#include "scenarios/entry_parser.hpp"

namespace siskin::scenarios {
namespace {

struct StepWord {
  const char* word;
  StepType type;
};

constexpr std::array<StepWord, 11> kStepWords{{{"QUERY", StepType::query},
                                               {"CHECK_ANSWER", StepType::check_answer},
                                               {"ANSWER", StepType::check_answer},
                                               {"CHECK_OUT_QUERY", StepType::check_out_query},
                                               {"REPLY", StepType::reply},
                                               {"TIMEOUT", StepType::timeout},
                                               {"ERROR", StepType::error},
                                               {"NOTHING", StepType::nothing},
                                               {"TRAFFIC", StepType::traffic},
                                               {"TIME_PASSES", StepType::time_passes},
                                               {"FLUSH_MESSAGE", StepType::flush_message}}};

/// Known to the peer, not carried out here.
constexpr std::array kForeignSteps{"ASSIGN", "CHECK_AUTOTRUST", "CHECK_TEMPFILE", "INFRA_RTT",
                                   "EXPIRE_MESSAGE"};

bool needs_entry(StepType type) {
  return type == StepType::query || type == StepType::check_answer ||
         type == StepType::check_out_query || type == StepType::reply;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& path)
      : lines_(text, path), entries_(lines_, scenario_) {
    scenario_.path = path;
  }

  Scenario run() {
    parse_config(lines_, scenario_);
    if (!advance() || words_[0] != "SCENARIO_BEGIN") lines_.fail("expected SCENARIO_BEGIN");
    scenario_.title = lines_.text().substr(std::min<std::size_t>(lines_.text().size(), 15));
    bool is_read = false;
    while (!is_read && advance()) is_read = take_part();
    if (!is_read) lines_.fail("expected SCENARIO_END");
    if (!scenario_.steps.empty()) check_entry(scenario_.steps.back());
    return std::move(scenario_);
  }

 private:
  bool advance() {
    if (!lines_.next()) return false;
    words_ = lines_.words();
    return true;
  }

  /// True at the end of the scenario.
  bool take_part() {
    if (words_[0] == "SCENARIO_END") return true;
    if (words_[0] == "RANGE_BEGIN") {
      take_range();
    } else if (words_[0] == "STEP") {
      take_step();
    } else if (words_[0] == "ENTRY_BEGIN") {
      take_entry_of_step();
    } else if (words_[0] == "FILE_BEGIN") {
      skip_file();
    } else if (!entries_.take_directive()) {
      lines_.fail("expected RANGE_BEGIN, STEP or SCENARIO_END, got " + words_[0]);
    }
    return false;
  }

  unsigned number_at(std::size_t i, const char* what) {
    unsigned value = 0;
    if (i < words_.size()) {
      const std::string& word = words_[i];
      const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
      if (end.ec == std::errc() && end.ptr == word.data() + word.size()) return value;
    }
    lines_.fail(fmt::format("expected {}", what));
  }

  IpAddress address_at(std::size_t i) {
    if (i >= words_.size()) lines_.fail("expected an address");
    const std::string text = words_[i].substr(0, words_[i].find('@'));
    const auto address = IpAddress::from_text(text);
    if (!address) lines_.fail("expected an address, got " + words_[i]);
    return *address;
  }

  void take_addresses(Range& range, std::size_t from) {
    for (std::size_t i = from; i < words_.size(); ++i) range.addresses.push_back(address_at(i));
  }

  void take_range() {
    Range range;
    range.line = lines_.number();
    range.first = number_at(1, "the first step of the range");
    range.last = number_at(2, "the last step of the range");
    if (words_.size() > 3 && words_[3] == "ADDRESS") take_addresses(range, 4);
    while (advance()) {
      if (words_[0] == "RANGE_END") {
        scenario_.ranges.push_back(std::move(range));
        return;
      }
      if (words_[0] == "ADDRESS") {
        if (words_.size() < 2) lines_.fail("expected an address");
        take_addresses(range, 1);
      } else if (words_[0] == "ENTRY_BEGIN") {
        range.entries.push_back(entries_.read());
      } else if (!entries_.take_directive()) {
        lines_.fail("expected ADDRESS, ENTRY_BEGIN or RANGE_END, got " + words_[0]);
      }
    }
    lines_.fail_at(range.line, "expected RANGE_END for this RANGE_BEGIN");
  }

  void take_step() {
    Step step;
    step.line = lines_.number();
    step.number = number_at(1, "the number of the step");
    if (!scenario_.steps.empty()) {
      check_entry(scenario_.steps.back());
      if (step.number <= scenario_.steps.back().number) {
        lines_.fail("expected a step number higher than the one before");
      }
    }
    if (words_.size() < 3) lines_.fail("expected the type of the step");
    const auto* known = std::ranges::find(kStepWords, words_[2], &StepWord::word);
    if (known != kStepWords.end()) {
      step.type = known->type;
      take_arguments(step);
    } else if (std::ranges::find(kForeignSteps, words_[2]) != kForeignSteps.end()) {
      scenario_.lacks.push_back("STEP " + words_[2]);
    } else {
      lines_.fail("expected the type of the step, got " + words_[2]);
    }
    scenario_.steps.push_back(std::move(step));
  }

  void take_arguments(Step& step) {
    if (step.type == StepType::time_passes) return take_elapse(step);
    if (step.type == StepType::flush_message) return take_flush(step);
    if (words_.size() == 3) return;
    if (words_[3] != "ADDRESS") lines_.fail("expected ADDRESS, got " + words_[3]);
    step.address = address_at(4);
  }

  void take_elapse(Step& step) {
    if (words_.size() > 3 && words_[3] == "EVAL") {
      scenario_.lacks.push_back("TIME_PASSES EVAL");
      return;
    }
    if (words_.size() != 5 || words_[3] != "ELAPSE") lines_.fail("expected ELAPSE and seconds");
    double seconds = 0;
    const std::string& word = words_[4];
    const auto end = std::from_chars(word.data(), word.data() + word.size(), seconds);
    if (end.ec != std::errc() || end.ptr != word.data() + word.size() || seconds < 0) {
      lines_.fail("expected seconds, got " + word);
    }
    step.elapse = std::chrono::milliseconds(std::llround(seconds * 1000));
  }

  void take_flush(Step& step) {
    if (words_.size() < 5) lines_.fail("expected name, type and class");
    const auto name = wire::Name::from_text(words_[3]);
    const auto type = wire::rrtype_from_text(words_[4]);
    if (!name || !type) lines_.fail("expected name, type and class");
    step.question = Question{*name, *type, wire::RRClass::in};
  }

  void take_entry_of_step() {
    if (scenario_.steps.empty()) lines_.fail("expected a RANGE_BEGIN or STEP before ENTRY_BEGIN");
    Step& step = scenario_.steps.back();
    if (step.entry) lines_.fail("expected one entry in a step");
    step.entry = entries_.read();
    const bool is_empty = step.entry->message.questions.empty() && !step.entry->raw;
    if (step.type == StepType::query && is_empty) {
      lines_.fail_at(step.line, "expected a question or octets in the entry of a query");
    }
  }

  void check_entry(const Step& step) const {
    if (needs_entry(step.type) && !step.entry) {
      lines_.fail_at(step.line, "expected an entry for this step");
    }
  }

  void skip_file() {
    const std::size_t began = lines_.number();
    while (advance() && words_[0] != "FILE_END") {
    }
    if (lines_.text() != "FILE_END") lines_.fail_at(began, "expected FILE_END");
  }

  Lines lines_;
  Scenario scenario_;
  EntryParser entries_;
  std::vector<std::string> words_;
};

}  // namespace

const char* to_string(StepType type) noexcept {
  const auto* at = std::ranges::find(kStepWords, type, &StepWord::type);
  return at == kStepWords.end() ? "?" : at->word;
}

Scenario parse_scenario(std::string_view text, const std::string& path) {
  return Parser(text, path).run();
}

Scenario read_scenario(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || !text) throw ScriptError(path + ":1: expected a readable file");
  return parse_scenario(text.str(), path);
}

}  // namespace siskin::scenarios
