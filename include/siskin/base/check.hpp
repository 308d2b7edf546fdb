/// Checks of our own reasoning: a failed one is a bug in Siskin and ends the process with a text.
/// Never for input from outside; that gets a Result.
#pragma once

namespace siskin {
[[noreturn]] void check_failed(const char* expression, const char* file, int line) noexcept;
}  // namespace siskin

/// Always on; keep it cheap.
#define SISKIN_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::siskin::check_failed(#condition, __FILE__, __LINE__))

/// Only in builds without NDEBUG.
#ifdef NDEBUG
#define SISKIN_DCHECK(condition) void(0)
#else
#define SISKIN_DCHECK(condition) SISKIN_CHECK(condition)
#endif
