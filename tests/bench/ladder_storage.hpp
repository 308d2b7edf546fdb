/// Two ways to keep octets and lists in memory, for the layouts of the ladder (ladder_bench.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "siskin/wire/name.hpp"

namespace siskin::cache::bench {

/// Just as many elements as it was made from: 16 octets and an allocation of exactly that size.
template <class T>
class ExactArray {
 public:
  ExactArray() noexcept = default;
  template <class Iterator>
  ExactArray(Iterator first, Iterator last)
      : size_(static_cast<std::size_t>(std::distance(first, last))),
        items_(size_ == 0 ? nullptr : std::allocator<T>().allocate(size_)) {
    std::uninitialized_copy(first, last, items_);
  }
  ExactArray(ExactArray&& other) noexcept
      : size_(std::exchange(other.size_, 0)), items_(std::exchange(other.items_, nullptr)) {}
  ExactArray& operator=(ExactArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(items_, other.items_);
    return *this;
  }
  ~ExactArray() {
    std::destroy_n(items_, size_);
    if (items_ != nullptr) std::allocator<T>().deallocate(items_, size_);
  }

  const T* data() const noexcept { return items_; }
  std::size_t size() const noexcept { return size_; }
  const T* begin() const noexcept { return items_; }
  const T* end() const noexcept { return items_ + size_; }

 private:
  std::size_t size_ = 0;
  T* items_ = nullptr;
};

/// A value elsewhere: 8 octets here and an allocation of its own.
template <class T>
class Box {
 public:
  explicit Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  const T& operator*() const noexcept { return *value_; }

 private:
  std::unique_ptr<T> value_;
};

/// What grows and remembers how far it may: 24 octets a vector, 32 a string, and room to spare.
struct Growable {
  using Octets = std::string;
  template <class T>
  using List = std::vector<T>;
  template <class T>
  using Large = T;
};

/// What has the size of its contents.
struct Exact {
  using Octets = ExactArray<std::uint8_t>;
  template <class T>
  using List = ExactArray<T>;
  template <class T>
  using Large = T;
};

/// The same, and what is large lies elsewhere.
struct ExactAndBoxed : Exact {
  template <class T>
  using Large = Box<T>;
};

template <class Octets>
Octets octets_of(wire::Bytes bytes) {
  return Octets(bytes.begin(), bytes.end());
}

template <class Octets>
wire::Bytes bytes_of(const Octets& octets) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size()};
}

/// The same elements, moved, in a list that has their number.
template <class T>
ExactArray<T> exact(std::vector<T>&& grown) {
  return ExactArray<T>(std::move_iterator(grown.begin()), std::move_iterator(grown.end()));
}

}  // namespace siskin::cache::bench
