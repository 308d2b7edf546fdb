#include "serve/chaos.hpp"

#include <algorithm>
#include <vector>

#include "serve/reply.hpp"

namespace siskin::serve {
namespace {

constexpr std::size_t kCharacterStringMax = 255;

/// One TXT record of as many character-strings as the text needs; none for an empty text.
wire::RecordList txt(std::string_view text) {
  std::vector<std::uint8_t> rdata;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), kCharacterStringMax))) {
    const std::string_view part = text.substr(0, kCharacterStringMax);
    rdata.push_back(static_cast<std::uint8_t>(part.size()));
    rdata.insert(rdata.end(), part.begin(), part.end());
  }
  wire::RecordList records;
  if (!rdata.empty()) records.add(rdata);
  return records;
}

}  // namespace

Chaos::Chaos(std::string_view version, std::string_view identity)
    : entries_{{{*wire::Name::from_text("version.bind"), txt(version)},
                {*wire::Name::from_text("version.server"), txt(version)},
                {*wire::Name::from_text("id.server"), txt(identity)},
                {*wire::Name::from_text("hostname.bind"), txt(identity)}}} {}

const Chaos::Entry* Chaos::find(wire::Bytes name) const noexcept {
  const auto found = std::ranges::find_if(
      entries_, [name](const Entry& entry) { return wire::equal_names(entry.name.wire(), name); });
  return found == entries_.end() || found->text.empty() ? nullptr : &*found;
}

std::size_t Chaos::write(const Request& request, std::span<std::uint8_t> buffer) const noexcept {
  const Entry* entry = find(request.name);
  if (entry == nullptr) return write_error(request, wire::Rcode::refused, nullptr, buffer);
  wire::MessageWriter out = begin_reply(request, buffer);
  out.add_rrset(wire::Section::answer, request.name, wire::RRType::txt, 0, entry->text.bytes());
  return finish_reply(request, out, wire::Rcode::noerror, nullptr, buffer);
}

}  // namespace siskin::serve
