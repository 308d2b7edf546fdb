/// The words of MATCH, ADJUST and REPLY lines, as tables.
#pragma once

#include <optional>
#include <string>

#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

/// The member of Match that a plain word sets.
std::optional<bool Match::*> match_flag(const std::string& word);

/// What a word of a REPLY line stands for.
struct ReplyWord {
  enum class Kind { flag, opcode, rcode } kind = Kind::flag;
  std::uint16_t value = 0;
};

std::optional<ReplyWord> reply_word(const std::string& word);

}  // namespace siskin::scenarios
