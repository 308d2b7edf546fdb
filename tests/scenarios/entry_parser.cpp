#include "scenarios/entry_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "scenarios/disguised_record.hpp"
#include "scenarios/entry_words.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::scenarios {
namespace {

std::optional<unsigned> number_in(const std::string& text) {
  unsigned value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

Result<wire::Name> name_in(const std::string& text, const wire::Name& origin) {
  if (text == "@") return origin;
  const bool is_absolute = text.ends_with('.') && !text.ends_with("\\.");
  if (is_absolute || origin.is_root()) return wire::Name::from_text(text);
  return wire::Name::from_text(text + "." + origin.to_text());
}

}  // namespace

Entry EntryParser::read() {
  entry_ = Entry{};
  entry_.line = lines_.number();
  section_.reset();
  while (lines_.next()) {
    const std::vector<std::string> words = lines_.words();
    if (words[0] == "ENTRY_END") return std::move(entry_);
    if (words[0] == "ENTRY_BEGIN" || words[0] == "RANGE_END" || words[0] == "STEP" ||
        words[0] == "SCENARIO_END") {
      break;
    }
    if (!take_words(words) && !take_directive()) take_record();
  }
  lines_.fail_at(entry_.line, "expected ENTRY_END for this ENTRY_BEGIN");
}

bool EntryParser::take_words(const std::vector<std::string>& words) {
  const std::string& first = words[0];
  const auto each = [&](auto take) {
    std::for_each(words.begin() + 1, words.end(), take);
    return true;
  };
  if (first == "MATCH") return each([this](const std::string& word) { take_match(word); });
  if (first == "ADJUST") return each([this](const std::string& word) { take_adjust(word); });
  if (first == "REPLY" || first == "FLAGS") {
    return each([this](const std::string& word) { take_reply(word); });
  }
  if (first == "SECTION") {
    if (words.size() != 2) lines_.fail("expected SECTION and a name");
    take_section(words[1]);
  } else if (first == "HEX_ANSWER_BEGIN") {
    entry_.raw = read_hex("HEX_ANSWER_END");
  } else if (first == "HEX_EDNSDATA_BEGIN") {
    opt().options = read_hex("HEX_EDNSDATA_END");
  } else if (first == "EXTRA_PACKET") {
    lack("EXTRA_PACKET (streams of messages)");
  } else {
    return false;
  }
  return true;
}

void EntryParser::take_match(const std::string& word) {
  if (const auto member = match_flag(word)) {
    entry_.match.*(*member) = true;
  } else if (word == "UDP") {
    entry_.match.transport = runtime::Transport::udp;
  } else if (word == "TCP") {
    entry_.match.transport = runtime::Transport::tcp;
  } else if (word == "CO" || word.starts_with("serial=")) {
    lack("MATCH " + word);
  } else if (!take_match_value(word)) {
    lines_.fail("expected a word of MATCH, got " + word);
  }
}

bool EntryParser::take_match_value(const std::string& word) {
  if (word == "ede=any") {
    entry_.match.any_ede = true;
    return true;
  }
  if (!word.starts_with("ede=")) return false;
  const auto code = number_in(word.substr(4));
  if (!code || *code > 0xffff) lines_.fail("expected a number or any after ede=, got " + word);
  entry_.match.ede = static_cast<std::uint16_t>(*code);
  return true;
}

void EntryParser::take_adjust(const std::string& word) {
  Adjust& adjust = entry_.adjust;
  if (word == "copy_id" || word == "raw_id") {
    adjust.copy_id = true;
  } else if (word == "copy_query") {
    adjust.copy_query = true;
  } else if (word == "do_not_answer") {
    adjust.do_not_answer = true;
  } else if (word == "copy_ednsdata_assume_clientsubnet") {
    adjust.ecs_from_entry = true;
  } else if (word == "increment_ecs_scope") {
    adjust.increment_ecs_scope = true;
  } else if (word.starts_with("sleep=") || word.starts_with("packet_sleep=")) {
    lack("ADJUST " + word);
  } else {
    lines_.fail("expected a word of ADJUST, got " + word);
  }
}

void EntryParser::take_reply(const std::string& word) {
  if (word == "DO") {
    opt().dnssec_ok = true;
    return;
  }
  if (word == "CO") return lack("REPLY CO");
  const auto known = reply_word(word);
  if (!known) lines_.fail("expected a flag, an opcode or an RCODE, got " + word);
  if (known->kind == ReplyWord::Kind::rcode) {
    entry_.message.rcode = static_cast<wire::Rcode>(known->value);
  } else {
    entry_.message.flags |= known->value;
  }
}

void EntryParser::take_section(const std::string& name) {
  if (name == "QUESTION") {
    section_.reset();
  } else if (name == "ANSWER") {
    section_ = wire::Section::answer;
  } else if (name == "AUTHORITY") {
    section_ = wire::Section::authority;
  } else if (name == "ADDITIONAL") {
    section_ = wire::Section::additional;
  } else {
    lines_.fail("expected QUESTION, ANSWER, AUTHORITY or ADDITIONAL, got " + name);
  }
}

std::vector<std::uint8_t> EntryParser::read_hex(const char* end) {
  const std::size_t began = lines_.number();
  std::vector<std::uint8_t> octets;
  std::optional<std::uint8_t> half;
  while (lines_.next() && lines_.text() != end) {
    for (const char c : lines_.text()) {
      if (c == ' ' || c == '\t') continue;
      const auto digit = hex_digit(c);
      if (!digit) lines_.fail(fmt::format("expected a hexadecimal digit, got {}", c));
      if (half) octets.push_back(static_cast<std::uint8_t>(*half << 4 | *digit));
      half = half ? std::nullopt : digit;
    }
  }
  if (lines_.text() != end) lines_.fail_at(began, fmt::format("expected {}", end));
  if (half) lines_.fail("expected an even number of hexadecimal digits");
  return octets;
}

bool EntryParser::take_directive() {
  const std::vector<std::string> words = lines_.words();
  if (words[0] != "$ORIGIN" && words[0] != "$TTL") return false;
  if (words.size() != 2) lines_.fail("expected one value after " + words[0]);
  if (words[0] == "$ORIGIN") {
    const auto name = name_in(words[1], origin_);
    if (!name) lines_.fail("expected a name after $ORIGIN, got " + words[1]);
    origin_ = *name;
    return true;
  }
  const auto seconds = number_in(words[1]);
  if (!seconds) lines_.fail("expected seconds after $TTL, got " + words[1]);
  ttl_ = *seconds;
  return true;
}

void EntryParser::take_record() {
  if (section_) {
    const std::string first = lines_.words().front();
    const bool has_no_owner = lines_.is_indented() && (class_in(first) || number_in(first));
    const std::string line = (has_no_owner ? owner_ + " " : "") + lines_.text();
    auto record = parse_record(line);
    // Base64 without its padding.
    if (!record && line.find("RRSIG") != std::string::npos) record = parse_record(line + "=");
    if (!record) lines_.fail("expected a record: " + trouble_);
    entry_.message.sections[static_cast<std::size_t>(*section_)].push_back(std::move(*record));
    return;
  }
  take_question();
}

/// "name [class] type"; a TTL in between, which some files have, means nothing.
void EntryParser::take_question() {
  std::vector<std::string> words = lines_.words();
  std::erase_if(words,
                [&](const std::string& word) { return &word != &words[0] && number_in(word); });
  if (words.size() > 3 || words.size() < 2) lines_.fail("expected \"name [class] type\"");
  Question question;
  const auto name = name_in(words[0], origin_);
  if (!name) lines_.fail("expected a name, got " + words[0]);
  question.name = *name;
  if (words.size() == 3) {
    const auto klass = class_in(words[1]);
    if (!klass) lines_.fail("expected a class, got " + words[1]);
    question.klass = *klass;
  }
  const auto type = wire::rrtype_from_text(words.back());
  if (!type) lines_.fail("expected a type, got " + words.back());
  question.type = *type;
  entry_.message.questions.push_back(question);
}

std::optional<Record> EntryParser::parse_record(const std::string& text) {
  DisguisedRecord disguised(text);
  const auto records = text::parse_records(disguised.text() + "\n", {origin_, ttl_});
  if (!records || records->size() != 1) {
    trouble_ = records ? "one is expected in " + text : to_string(records.error());
    return std::nullopt;
  }
  const text::Record& parsed = records->front();
  owner_ = words_of(text).front();
  Record record{parsed.owner, parsed.type, wire::RRClass::in, parsed.ttl, parsed.rdata};
  disguised.reveal(record);
  return record;
}

void EntryParser::lack(const std::string& what) {
  scenario_.lacks.push_back(what);
}

Opt& EntryParser::opt() {
  if (!entry_.message.opt) entry_.message.opt.emplace();
  return *entry_.message.opt;
}

}  // namespace siskin::scenarios
