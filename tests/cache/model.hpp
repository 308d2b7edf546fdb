/// The cache against a map: the same operations on both, chosen by the octets of one input; the
/// fuzz target and the model test share it.  A difference ends the process (SISKIN_CHECK).
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "cache/values.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache::test {

/// Decisions taken from an input; zeros once it is used up.
class Choices {
 public:
  explicit Choices(wire::Bytes input) : input_(input) {}

  bool are_left() const { return at_ < input_.size(); }
  std::uint8_t octet() { return are_left() ? input_[at_++] : std::uint8_t{0}; }
  std::size_t below(std::size_t limit) { return octet() % limit; }
  bool coin() { return (octet() & 1U) != 0; }

 private:
  wire::Bytes input_;
  std::size_t at_ = 0;
};

/// The longest first, as answers are chosen.
inline constexpr std::array kSubnets{"2001:db8:1::/48", "2001:db8::/32", "10.1.2.128/25",
                                     "10.1.2.0/24",     "10.1.0.0/16",   "10.0.0.0/8",
                                     "0.0.0.0/0"};

/// Makes names, types and values: few enough that keys meet again, and related enough that owners
/// share labels.
class Maker {
 public:
  explicit Maker(Choices& choices) : choices_(choices) {}

  wire::Name any_name() {
    constexpr std::array kEnds{".", "example.", "Example.", "sub.example.", "com."};
    constexpr std::array kLabels{"", "www.", "WWW.", "a.", "b.", "ns1.", "x\\003com.", "\\000."};
    const std::size_t first = choices_.below(kLabels.size());
    const std::size_t second = choices_.below(kLabels.size());
    const std::string end = kEnds[choices_.below(kEnds.size())];
    const std::string start = std::string(kLabels[first]) + kLabels[second];
    return name(end == "." && !start.empty() ? start : start + end);
  }

  wire::RRType any_type() {
    constexpr std::array kTypes{wire::RRType::a,    wire::RRType::cname, wire::RRType::txt,
                                wire::RRType::mx,   wire::RRType::soa,   wire::RRType::dname,
                                wire::RRType::nsec, wire::RRType::none,  wire::RRType::opt,
                                wire::RRType{65280}};
    return kTypes[choices_.below(kTypes.size())];
  }

  /// Nothing, which is for everybody, as often as not; else one of few that lie in each other.
  std::optional<Network> any_subnet() {
    if (choices_.coin()) return std::nullopt;
    return Network::from_text(kSubnets[choices_.below(kSubnets.size())]).value();
  }

  Value value(const wire::Name& key, wire::RRType type) {
    Value made;
    made.kind = static_cast<Kind>(choices_.below(5));
    made.ttl = static_cast<std::uint32_t>(choices_.below(7) * choices_.below(40));
    if (choices_.below(4) > 0) {
      made.answer.push_back(set(key, type));
      if (choices_.below(3) > 0) return made;
    }
    for (auto* section : {&made.answer, &made.authority, &made.additional}) {
      for (std::size_t count = choices_.below(3); count > 0; --count) {
        const wire::Name owner = any_owner(key);
        section->push_back(set(owner, choices_.coin() ? type : any_type()));
      }
    }
    if (choices_.below(4) == 0) {
      made.error = wire::ExtendedError{wire::Ede::other, std::string(choices_.below(40), 'e')};
    }
    return made;
  }

 private:
  wire::Name any_owner(const wire::Name& key) {
    switch (choices_.below(4)) {
      case 0: return key;
      case 1: return key.parent();
      case 2: return key.with_label(std::array<std::uint8_t, 2>{'n', 's'}).value_or(key);
      default: return any_name();
    }
  }

  wire::RRset set(const wire::Name& owner, wire::RRType type) {
    wire::RRset made;
    made.owner = owner;
    made.type = type;
    std::size_t count = choices_.below(6);
    if (count == 5) count = 100 + choices_.octet();
    for (; count > 0; --count) made.records.add(any_rdata(type, count));
    for (count = choices_.below(8); count > 5; --count) made.signatures.add(Octets(18 + count));
    return made;
  }

  Octets any_rdata(wire::RRType type, std::size_t number) {
    switch (type) {
      case wire::RRType::a: return address(static_cast<std::uint8_t>(number));
      case wire::RRType::mx: return rdata({0, static_cast<std::uint8_t>(number)}, "mx.example.");
      case wire::RRType::soa: return soa("ns.example.", "host.com.");
      case wire::RRType::cname:
      case wire::RRType::dname: return rdata({}, number % 2 == 0 ? "example." : "www.com.");
      case wire::RRType::txt: return {1, static_cast<std::uint8_t>(number)};
      case wire::RRType::nsec: {
        Octets octets = rdata({}, "z.example.");
        octets.insert(octets.end(), {0, 1, 0x40});
        return octets;
      }
      default: return Octets(number % 40, 7);
    }
  }

