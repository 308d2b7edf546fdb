#include "resolve/root_transfer.hpp"

#include "resolve/root_samples.hpp"
#include "resolve/samples.hpp"
#include "siskin/wire/query.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using Messages = std::vector<std::vector<std::uint8_t>>;

constexpr std::uint16_t kId = 4711;

Packing packing() {
  Packing made;
  made.id = kId;
  return made;
}

/// How a transfer of these messages ends: "7" (the serial), or why it is refused.  All messages
/// must be wanted but those behind the end.
std::string end_of(const Messages& messages, TransferLimits limits = {}) {
  RootTransfer transfer(kId, limits);
  std::size_t taken = 0;
  while (taken < messages.size() && transfer.take(messages[taken])) ++taken;
  const auto zone = std::move(transfer).finish();
  return zone ? std::to_string(zone->soa().serial) : to_string(zone.error());
}

std::string end_of(const std::vector<text::Record>& records, const Packing& how = packing()) {
  return end_of(messages_of(records, how));
}

text::Record record_of(std::string_view zone_text) {
  return text::parse_records(zone_text).value().at(0);
}

}  // namespace

TEST_CASE("resolve/root_transfer: the query asks for all of the root zone", "[resolve]") {
  const auto query = encode_transfer(kId);
  CHECK(to_hex(query) ==
        "1267"
        "0000"
        "0001"
        "0000"
        "0000"
        "0000"
        "00"
        "00fc"
        "0001");
}

TEST_CASE("resolve/root_transfer: a zone comes in as many messages as the server likes",
          "[resolve]") {
  const auto records = transferred_records();
  for (std::size_t size = 1; size <= records.size(); ++size) {
    Packing how = packing();
    how.records_a_message = size;
    CHECK(end_of(records, how) == "7");
    how.repeats_question = false;
    CHECK(end_of(records, how) == "7");
  }
}

TEST_CASE("resolve/root_transfer: a transfer cut short is refused", "[resolve]") {
  const Messages messages = messages_of(transferred_records(), packing());
  for (std::size_t count = 0; count < messages.size(); ++count) {
    const Messages fewer(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(count));
    CHECK(end_of(fewer) == "closed: it ends before the last SOA");
  }
}

TEST_CASE("resolve/root_transfer: it begins and ends with the same SOA", "[resolve]") {
  auto records = transferred_records();
  SECTION("another one at the end") {
    records.back() = record_of(". 86400 IN SOA ns.root. admin.root. 8 1800 900 604800 86400");
    CHECK(end_of(records) == "malformed: it ends with another SOA than it began with");
  }
  SECTION("none at the beginning") {
    records.erase(records.begin());
    CHECK(end_of(records) == "malformed: it does not begin with the root's SOA");
  }
  SECTION("that of another zone at the beginning") {
    records.front() = record_of("example. 60 IN SOA ns.root. admin.root. 7 1800 900 604800 60");
    CHECK(end_of(records) == "malformed: it does not begin with the root's SOA");
  }
  SECTION("that of another zone in between") {
    records.insert(records.begin() + 3,
                   record_of("example. 60 IN SOA ns.root. admin.root. 7 1800 900 604800 60"));
    CHECK(end_of(records) == "malformed: an SOA in the middle of the zone");
  }
  SECTION("records behind it") {
    records.push_back(record_of("more. 60 IN A 192.0.2.1"));
    Packing how = packing();
    how.records_a_message = records.size();
    CHECK(end_of(records, how) == "malformed: records after the last SOA");
  }
}

TEST_CASE("resolve/root_transfer: messages that are no part of the transfer are refused",
          "[resolve]") {
  const auto records = transferred_records();
  Packing how = packing();
  const auto with_flags = [&](std::uint16_t flags) {
    how.flags = flags;
    return end_of(records, how);
  };
  CHECK(with_flags(0x8405) == "forbidden: the server says REFUSED");
  CHECK(with_flags(0x8409) == "forbidden: the server says NOTAUTH");
  CHECK(with_flags(0x8600) == "malformed: a truncated message");
  CHECK(with_flags(0x0400) == "malformed: a message that is no reply");
  CHECK(with_flags(0xa400) == "malformed: a message that is no reply");
  how = packing();
  how.id = kId + 1;
  CHECK(end_of(records, how) == "malformed: a message with another ID");
  how = packing();
  how.record_class = 3;
  CHECK(end_of(records, how) == "malformed: a record is not of class IN");

  Messages messages = messages_of(records, packing());
  messages[1][14] = 0xfb;  // IXFR
  CHECK(end_of(messages) == "malformed: an answer to another question");
  messages = messages_of(records, packing());
  messages[1].resize(17);
  messages[1][7] = 0;
  CHECK(end_of(messages) == "malformed: a message without records");
  messages[1].resize(7);
  CHECK(end_of(messages) == "malformed: a message without a header");
}

TEST_CASE("resolve/root_transfer: records that no zone holds are refused", "[resolve]") {
  auto records = transferred_records();
  records[3].type = RRType::opt;
  CHECK(end_of(records).starts_with("malformed: "));
  records = transferred_records();
  records[5].rdata.pop_back();  // an address of three octets
  CHECK(end_of(records).starts_with("malformed: "));
}

TEST_CASE("resolve/root_transfer: a zone beyond the limits is refused", "[resolve]") {
  const auto records = transferred_records();
  const Messages messages = messages_of(records, packing());
  std::size_t octets = 0;
  for (const auto& message : messages) octets += message.size();
  TransferLimits limits;
  limits.octets = octets;
  limits.records = records.size() - 1;  // the SOA counts once
  CHECK(end_of(messages, limits) == "7");
  --limits.octets;
  CHECK(end_of(messages, limits) == "limit reached: the zone is too large");
  limits.octets = octets;
  limits.records = records.size() - 2;
  CHECK(end_of(messages, limits) == "limit reached: too many records");
}

TEST_CASE("resolve/root_transfer: any changed octet of the messages is refused, or does not matter",
          "[resolve]") {
  const Messages messages = messages_of(transferred_records(), packing());
  const RootZone whole = root_zone();
  unsigned harmless = 0;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    for (std::size_t at = 0; at < messages[m].size(); ++at) {
      Messages changed = messages;
      changed[m][at] ^= 0x04;
      RootTransfer transfer(kId);
      for (const auto& message : changed) {
        if (!transfer.take(message)) break;
      }
      const auto zone = std::move(transfer).finish();
      if (!zone) continue;
      CAPTURE(m, at);
      ++harmless;
      CHECK(zone->records() == whole.records());
      CHECK(zone->octets() == whole.octets());
    }
  }
  CHECK(harmless == messages.size() + 8);  // AA of each, the TTLs of ZONEMD and the last SOA
}

}  // namespace siskin::resolve::test
