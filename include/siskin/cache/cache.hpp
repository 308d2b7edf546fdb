/// The compact cache: what was learnt, by name and type, one exact allocation an entry.
///
/// Threads:  shared by all cores; one short lock a shard.
/// Memory:   entries, index and allocator rounding are charged; never more than `bytes_max`.
/// Lifetime: find() and render() copy out; nothing points into the cache afterwards.
/// Time:     always an argument; entries keep whole seconds of the monotonic line.
/// Errors:   none; store() may decline (TTL 0, too big, ill-formed RDATA) and says so.
/// RFC:      1035 §7.4, 2181 §5.2 (one TTL a set), 2308 §5 (negative), 7871 §7.3 (client subnet),
///           9520 (failures).
///
/// Client subnets: an answer holds for everybody, or is tailored: it holds for one subnet.  A
/// question may have many tailored answers, called variants, besides one for everybody.  The subnet
/// of length 0 stands for those who opted out (RFC 7871 §7.1.2): what they are told is kept for
/// them alone, because a server may tell others better.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/base/time.hpp"
#include "siskin/cache/ledger.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rrset.hpp"
#include "siskin/wire/writer.hpp"

namespace siskin::cache {

enum class Kind : std::uint8_t {
  positive,    ///< an RRset; under RRType::cname an alias, perhaps with the DNAME that made it
  nodata,      ///< the name exists, the type does not
  nxdomain,    ///< the name does not exist; kept under kNameSlot
  delegation,  ///< NS and glue as the parent gave them; kept under kDelegationSlot, never shown
  failure,     ///< asking for this name and type failed (RFC 9520)
};

/// What validation has found out about an entry (RFC 4035 §4.3).
enum class Security : std::uint8_t {
  unchecked,  ///< nobody has looked
  secure,     ///< signed by a chain of keys from a trust anchor on
  insecure,   ///< provably not to be signed
  bogus,      ///< ought to be signed and is not, or wrongly: for those only who check themselves
};

/// The key's type for what holds for a name whatever the type.  Type 0 is never asked for.
inline constexpr wire::RRType kNameSlot = wire::RRType::none;
/// The key's type for delegations.  No zone holds an OPT.
inline constexpr wire::RRType kDelegationSlot = wire::RRType::opt;

/// An entry taken apart: what goes in, and what find() gives back.
/// positive:   answer holds the set of the key (and before it a DNAME), authority the proof that
///             the wildcard it was made from is the closest match, if it was made from one;
/// negative:   authority holds the SOA, if any (with signatures), and denial records;
/// delegation: authority holds the NS set and what the parent said of the zone's keys (DS, or the
///             proof that there is none), additional the glue;
/// failure:    `error` says why;
/// all:        `error` goes along with what is secure or insecure, and says why it is bogus.
struct Value {
  Kind kind = Kind::positive;
  std::uint32_t ttl = 0;  ///< seconds; in: as learnt.  out: what is left.  Overrides the sets' own.
  std::vector<wire::RRset> answer;
  std::vector<wire::RRset> authority;
  std::vector<wire::RRset> additional;
  std::optional<wire::ExtendedError> error;
  std::uint8_t scope = 0;  ///< out: prefix length of the variant; 0: for everybody, or opted out
  bool is_stale = false;   ///< out: expired; `ttl` is then 0
  Security security = Security::unchecked;
};

/// What render() found and wrote.
struct Rendered {
  bool found = false;
  Kind kind = Kind::positive;
  bool fits = true;                    ///< false: a set did not fit; the writer is truncated
  std::uint32_t ttl = 0;               ///< seconds left
  std::optional<wire::Name> alias_to;  ///< the CNAME's target when the key's type was CNAME
  bool by_dname = false;               ///< ... which a DNAME made, told as well
  bool has_proof = false;              ///< of a wildcard's answer; goes into the authority section
  std::optional<wire::ExtendedError> error;  ///< of a failure, or to go along
  std::uint8_t scope = 0;                    ///< as Value::scope
  Security security = Security::unchecked;
};

class Cache {
 public:
  struct Options {
    std::size_t bytes_max = 64U << 20;  ///< everything the cache allocates, index included
    unsigned shards = 16;               ///< a power of two
    HashKey hash_key;
    std::uint32_t min_ttl = 0;              ///< seconds
    std::uint32_t max_ttl = 86400;          ///< seconds
    std::uint32_t max_negative_ttl = 3600;  ///< seconds
    /// Variants of one name and type.  Beyond, new ones are kept for wider subnets (/16, IPv6 /32;
    /// then /8), of which there are few: so there are never more than 5/4 of it and some 500.
    std::size_t variants_max = 16384;
    /// Seconds for which find_stale() goes on finding what has expired (RFC 8767).  Such entries
    /// are newcomers again: they go before what is in use.
    std::uint32_t stale_max = 0;
  };