  Choices& choices_;
};

/// Runs the operations that `input` chooses.
class ModelRun {
 public:
  ModelRun(const Cache::Options& options, wire::Bytes input)
      : cache_(options), bytes_max_(options.bytes_max), choices_(input), maker_(choices_) {}

  /// True when the cache was big enough never to push anything out.
  bool run() {
    while (choices_.are_left()) {
      step();
      SISKIN_CHECK(cache_.usage().bytes <= bytes_max_);
    }
    const Cache::Usage usage = cache_.usage();
    const Cache::Usage counted = cache_.recount();
    SISKIN_CHECK(usage.bytes == counted.bytes && usage.entries == counted.entries);
    for (const auto& [key, kept] : model_) {
      const auto& [name, type, subnet] = key;
      check_find(name, type, subnet.empty() ? std::nullopt : std::optional(subnet_of(subnet)));
    }
    return usage.evictions == 0;
  }

 private:
  /// The subnet as text; empty: for everybody.
  using ModelKey = std::tuple<wire::Name, wire::RRType, std::string>;
  struct Kept {
    Value value;
    std::uint32_t expiry;
  };

  void step() {
    const std::size_t operation = choices_.below(16);
    const wire::Name key = maker_.any_name();
    const wire::RRType type = maker_.any_type();
    const std::optional<Network> subnet = maker_.any_subnet();
    if (operation < 6) return store(key, type, subnet);
    if (operation < 9) return check_find(key, type, subnet);
    if (operation < 12) return check_render(key, type, subnet);
    if (operation == 12) return remove(key, type);
    if (operation == 13 && choices_.below(64) == 0) return clear();
    if (operation == 14) return resize();
    now_ += static_cast<std::uint32_t>(choices_.below(operation == 15 ? 256 : 4));
  }

  static Network subnet_of(std::string_view text) { return Network::from_text(text).value(); }
  static std::string text(const std::optional<Network>& subnet) {
    return subnet ? subnet->to_text() : std::string();
  }
  static const Network* pointer(const std::optional<Network>& subnet) {
    return subnet ? &*subnet : nullptr;
  }

  const Kept* held(const wire::Name& key, wire::RRType type, const std::string& subnet) const {
    const auto held = model_.find({key, type, subnet});
    return held != model_.end() && held->second.expiry > now_ ? &held->second : nullptr;
  }

  static bool holds(const Network& kept, const Network& asker) {
    if (kept.prefix_length() == 0 || asker.prefix_length() == 0) return kept == asker;
    return kept.prefix_length() <= asker.prefix_length() && kept.contains(asker.address());
  }

  /// What an asker is to get, and with what scope.
  std::pair<const Kept*, std::uint8_t> live(const wire::Name& key, wire::RRType type,
                                            const std::optional<Network>& asker) const {
    for (const std::string_view text : kSubnets) {
      const Network kept = subnet_of(text);
      if (!asker || !holds(kept, *asker)) continue;
      if (const Kept* const found = held(key, type, std::string(text))) {
        return {found, static_cast<std::uint8_t>(kept.prefix_length())};
      }
    }
    return {held(key, type, ""), 0};
  }

  static std::size_t record_bytes(const Value& value) {
    std::size_t bytes = 0;
    for (const auto* section : {&value.answer, &value.authority, &value.additional}) {
      for (const wire::RRset& set : *section) {
        bytes += set.records.bytes().size() + set.signatures.bytes().size();
      }
    }
    return bytes;
  }

