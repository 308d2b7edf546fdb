#include "sim/outcome_text.hpp"

#include <algorithm>

#include "siskin/text/print.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::sim {

using wire::RRset;
using wire::RRType;

std::vector<std::uint8_t> lowered_rdata(RRType type, wire::Bytes rdata) {
  std::vector<std::uint8_t> octets(rdata.begin(), rdata.end());
  // Numbers that look like capital letters change as well, alike on both sides of a comparison.
  if (wire::compressible_layout(type).names > 0 || type == RRType::dname) {
    std::ranges::transform(octets, octets.begin(), wire::to_lower);
  }
  return octets;
}

std::string to_text(const RRset& set) {
  std::vector<std::string> lines;
  for (const wire::Bytes rdata : set.records) {
    const bool is_a_name = wire::target_of(rdata) && wire::compressible_layout(set.type).names == 1;
    lines.push_back(
        text::print_record(set.owner.lowered(), set.type, set.ttl,
                           is_a_name || set.type == RRType::dname
                               ? lowered_rdata(set.type, rdata)
                               : std::vector<std::uint8_t>(rdata.begin(), rdata.end())));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string to_text(const resolve::Outcome& outcome) {
  std::string text = to_string(outcome.rcode) + '\n';
  for (const RRset& set : outcome.answer) text += to_text(set);
  for (const RRset& set : outcome.authority) text += "; " + to_text(set);
  if (outcome.error) {
    text += "; EDE " + std::to_string(static_cast<unsigned>(outcome.error->code)) + '\n';
  }
  return text;
}

}  // namespace siskin::sim
