/// The directory of a question's tailored answers: which prefix lengths there are, and how many
/// variants of each.  It is an entry like any other, under the same key with subnet code 255:
///
///   row   offset 0: code of family and length (subnet.hpp)   1: number of variants, big-endian u32
///
///   code(row i) > code(row i+1);   1 ≤ number;   1 ≤ rows ≤ 162
///
/// A look-up reads it and then probes the index once for each length, the longest first: as many
/// probes as there are different lengths, however many variants there are.
/// It exists exactly while there is a variant, and is never evicted itself: all variants of a
/// question and their directory lie in one shard, under one lock.
#pragma once

#include <cstdint>
#include <optional>

#include "cache/entry.hpp"

namespace siskin::cache {

/// Reads and changes a directory in place.  Does not own it.
class Directory {
 public:
  static constexpr std::size_t kRowSize = 5;

  struct Row {
    std::uint8_t code = 0;
    std::uint32_t variants = 0;
  };

  Directory(Entry entry, std::size_t name_size) noexcept
      : at_(const_cast<std::uint8_t*>(entry.at())),
        rows_(const_cast<std::uint8_t*>(entry.body(name_size))) {}

  std::size_t size() const noexcept { return at_[7]; }
  Row operator[](std::size_t index) const noexcept;
  /// Where `code` is, or where it would have to be.
  std::size_t find(std::uint8_t code) const noexcept;
  bool has(std::uint8_t code) const noexcept;
  std::size_t variants() const noexcept;  ///< of all lengths

  /// One variant more of a length that has a row already.
  void add(std::uint8_t code) noexcept;
  /// One less; a row of none goes.  Nothing when there is no such row.
  void take(std::uint8_t code) noexcept;
  /// Overwrites a row.
  void set(std::size_t index, Row row) const noexcept;

 private:
  std::uint8_t* at_;
  std::uint8_t* rows_;
};

/// A directory with the rows of `old`, if given, and one variant of `code`, for which `old` has no
/// row.  `key`: narrowed to the directory.
Memory build_directory(const Key& key, const Directory* old, std::uint8_t code);

/// Octets that build_directory() will ask for.
std::size_t directory_size(const Key& key, const Directory* old) noexcept;

/// The prefix to keep a new variant under when its question has more than `variants_max` of them
/// already: shorter, so that few prefixes are left to choose from.
Network widened(const Network& subnet, std::size_t variants, std::size_t variants_max) noexcept;

}  // namespace siskin::cache