  void store(const wire::Name& key, wire::RRType type, const std::optional<Network>& subnet) {
    const Value value = maker_.value(key, type);
    const std::uint32_t ttl = cache_.clamp_ttl(value.kind, value.ttl);
    const Kept* const old = held(key, type, text(subnet));
    // Unless the old one was pushed out, which only a store's success can tell.
    const bool keeps_old =
        value.kind == Kind::failure && old != nullptr && old->value.kind != Kind::failure;
    const bool may_be_tailored = value.kind == Kind::positive;
    const bool stored = cache_.store(key, type, value, at(now_), pointer(subnet));
    if (stored) {
      SISKIN_CHECK(ttl > 0 && (!subnet || may_be_tailored));
      model_[{key, type, text(subnet)}] = {value, now_ + ttl};
    } else if (ttl > 0 && !keeps_old && (!subnet || may_be_tailored)) {
      // Only for its size, or for want of room; the old one may have had to go first.
      SISKIN_CHECK(record_bytes(value) > 60'000 || bytes_max_ < 1U << 20);
      forget(key, type);
    }
    if (!stored) return;
    SISKIN_CHECK(!keeps_old || may_miss());
    SISKIN_CHECK(cache_.find(key, type, at(now_), pointer(subnet)).has_value());
  }

  void forget(const wire::Name& key, wire::RRType type) {
    cache_.remove(key, type);
    model_.erase({key, type, ""});
    for (const std::string_view subnet : kSubnets) model_.erase({key, type, std::string(subnet)});
  }

  /// What the model does not hold may not be found; what it holds may be missing only when
  /// something was pushed out.
  bool may_miss() const { return cache_.usage().evictions > 0; }

  /// When things were pushed out, something shorter may be found in place of what is missing.
  void check_find(const wire::Name& key, wire::RRType type, const std::optional<Network>& subnet) {
    const auto found = cache_.find(key, type, at(now_), pointer(subnet));
    const auto [kept, scope] = live(key, type, subnet);
    if (!found) SISKIN_CHECK(kept == nullptr || may_miss());
    if (!found) return;
    SISKIN_CHECK(kept != nullptr);
    if (found->scope != scope) SISKIN_CHECK(found->scope < scope && may_miss());
    if (found->scope != scope) return;
    Value wanted = with_ttl(kept->value, kept->expiry - now_);
    SISKIN_CHECK(equal(*found, wanted) || (subnet && may_miss()));
  }

  void check_render(const wire::Name& key, wire::RRType type,
                    const std::optional<Network>& subnet) {
    const Cache::RenderOptions options{choices_.coin(), choices_.below(4), pointer(subnet)};
    const std::size_t limit = choices_.coin() ? 4096 : 300 + choices_.octet();
    std::array<std::uint8_t, 4096> ours;
    std::array<std::uint8_t, 4096> wanted;
    wire::MessageWriter out(ours, limit, 0);
    wire::MessageWriter expected(wanted, limit, 0);
    for (wire::MessageWriter* writer : {&out, &expected}) {
      writer->begin(1, 0x8000);
      writer->question(key.wire(), type, wire::RRClass::in);
    }
    const Rendered rendered = cache_.render(key.wire(), type, at(now_), options, out);
    const auto [kept, scope] = live(key, type, subnet);
    SISKIN_CHECK(rendered.found == (kept != nullptr) || (!rendered.found && may_miss()));
    if (!rendered.found || (subnet && may_miss())) return;
    SISKIN_CHECK(rendered.scope == scope);
    SISKIN_CHECK(rendered.kind == kept->value.kind && rendered.error == kept->value.error);
    SISKIN_CHECK(rendered.ttl == kept->expiry - now_);
    SISKIN_CHECK(rendered.fits == write(kept->value, rendered.ttl, options, expected));
    SISKIN_CHECK(std::ranges::equal(out.finish(wire::Rcode::noerror, nullptr),
                                    expected.finish(wire::Rcode::noerror, nullptr)));
  }

  /// Rendering said once more, in the plainest way.
  static bool write(const Value& value, std::uint32_t ttl, const Cache::RenderOptions& options,
                    wire::MessageWriter& out) {
    if (value.kind == Kind::failure || value.kind == Kind::delegation) return true;
    for (const auto section : {wire::Section::answer, wire::Section::authority}) {
      const bool is_answer = section == wire::Section::answer;
      for (const wire::RRset& set : is_answer ? value.answer : value.authority) {
        const wire::Bytes owner = set.owner.wire();
        if (!is_answer && set.type == wire::RRType::nsec && !options.dnssec_ok) continue;
        if (!out.add_rrset(section, owner, set.type, ttl, set.records.bytes(), options.rotation)) {
          return false;
        }
        if (options.dnssec_ok &&
            !out.add_rrset(section, owner, wire::RRType::rrsig, ttl, set.signatures.bytes())) {
          return false;
        }
      }
    }
    return true;
  }

  void remove(const wire::Name& key, wire::RRType type) {
    bool was_live = held(key, type, "") != nullptr;
    bool was_there = model_.contains({key, type, ""});
    for (const std::string_view subnet : kSubnets) {
      was_live |= held(key, type, std::string(subnet)) != nullptr;
      was_there |= model_.contains({key, type, std::string(subnet)});
    }
    const bool removed = cache_.remove(key, type);
    SISKIN_CHECK(removed || !was_live || may_miss());
    SISKIN_CHECK(!removed || was_there);
    forget(key, type);
  }

  /// Another bound for a while, and entries elsewhere in memory.
  void resize() {
    cache_.repack(1 + choices_.below(4));
    if (choices_.below(16) != 0) return;
    cache_.set_bytes_max(bytes_max_ * (1 + choices_.below(8)) / 8);
    cache_.set_bytes_max(bytes_max_);
  }

  void clear() {
    cache_.clear();
    SISKIN_CHECK(cache_.usage().entries == 0);
    model_.clear();
  }

  Cache cache_;
  std::size_t bytes_max_;
  Choices choices_;
  Maker maker_;
  std::map<ModelKey, Kept> model_;
  std::uint32_t now_ = 1000;
};

}  // namespace siskin::cache::test
