/// Text of the file and of keys, made fit for messages and for TOML.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace siskin::config {

bool has_control_character(std::string_view text) noexcept;

/// A TOML basic string: in double quotes, with escapes for all but printable ASCII.
std::string quote(std::string_view text);
/// quote(), cut to some 60 octets: for messages.
std::string shown(std::string_view text);
/// The key itself where TOML needs no quotes for it, else shown().
std::string shown_key(std::string_view key);
/// Control characters become '?', so that a message stays on its line.
std::string printable(std::string_view text);

/// "a, b or c".
std::string either(std::span<const std::string> choices);

/// The choice closest to `word` by edits (insert, remove, replace, swap neighbours), letter case
/// ignored; empty where none is close enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string> choices);

}  // namespace siskin::config
