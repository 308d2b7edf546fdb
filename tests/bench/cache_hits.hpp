/// Streams of questions and true LRU, to weigh eviction against (tests/bench, tests/cache).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

namespace siskin::cache::bench {

struct StreamShape {
  double exponent = 1.0;    ///< of Zipf's law
  std::uint32_t names = 0;  ///< that are asked again
  double once = 0.0;        ///< share of questions for names never asked before or after
};

/// Numbers of names in the order they are asked for; the same for the same shape.
inline std::vector<std::uint32_t> make_stream(const StreamShape& shape, std::size_t questions) {
  std::vector<double> sums;
  double sum = 0;
  for (std::uint32_t i = 1; i <= shape.names; ++i) {
    sums.push_back(sum += std::pow(i, -shape.exponent));
  }
  std::mt19937_64 random(20261201);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<std::uint32_t> stream;
  stream.reserve(questions);
  std::uint32_t next_once = shape.names;
  while (stream.size() < questions) {
    if (unit(random) < shape.once) {
      stream.push_back(next_once++);
      continue;
    }
    const auto rank = std::ranges::lower_bound(sums, unit(random) * sum) - sums.begin();
    stream.push_back(static_cast<std::uint32_t>(rank));
  }
  return stream;
}

/// Least recently used, exactly: the yardstick.
class TrueLru {
 public:
  explicit TrueLru(std::size_t capacity) : capacity_(capacity) {}

  /// Whether the name was there; it is afterwards.
  bool ask(std::uint32_t name) {
    const auto held = places_.find(name);
    if (held != places_.end()) {
      order_.splice(order_.begin(), order_, held->second);
      return true;
    }
    if (order_.size() == capacity_) {
      places_.erase(order_.back());
      order_.pop_back();
    }
    order_.push_front(name);
    places_[name] = order_.begin();
    return false;
  }

 private:
  std::size_t capacity_;
  std::list<std::uint32_t> order_;  ///< latest first
  std::unordered_map<std::uint32_t, std::list<std::uint32_t>::iterator> places_;
};

}  // namespace siskin::cache::bench
