/// Time as it is handed in: one clock for TTLs and timeouts, another for signatures.
#pragma once

#include "siskin/base/time.hpp"

namespace siskin::runtime {

/// Monotonic.  Threads: now() may be called from any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const noexcept = 0;
};

/// The operating system's clocks: CLOCK_MONOTONIC, or CLOCK_REALTIME where a test rig drives the
/// TTLs through the wall clock ([laboratory] ttl_clock).
class SystemClock final : public Clock {
 public:
  enum class Source { monotonic, wall };
  explicit SystemClock(Source source = Source::monotonic) noexcept : source_(source) {}
  Instant now() const noexcept override;

 private:
  Source source_;
};

}  // namespace siskin::runtime