  explicit Cache(const Options& options);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// The TTL under which an entry of that kind would be kept, which is to be shown to a client at
  /// once too.  Positive and delegation: `ttl` within min and max; negative: at most
  /// max_negative_ttl, and never raised; failure: at most 300 (RFC 9520 §3.2).
  std::uint32_t clamp_ttl(Kind kind, std::uint32_t ttl) const noexcept;

  /// Keeps `value` in place of what was there; a failure does not replace an entry of another kind
  /// that is alive or that find_stale() would find, nor does what is bogus; and what is unchecked
  /// does not replace a live entry that was checked, delegations aside.  False: that, or declined
  /// (clamped TTL 0, RDATA not well-formed for its type, more than 64 KiB or 255 sets, no room in
  /// this shard at all).
  /// `subnet`: whom the answer holds for; null: everybody.  Only positive answers may be tailored
  /// (RFC 7871 §7.4); others with a subnet are declined.
  bool store(const wire::Name& name, wire::RRType type, const Value& value, Instant now,
             const Network* subnet = nullptr);

  /// A copy of a live entry.  Like render(), it counts as a use: what is asked for stays longer.
  /// `subnet`: who asks.  Theirs is the variant with the longest prefix that holds all of `subnet`,
  /// else what holds for everybody.  Null: only what holds for everybody.
  std::optional<Value> find(const wire::Name& name, wire::RRType type, Instant now,
                            const Network* subnet = nullptr) const;

  /// The same, and what has expired within stale_max, but for failures.
  std::optional<Value> find_stale(const wire::Name& name, wire::RRType type, Instant now,
                                  const Network* subnet = nullptr) const;

  /// What find_stale() would give must not come back: a server has said otherwise, by something
  /// that is not to be kept.  Does nothing where stale_max is 0.
  void refute(const wire::Name& name, wire::RRType type, Instant now,
              const Network* subnet = nullptr);

  /// A question hashed.  Look-ups in batches: expect() for all of them, then fetch() for all, then
  /// render(): so each waits for memory while the others do, not one after the other.
  struct Hint {
    std::uint64_t hash = 0;
  };
  /// Asks the processor for the slots of that question.  `name` as for render(), not empty.
  Hint expect(wire::Bytes name, wire::RRType type) const noexcept;
  /// Asks for its entry; takes the shard's lock for as long as it takes to read a few slots.
  void fetch(Hint hint) const noexcept;

  struct RenderOptions {
    bool dnssec_ok = false;           ///< RRSIG, NSEC, NSEC3 go along
    std::size_t rotation = 0;         ///< which record of a set comes first, modulo the set's size
    const Network* subnet = nullptr;  ///< who asks, as for find()
    std::optional<Hint> hint = {};    ///< what expect() said of this name and type
    bool must_be_checked = false;     ///< unchecked is passed over, and bogus is a failure
  };

  /// Adds a live entry's answer and authority to `out`: the key's own records under `name` (a whole
  /// name in wire form, any letter case), TTLs aged.  Failures and delegations add nothing.
  Rendered render(wire::Bytes name, wire::RRType type, Instant now, const RenderOptions& options,
                  wire::MessageWriter& out) const;

  /// Forgets one entry and all its variants; true when there was one.
  bool remove(const wire::Name& name, wire::RRType type);
  void clear();

  /// Changes Options::bytes_max.  Smaller: what is too much goes at once, in short turns of each
  /// shard's lock.
  void set_bytes_max(std::size_t bytes_max);

  /// Goes over one part in `parts` of all entries and moves those that lie in memory of which much
  /// is unused to where less is, in short turns of each shard's lock; the next call goes on.
  /// Returns how many were moved.  About 0.3 microseconds for each one looked at.
  std::size_t repack(std::size_t parts);

  struct Usage {
    std::size_t entries = 0;      ///< directories of variants included
    std::size_t bytes = 0;        ///< charged: what the allocator hands out, index included
    std::uint64_t evictions = 0;  ///< live entries pushed out for room
  };
  Usage usage() const;
  /// What usage() counts, line by line.
  Ledger ledger() const;
  /// The usage, counted anew from every entry; verifies all of them and the index on the way, and
  /// aborts when something is wrong.  Slow; for tests.
  Usage recount() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::cache
