/// Questions whose answer could not be renewed, and until when that need not be tried again.
#pragma once

#include <string>
#include <unordered_map>

#include "siskin/base/siphash.hpp"
#include "siskin/base/time.hpp"

namespace siskin::serve {

/// RFC 8767 §5: the failure recheck timer.  Bounded: with too many of them at once some are tried
/// again early.
/// Threads: one core.
class Recheck {
 public:
  static constexpr std::size_t kQuestionsMax = 4096;

  struct KeyHash {
    HashKey key;
    std::size_t operator()(const std::string& text) const noexcept {
      return siphash13(key, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
  };

  explicit Recheck(HashKey key) : until_(0, KeyHash{key}) {}

  bool is_waiting(const std::string& question, Instant now) const {
    const auto found = until_.find(question);
    return found != until_.end() && now < found->second;
  }

  void failed(const std::string& question, Instant until, Instant now) {
    if (until_.size() >= kQuestionsMax) {
      std::erase_if(until_, [now](const auto& entry) { return entry.second <= now; });
    }
    if (until_.size() >= kQuestionsMax) until_.erase(until_.begin());
    until_[question] = until;
  }

  void worked(const std::string& question) { until_.erase(question); }
  std::size_t size() const noexcept { return until_.size(); }

 private:
  std::unordered_map<std::string, Instant, KeyHash> until_;
};

}  // namespace siskin::serve
