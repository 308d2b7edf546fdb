#include "resolve/message.hpp"

#include <algorithm>
#include <map>

#include "resolve/frame.hpp"
#include "siskin/base/check.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rdata.hpp"
#include "text/ldns.hpp"

namespace siskin::resolve {
namespace {

using text::Ldns;
using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::size_t kDeduplicatedSetMax = 64;  ///< add_unique() is linear
constexpr std::uint32_t kTtlMax = 0x7fffffff;

/// Where a name in a reply ends with labels octet-wise equal to the end of the question as sent,
/// the server has copied them (mostly by a compression pointer): the original case comes back.
class CaseRestorer {
 public:
  CaseRestorer(const Name& sent, const Name& original) : sent_(sent), original_(original) {
    active_ = !std::ranges::equal(sent.wire(), original.wire());
  }

  /// `name` is one uncompressed name; changed in place.
  void restore(std::span<std::uint8_t> name) const noexcept {
    if (!active_) return;
    const Bytes sent = sent_.wire();
    const auto differ = std::mismatch(name.rbegin(), name.rend(), sent.rbegin(), sent.rend());
    const auto equal = static_cast<std::size_t>(differ.first - name.rbegin());
    std::size_t start = 0;  // the first label from which on all is equal; the root's at the latest
    while (name.size() - start > equal) start += 1U + name[start];
    const std::size_t common = name.size() - start;
    std::ranges::copy(original_.wire().last(common), name.last(common).begin());
  }

 private:
  const Name& sent_;
  const Name& original_;
  bool active_ = false;
};

/// Gathers one section's records into sets, in order of first appearance.
class SetBuilder {
 public:
  explicit SetBuilder(std::vector<RRset>& sets) : sets_(sets) {}

  RRset& set(const Name& owner, RRType type, std::uint32_t ttl) {
    const auto [at, is_new] = index_.try_emplace({type, owner}, sets_.size());
    if (is_new) {
      RRset& made = sets_.emplace_back();
      made.owner = owner;
      made.type = type;
      made.ttl = ttl;
    }
    RRset& found = sets_[at->second];
    found.ttl = std::min(found.ttl, ttl);
    return found;
  }

  RRset* find(const Name& owner, RRType type) {
    const auto at = index_.find({type, owner});
    return at == index_.end() ? nullptr : &sets_[at->second];
  }

 private:
  std::vector<RRset>& sets_;
  /// The type first: long names that are alike can then not be had for a few octets each, because
  /// compression shares ends while the order compares beginnings (fault A69).
  std::map<std::pair<RRType, Name>, std::size_t> index_;
};

void add(wire::RecordList& list, Bytes rdata) {
  if (list.count() < kDeduplicatedSetMax) {
    list.add_unique(rdata);
  } else {
    list.add(rdata);
  }
}

std::uint32_t ttl_of(const ldns_rr* rr) {
  const std::uint32_t ttl = ldns_rr_ttl(rr);
  return ttl > kTtlMax ? 0 : ttl;
}

/// RDATA in wire form, names uncompressed.
std::vector<std::uint8_t> rdata_of(const ldns_rr* rr, const CaseRestorer& restorer) {
  std::vector<std::uint8_t> rdata;
  for (std::size_t i = 0; i < ldns_rr_rd_count(rr); ++i) {
    const ldns_rdf* field = ldns_rr_rdf(rr, i);
    const Bytes bytes = text::bytes_of(*field);
    rdata.insert(rdata.end(), bytes.begin(), bytes.end());
    if (ldns_rdf_get_type(field) == LDNS_RDF_TYPE_DNAME) {
      restorer.restore(std::span(rdata).last(bytes.size()));
    }
  }
  return rdata;
}

Result<Name> owner_of(const ldns_rr* rr, const CaseRestorer& restorer) {
  const Bytes bytes = text::bytes_of(*ldns_rr_owner(rr));
  std::array<std::uint8_t, wire::kNameSizeMax> octets{};
  if (bytes.size() > octets.size()) return Error{Errc::malformed, "an owner name is too long"};
  const std::span<std::uint8_t> owner(octets.data(), bytes.size());
  std::ranges::copy(bytes, owner.begin());
  restorer.restore(owner);
  return Name::from_wire(owner);
}

/// Sets and signatures of one section.
struct Section {
  explicit Section(std::vector<RRset>& into) : sets(into) {}

