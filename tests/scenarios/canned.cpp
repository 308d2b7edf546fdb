/// Entries of ranges made into answers.
#include "scenarios/upstream.hpp"
#include "siskin/wire/edns.hpp"

namespace siskin::scenarios {
namespace {

constexpr std::size_t kSourcePrefixAt = 6;  ///< behind option code, length and family
constexpr std::size_t kScopePrefixAt = 7;

/// The scope of the entry's client subnet option becomes its source prefix.
void adjust_client_subnet(const Adjust& adjust, Message& answer) {
  if (!adjust.ecs_from_entry || !answer.opt) return;
  auto& options = answer.opt->options;
  if (options.size() <= kScopePrefixAt) return;
  options[kScopePrefixAt] =
      static_cast<std::uint8_t>(options[kSourcePrefixAt] + (adjust.increment_ecs_scope ? 1 : 0));
}

void keep_letter_case(const Message& query, Message& answer) {
  if (query.questions.size() != 1 || answer.questions.size() != 1) return;
  if (query.questions[0].name == answer.questions[0].name) {
    answer.questions[0].name = query.questions[0].name;
  }
}

}  // namespace

std::vector<std::uint8_t> canned_answer(const Entry& entry, const Message& query) {
  if (entry.raw) {
    std::vector<std::uint8_t> octets = *entry.raw;
    if (octets.size() >= 2) {
      octets[0] = static_cast<std::uint8_t>(query.id >> 8);
      octets[1] = static_cast<std::uint8_t>(query.id & 0xff);
    }
    return octets;
  }
  Message answer = entry.message;
  answer.id = query.id;
  if (entry.adjust.copy_query) answer.questions = query.questions;
  keep_letter_case(query, answer);
  adjust_client_subnet(entry.adjust, answer);
  return encode(answer);
}

}  // namespace siskin::scenarios
