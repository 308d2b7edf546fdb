/// The benchmark's data: RRsets in the mix of the published comparison (docs/cache.md): 56 % A, 25
/// % AAAA, 19 % TXT, one to four records a set, about 76 octets of owner name and RDATA a set.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "siskin/cache/cache.hpp"

namespace siskin::cache::bench {

/// One set as compact as it can be kept: the benchmark must not measure its own data.
struct Sample {
  wire::RRType type = wire::RRType::a;
  std::uint8_t name_size = 0;
  std::array<std::uint8_t, 41> name_octets{};

  wire::Bytes name() const noexcept { return {name_octets.data(), name_size}; }
};

/// What the resolver has learnt and hands over.
struct Learnt {
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  Value value;
};

/// Deterministic; `i`-th sample and its value are functions of i alone.
class Mix {
 public:
  /// Owner names of 15 to 41 octets in wire form: a plausible host under a plausible domain.
  static Sample sample(std::uint64_t i) {
    std::minstd_rand random(static_cast<unsigned>(i * 2654435761U + 12345U));
    random.discard(3);
    Sample made;
    const unsigned percent = random() % 100;
    made.type =
        percent < 56 ? wire::RRType::a : (percent < 81 ? wire::RRType::aaaa : wire::RRType::txt);
    const std::string host = letters(random, 3 + random() % 8);
    const std::string domain = letters(random, 4 + random() % 11) + hexadecimal(i);
    for (const std::string& label : {host, domain, std::string("example"), std::string()}) {
      made.name_octets[made.name_size++] = static_cast<std::uint8_t>(label.size());
      for (const char c : label) made.name_octets[made.name_size++] = static_cast<std::uint8_t>(c);
    }
    return made;
  }

  static Learnt learnt(std::uint64_t i) {
    const Sample made = sample(i);
    return {wire::Name::from_wire(made.name()).value(), made.type, value(i, made)};
  }

  static Value value(std::uint64_t i, const Sample& sample) {
    std::minstd_rand random(static_cast<unsigned>(i * 40503U + 777U));
    random.discard(3);
    Value made;
    made.ttl = 86400;
    wire::RRset& set = made.answer.emplace_back();
    set.owner = wire::Name::from_wire(sample.name()).value();
    set.type = sample.type;
    for (unsigned count = 1 + random() % 4; count > 0; --count) {
      set.records.add(rdata(random, sample.type));
    }
    return made;
  }

 private:
  static std::string letters(std::minstd_rand& random, std::size_t count) {
    constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string made;
    for (; count > 0; --count) made += kAlphabet[random() % kAlphabet.size()];
    return made;
  }

  static std::string hexadecimal(std::uint64_t i) {
    std::string made;
    for (; i > 0; i >>= 4) made += "0123456789abcdef"[i & 15U];
    return made.empty() ? "0" : made;
  }

  static std::vector<std::uint8_t> rdata(std::minstd_rand& random, wire::RRType type) {
    if (type == wire::RRType::a) return octets(random, 4);
    if (type == wire::RRType::aaaa) return octets(random, 16);
    std::vector<std::uint8_t> text = octets(random, 1 + 30 + random() % 61);
    text[0] = static_cast<std::uint8_t>(text.size() - 1);
    return text;
  }

  static std::vector<std::uint8_t> octets(std::minstd_rand& random, std::size_t count) {
    std::vector<std::uint8_t> made(count);
    for (auto& octet : made) octet = static_cast<std::uint8_t>(random() >> 8);
    return made;
  }
};

/// How many stores or look-ups are timed in one piece.
inline constexpr std::uint64_t kPiece = 512;

/// Stores the first `sets` samples.  Making the values is not part of the time; they are just made
/// when they are stored, as those of the resolver, so not far in memory.
template <class Store>
void store_all(std::uint64_t sets, LeastTimes& times, Store store) {
  times.begin_run();
  for (std::uint64_t first = 0; first < sets; first += kPiece) {
    std::vector<Learnt> piece;
    for (std::uint64_t i = first; i < std::min(first + kPiece, sets); ++i) {
      piece.push_back(Mix::learnt(i));
    }
    times.time([&] {
      for (const auto& [name, type, value] : piece) store(name, type, value);
    });
  }
}

/// The same where its time does not matter.
template <class Store>
void store_all(std::uint64_t sets, Store store) {
  LeastTimes times;
  store_all(sets, times, store);
}

/// One question for each of the first `sets` samples in random order, next to each other in memory:
/// in the server they come in packets.
inline std::vector<Sample> shuffled_questions(std::uint64_t sets) {
  std::vector<Sample> made;
  made.reserve(sets);
  for (std::uint64_t i = 0; i < sets; ++i) made.push_back(Mix::sample(i));
  std::ranges::shuffle(made, std::mt19937(99));
  return made;
}

/// Asks each question once.
template <class Ask>
void ask_all(std::span<const Sample> questions, LeastTimes& times, Ask ask) {
  times.begin_run();
  while (!questions.empty()) {
    const auto piece = questions.first(std::min<std::size_t>(kPiece, questions.size()));
    times.time([&] {
      for (const Sample& question : piece) ask(question);
    });
    questions = questions.subspan(piece.size());
  }
}

}  // namespace siskin::cache::bench