  SetBuilder sets;
  std::vector<RRset> signature_sets;
  SetBuilder signatures{signature_sets};
};

/// Signatures join the set that they cover, in whatever section it is: there are servers that put
/// the two apart.
void attach(const RRset& signatures, Section& section) {
  for (const Bytes rdata : signatures.records) {
    const auto covered = wire::covered_type(rdata);
    RRset* set = covered ? section.sets.find(signatures.owner, *covered) : nullptr;
    if (set != nullptr) add(set->signatures, rdata);
  }
}

Result<void> gather(const ldns_rr_list* list, const CaseRestorer& restorer, Section& section) {
  for (std::size_t i = 0; i < ldns_rr_list_rr_count(list); ++i) {
    const ldns_rr* rr = ldns_rr_list_rr(list, i);
    if (ldns_rr_get_class(rr) != LDNS_RR_CLASS_IN) continue;
    const auto type = static_cast<RRType>(ldns_rr_get_type(rr));
    if (wire::is_meta(type)) continue;
    const auto owner = owner_of(rr, restorer);
    if (!owner) return owner.error();
    const std::vector<std::uint8_t> rdata = rdata_of(rr, restorer);
    if (rdata.size() > 0xffff || !wire::is_well_formed(type, rdata)) {
      return Error{Errc::malformed, "bad RDATA of " + to_string(type)};
    }
    SetBuilder& into = type == RRType::rrsig ? section.signatures : section.sets;
    add(into.set(*owner, type, ttl_of(rr)).records, rdata);
  }
  return {};
}

Result<void> gather_all(const ldns_pkt& packet, const CaseRestorer& restorer, Message& message) {
  Section answer(message.answer);
  Section authority(message.authority);
  Section additional(message.additional);
  const std::array<std::pair<const ldns_rr_list*, Section*>, 3> sections{
      {{ldns_pkt_answer(&packet), &answer},
       {ldns_pkt_authority(&packet), &authority},
       {ldns_pkt_additional(&packet), &additional}}};
  for (const auto& [list, section] : sections) {
    if (auto r = gather(list, restorer, *section); !r) return r.error();
  }
  for (const auto& [from_list, from] : sections) {
    for (const RRset& set : from->signature_sets) {
      for (const auto& [to_list, to] : sections) attach(set, *to);
    }
  }
  return {};
}

/// Somebody asked for signatures by type.
void add_signatures(Message& message, const ldns_pkt& packet, const CaseRestorer& restorer) {
  std::vector<RRset> sets;
  Section answer(sets);
  if (!gather(ldns_pkt_answer(&packet), restorer, answer)) return;
  for (RRset& set : answer.signature_sets) message.answer.push_back(std::move(set));
}

constexpr std::size_t kOptionsSizeMax = 24 + 44;  ///< a client subnet and a cookie

void set_options(ldns_pkt& packet, const UpstreamQuery& query) {
  if (!query.subnet && !query.cookie) return;
  std::array<std::uint8_t, kOptionsSizeMax> octets{};
  wire::Writer options(octets);
  if (query.subnet) query.subnet->write_option(options);
  if (query.cookie) query.cookie->write_option(options);
  SISKIN_CHECK(!options.failed());
  ldns_pkt_set_edns_data(
      &packet, ldns_rdf_new_frm_data(LDNS_RDF_TYPE_UNKNOWN, options.position(), octets.data()));
}

std::optional<wire::ClientSubnet> subnet_of(const ldns_pkt& packet) {
  const ldns_rdf* data = ldns_pkt_edns_data(&packet);
  if (data == nullptr || !wire::are_options(text::bytes_of(*data))) return std::nullopt;
  const auto option = wire::find_option(text::bytes_of(*data), wire::EdnsOption::client_subnet);
  return option ? wire::ClientSubnet::parse(*option) : std::nullopt;
}

}  // namespace

std::vector<std::uint8_t> encode(const UpstreamQuery& query) {
  const Bytes name = query.name.wire();
  ldns_rdf* owner = ldns_rdf_new_frm_data(LDNS_RDF_TYPE_DNAME, name.size(), name.data());
  const Ldns<ldns_pkt> packet(
      ldns_pkt_query_new(owner, static_cast<ldns_rr_type>(query.type), LDNS_RR_CLASS_IN, 0));
  SISKIN_CHECK(packet != nullptr);
  ldns_pkt_set_id(packet.get(), query.id);
  if (query.edns) {
    ldns_pkt_set_edns_udp_size(packet.get(), query.udp_size);
    ldns_pkt_set_edns_do(packet.get(), 1);
    set_options(*packet, query);
  }
  std::uint8_t* octets = nullptr;
  std::size_t size = 0;
  SISKIN_CHECK(ldns_pkt2wire(&octets, packet.get(), &size) == LDNS_STATUS_OK);
  std::vector<std::uint8_t> wire(octets, octets + size);
  std::free(octets);
  return wire;
}

Result<Message> decode(Bytes bytes, const UpstreamQuery& asked, const Name& original) {
  if (auto r = check_frame(bytes); !r) return r.error();
  ldns_pkt* raw = nullptr;
  const ldns_status status = ldns_wire2pkt(&raw, bytes.data(), bytes.size());
  if (status != LDNS_STATUS_OK) {
    return Error{Errc::malformed, ldns_get_errorstr_by_id(status)};
  }
  const Ldns<ldns_pkt> packet(raw);
  Message message;
  const unsigned extended = ldns_pkt_edns(packet.get()) ? ldns_pkt_edns_extended_rcode(raw) : 0U;
  message.rcode = static_cast<wire::Rcode>(extended << 4 | ldns_pkt_get_rcode(raw));
  message.authoritative = ldns_pkt_aa(raw);
  message.truncated = ldns_pkt_tc(raw);
  message.recursion_available = ldns_pkt_ra(raw);
  message.edns = ldns_pkt_edns(raw);
  message.subnet = subnet_of(*packet);

  const CaseRestorer restorer(asked.name, original);
  if (auto r = gather_all(*packet, restorer, message); !r) return r.error();
  if (asked.type == RRType::rrsig) add_signatures(message, *packet, restorer);
  return message;
}

}  // namespace siskin::resolve
