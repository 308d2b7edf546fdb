/// Records that zone text has no way to say: another class than IN, RDATA that its type forbids.
#pragma once

#include <optional>
#include <string>

#include "scenarios/message.hpp"

namespace siskin::scenarios {

std::optional<wire::RRClass> class_in(std::string word);

/// A line with one record, written so that it can be read as zone text; what was changed comes back
/// by reveal().
class DisguisedRecord {
 public:
  explicit DisguisedRecord(const std::string& line);

  const std::string& text() const noexcept { return text_; }
  void reveal(Record& record) const;

 private:
  void replace(std::size_t word, const char* by);

  std::string text_;
  wire::RRClass klass_ = wire::RRClass::in;
  std::optional<wire::RRType> type_;  ///< of RDATA written as "\\# size octets"
  bool lacks_signature_ = false;      ///< an RRSIG that ends with the signer's name
};

}  // namespace siskin::scenarios
