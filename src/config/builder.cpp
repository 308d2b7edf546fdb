#include "config/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/read.hpp"
#include "siskin/base/check.hpp"

namespace siskin::config {
namespace {

/// All defaults as one TOML text, so that they take the same way as a file.
std::string defaults_text() {
  std::string text;
  for (const Section& section : sections()) {
    text += fmt::format("[{}]\n", section.name);
    for (const Option& option : options()) {
      if (option.section == section.name) {
        text += fmt::format("{} = {}\n", option.key, option.default_text);
      }
    }
  }
  return text;
}

std::string not_there_yet(const Option& option, const Value& value, const Node& node) {
  constexpr std::size_t longest = 66;  // of a text as shown() cuts it
  std::string what = value_text(option, value);
  if (node.type == Node::Type::text) what = shown(node.text);
  if (what.size() > longest) what = "this";  // a long list
  return what + " asks for a feature that is not there yet";
}

}  // namespace

void Builder::apply_defaults() {
  const auto document = parse_document(defaults_text());
  SISKIN_CHECK(document.has_value());
  apply(*document);
  SISKIN_CHECK(report_.is_empty());
  for (Row& row : rows_) row = {};
}

void Builder::apply(const Node& root) {
  for (const Member& member : root.members) {
    const auto section = std::ranges::find(sections(), member.key, &Section::name);
    if (section == sections().end()) {
      refuse_unknown_section(member);
    } else if (member.value.type != Node::Type::table) {
      report_.add(member.at, member.key,
                  Complaint{fmt::format("{} is the wrong type", type_name(member.value.type)),
                            fmt::format("the section [{}]", member.key)});
    } else {
      apply_section(*section, member);
    }
  }
}

void Builder::apply_section(const Section& section, const Member& member) {
  for (const Member& key : member.value.members) {
    if (const auto row = find_option(section.name, key.key)) {
      apply_value(*row, key.value);
    } else {
      refuse_unknown_key(section, key);
    }
  }
}

void Builder::apply_value(std::size_t row, const Node& node) {
  const Option& option = options()[row];
  rows_[row].at = node.at;
  const auto value = read_value(option, node, machine_bytes_, report_);
  if (!value) {
    rows_[row].is_wrong = true;
  } else if (option.is_offered()) {
    store(option, *value, loaded_.config);
  } else if (value_text(option, *value) != option.default_text) {
    refuse(row, {not_there_yet(option, *value, node), std::string(option.default_text)});
  }
}

void Builder::refuse_unknown_section(const Member& member) {
  std::vector<std::string> names;
  for (const Section& section : sections()) names.push_back(fmt::format("[{}]", section.name));
  Complaint complaint{"unknown section", either(names), nearest("[" + member.key + "]", names)};
  if (member.value.type != Node::Type::table) {
    const auto homeless = std::ranges::find(options(), member.key, &Option::key);
    complaint = {"a key outside of any section", "section.key or [section]",
                 homeless == options().end() ? "" : homeless->name()};
  }
  report_.add(member.at, shown_key(member.key), complaint);
}

void Builder::refuse_unknown_key(const Section& section, const Member& member) {
  std::vector<std::string> keys;
  for (const Option& option : options()) {
    if (option.section == section.name) keys.emplace_back(option.key);
  }
  std::string meant = nearest(member.key, keys);
  const auto elsewhere = std::ranges::find(options(), member.key, &Option::key);
  if (elsewhere != options().end()) {
    meant = elsewhere->name();
  }
  report_.add(member.at, fmt::format("{}.{}", section.name, shown_key(member.key)),
              Complaint{"unknown key", either(keys), meant});
}

std::optional<std::size_t> Builder::later_of(std::size_t one, std::size_t other) const {
  if (rows_[one].is_wrong || rows_[other].is_wrong) return std::nullopt;
  return rows_[one].at < rows_[other].at ? other : one;
}

std::string Builder::place(std::size_t row) const {
  return rows_[row].at.line == 0 ? "by default" : fmt::format("on line {}", rows_[row].at.line);
}

void Builder::check_pairs() {
  check_ttls();
  check_families();
}

void Builder::check_ttls() {
  const std::size_t min = row_of("cache.min_ttl");
  const std::size_t max = row_of("cache.max_ttl");
  const Cache& cache = loaded_.config.cache;
  const auto row = later_of(min, max);
  if (!row || cache.min_ttl <= cache.max_ttl) return;
  if (*row == min) {
    refuse(min, {fmt::format("{} is above max_ttl {}", cache.min_ttl, place(max)),
                 fmt::format("at most {}", cache.max_ttl)});
  } else {
    refuse(max, {fmt::format("{} is below min_ttl {}", cache.max_ttl, place(min)),
                 fmt::format("at least {}", cache.min_ttl)});
  }
}

void Builder::check_families() {
  const Resolver& resolver = loaded_.config.resolver;
  const auto row = later_of(row_of("resolver.ipv4"), row_of("resolver.ipv6"));
  if (!row || resolver.ipv4 || resolver.ipv6) return;
  refuse(*row, {"no address family is left to ask servers with", "true for ipv4 or ipv6"});
}

std::vector<Diagnostic> Builder::warnings() const {
  Report warnings(loaded_.file);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const Option& option = options()[row];
    if (option.section != "laboratory" || !option.is_offered()) continue;
    const std::string text = value_text(option, fetch(option, loaded_.config));
    if (text == option.default_text) continue;
    warnings.add(rows_[row].at, option.name(),
                 fmt::format("{} instead of {}, for test rigs only", text, option.default_text));
  }
  return warnings.take();
}

Outcome Builder::finish() && {
  if (!report_.is_empty()) return report_.take();
  for (std::size_t row = 0; row < rows_.size(); ++row) loaded_.lines[row] = rows_[row].at.line;
  loaded_.warnings = warnings();
  return std::move(loaded_);
}

}  // namespace siskin::config
