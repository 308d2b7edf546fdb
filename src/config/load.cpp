#include "siskin/config/load.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/builder.hpp"
#include "config/document.hpp"
#include "config/file.hpp"
#include "config/option.hpp"
#include "config/words.hpp"

namespace siskin::config {
namespace {

constexpr std::size_t kFileOctets = std::size_t{1} << 20U;

}  // namespace

Outcome parse_text(std::string_view text, std::string_view file, std::uint64_t machine_bytes) {
  Builder builder(file, machine_bytes);
  builder.apply_defaults();
  if (const auto document = parse_document(text)) {
    builder.apply(*document);
    builder.check_pairs();
  } else {
    builder.report().add(document.error().at, "", document.error().message);
  }
  return std::move(builder).finish();
}

Outcome load_file(const std::string& path, std::uint64_t machine_bytes) {
  const auto text = read_file(path, kFileOctets);
  if (text) return parse_text(*text, path, machine_bytes);
  const std::string message = fmt::format(
      "cannot be read: {}, a readable TOML file of at most 1 MiB expected", text.error().detail);
  return std::vector<Diagnostic>{{printable(path), 0, 0, "", message}};
}

Loaded defaults() {
  return *parse_text("", "", 0);
}

std::string origin(const Loaded& loaded, std::string_view key) {
  const std::uint32_t line = loaded.lines[row_of(key)];
  return line == 0 ? "default" : fmt::format("{}:{}", loaded.file, line);
}

}  // namespace siskin::config
