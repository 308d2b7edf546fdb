/// Time as it is handed in: one clock for TTLs and timeouts, another for signatures.
#pragma once

#include <cstdint>

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

/// The date, which nothing but the periods of signatures goes by: it may jump, and be wrong.
/// Threads: seconds() may be called from any.
class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual std::int64_t seconds() const noexcept = 0;  ///< since 1970
};

class SystemWallClock final : public WallClock {
 public:
  std::int64_t seconds() const noexcept override;
};

}  // namespace siskin::runtime
