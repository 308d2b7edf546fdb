#include "scenarios/disguised_record.hpp"

#include <algorithm>

#include "scenarios/lines.hpp"

namespace siskin::scenarios {
namespace {

/// A type of private use, whose RDATA may be anything (RFC 6895 §3.1).
constexpr const char* kOpaqueType = "TYPE65280";
constexpr const char* kSignature = " AAAA";
constexpr std::size_t kSignatureSize = 3;
constexpr std::ptrdiff_t kRrsigFields = 9;  ///< behind the word RRSIG, the signature included

}  // namespace

std::optional<wire::RRClass> class_in(std::string word) {
  std::ranges::transform(word, word.begin(), [](char c) { return static_cast<char>(c & ~0x20); });
  if (word == "IN") return wire::RRClass::in;
  if (word == "CH") return wire::RRClass::ch;
  if (word == "HS") return wire::RRClass::hs;
  if (word == "ANY") return wire::RRClass::any;
  return std::nullopt;
}

DisguisedRecord::DisguisedRecord(const std::string& line) : text_(line) {
  const std::vector<std::string> words = words_of(line);
  for (std::size_t i = 1; i < std::min<std::size_t>(words.size(), 3); ++i) {
    const auto found = class_in(words[i]);
    if (found != wire::RRClass::ch && found != wire::RRClass::hs) continue;
    klass_ = *found;
    replace(i, "IN");
  }
  const auto hash = std::ranges::find(words, "\\#");
  if (hash != words.end() && hash != words.begin()) {
    type_ = wire::rrtype_from_text(*std::prev(hash));
    if (type_) replace(static_cast<std::size_t>(hash - words.begin()) - 1, kOpaqueType);
  }
  const auto rrsig = std::ranges::find(words, "RRSIG");
  lacks_signature_ = rrsig != words.end() && words.end() - rrsig == kRrsigFields;
  if (lacks_signature_) text_ += kSignature;
}

/// The n-th word, counted as words_of() does.
void DisguisedRecord::replace(std::size_t word, const char* by) {
  constexpr const char* kBlanks = " \t";
  std::size_t begin = text_.find_first_not_of(kBlanks);
  for (; word > 0; --word) {
    begin = text_.find_first_not_of(kBlanks, text_.find_first_of(kBlanks, begin));
  }
  text_.replace(begin, std::min(text_.find_first_of(kBlanks, begin), text_.size()) - begin, by);
}

void DisguisedRecord::reveal(Record& record) const {
  record.klass = klass_;
  if (type_) record.type = *type_;
  if (lacks_signature_) record.rdata.resize(record.rdata.size() - kSignatureSize);
}

}  // namespace siskin::scenarios
