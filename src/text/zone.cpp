#include "siskin/text/zone.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "siskin/wire/rdata.hpp"
#include "text/ldns.hpp"

namespace siskin::text {
namespace {

using wire::RRType;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// ldns's zone reader keeps its state in four variables of the caller.
class ZoneReader {
 public:
  ZoneReader(std::string text, const ZoneOptions& options)
      : text_(std::move(text)),
        file_(::fmemopen(text_.data(), text_.size(), "r")),
        default_ttl_(options.default_ttl),
        origin_(ldns_dname_new_frm_str(options.origin.to_text().c_str())) {}
  ZoneReader(const ZoneReader&) = delete;
  ZoneReader& operator=(const ZoneReader&) = delete;

  ~ZoneReader() {
    ldns_rdf_deep_free(origin_);
    ldns_rdf_deep_free(previous_owner_);
  }

  /// False at the end of the text.
  bool more() {
    offset_ = static_cast<std::size_t>(std::ftell(file_.get()));
    return !std::feof(file_.get()) && offset_ < text_.size();
  }

  ldns_status read(Ldns<ldns_rr>& record) {
    ldns_rr* rr = nullptr;
    int ldns_line = 0;
    const ldns_status status = ldns_rr_new_frm_fp_l(&rr, file_.get(), &default_ttl_, &origin_,
                                                    &previous_owner_, &ldns_line);
    record.reset(status == LDNS_STATUS_OK ? rr : nullptr);
    return status;
  }

  /// The line on which what was read last begins: empty lines and comments before it are skipped.
  /// ldns's own count is that of the line behind the record.
  std::size_t line() const {
    std::size_t at = offset_;
    while (true) {
      const std::size_t end = text_.find('\n', at);
      const std::size_t first = text_.find_first_not_of(" \t\r", at);
      const bool is_empty = first >= end || text_[first] == ';';
      if (!is_empty || end == std::string::npos || end + 1 >= text_.size()) break;
      at = end + 1;
    }
    const auto begin = text_.begin();
    return 1 + static_cast<std::size_t>(
                   std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n'));
  }

 private:
  std::string text_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::size_t offset_ = 0;
  std::uint32_t default_ttl_;
  ldns_rdf* origin_;
  ldns_rdf* previous_owner_ = nullptr;
};

Error at_line(std::size_t line, std::string_view what) {
  return {Errc::malformed, "line " + std::to_string(line) + ": " + std::string(what)};
}

bool is_directive_or_empty(ldns_status status) {
  return status == LDNS_STATUS_SYNTAX_EMPTY || status == LDNS_STATUS_SYNTAX_TTL ||
         status == LDNS_STATUS_SYNTAX_ORIGIN;
}

std::vector<std::uint8_t> rdata_of(const ldns_rr& rr) {
  std::vector<std::uint8_t> rdata;
  for (std::size_t i = 0; i < ldns_rr_rd_count(&rr); ++i) {
    const wire::Bytes field = bytes_of(*ldns_rr_rdf(&rr, i));
    rdata.insert(rdata.end(), field.begin(), field.end());
  }
  return rdata;
}

Result<Record> to_record(const ldns_rr& rr, std::size_t line) {
  const auto owner = wire::Name::from_wire(bytes_of(*ldns_rr_owner(&rr)));
  if (!owner) return at_line(line, to_string(owner.error()));
  if (ldns_rr_get_class(&rr) != LDNS_RR_CLASS_IN) {
    return at_line(line, "only class IN is understood");
  }
  Record record{*owner, static_cast<RRType>(ldns_rr_get_type(&rr)), ldns_rr_ttl(&rr), rdata_of(rr),
                line};
  // ldns takes an unknown directive for an owner, and then finds no type.
  if (record.type == RRType::none) return at_line(line, "a record type is missing");
  if (record.rdata.size() > 0xffff || !wire::is_well_formed(record.type, record.rdata)) {
    return at_line(line, "the data of " + to_string(record.type) + " is not well-formed");
  }
  return record;
}

using SetKey = std::pair<wire::Name, RRType>;

/// Where each set stands in the list.
using SetIndex = std::map<SetKey, std::size_t>;

wire::RRset& set_of(std::vector<wire::RRset>& sets, SetIndex& index, const Record& record) {
  const auto [at, is_new] = index.try_emplace(SetKey(record.owner, record.type), sets.size());
  if (is_new) sets.push_back({record.owner, record.type, record.ttl, {}, {}});
  return sets[at->second];
}

void add_signature(std::vector<wire::RRset>& sets, SetIndex& index, const Record& record) {
  const auto covered = wire::covered_type(record.rdata);
  const auto at = index.find(SetKey(record.owner, covered.value_or(RRType::none)));
  if (at != index.end()) {
    sets[at->second].signatures.add_unique(record.rdata);
  } else {
    set_of(sets, index, record).records.add_unique(record.rdata);
  }
}

}  // namespace

Result<std::vector<Record>> parse_records(std::string_view text, const ZoneOptions& options) {
  std::vector<Record> records;
  if (text.find('\0') != std::string_view::npos) {
    return Error{Errc::malformed, "the text holds a zero octet"};
  }
  ZoneReader reader(std::string(text) + '\n', options);  // ldns wants the last line ended
  Ldns<ldns_rr> rr;
  while (reader.more()) {
    const ldns_status status = reader.read(rr);
    if (is_directive_or_empty(status)) continue;
    if (status == LDNS_STATUS_SYNTAX_INCLUDE) {
      return at_line(reader.line(), "$INCLUDE is not allowed here");
    }
    if (!rr) return at_line(reader.line(), ldns_get_errorstr_by_id(status));
    auto record = to_record(*rr, reader.line());
    if (!record) return record.error();
    records.push_back(std::move(*record));
  }
  return records;
}

Result<std::vector<wire::RRset>> parse_zone(std::string_view text, const ZoneOptions& options) {
  auto records = parse_records(text, options);
  if (!records) return records.error();
  std::vector<wire::RRset> sets;
  SetIndex index;
  for (const Record& record : *records) {
    if (record.type == RRType::rrsig) continue;
    wire::RRset& set = set_of(sets, index, record);
    set.ttl = std::min(set.ttl, record.ttl);
    set.records.add_unique(record.rdata);
  }
  for (const Record& record : *records) {
    if (record.type == RRType::rrsig) add_signature(sets, index, record);
  }
  return sets;
}

}  // namespace siskin::text
