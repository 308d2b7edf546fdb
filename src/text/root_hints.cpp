#include "siskin/text/root_hints.hpp"

#include <algorithm>
#include <array>

#include "siskin/text/file.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::text {
namespace {

using wire::RRType;

struct BuiltinServer {
  char letter;
  const char* ipv4;
  const char* ipv6;
};

/// https://www.iana.org/domains/root/servers; a test compares with Debian's dns-root-data.
constexpr std::array<BuiltinServer, 13> kBuiltin{{
    {'a', "198.41.0.4", "2001:503:ba3e::2:30"},
    {'b', "170.247.170.2", "2801:1b8:10::b"},
    {'c', "192.33.4.12", "2001:500:2::c"},
    {'d', "199.7.91.13", "2001:500:2d::d"},
    {'e', "192.203.230.10", "2001:500:a8::e"},
    {'f', "192.5.5.241", "2001:500:2f::f"},
    {'g', "192.112.36.4", "2001:500:12::d0d"},
    {'h', "198.97.190.53", "2001:500:1::53"},
    {'i', "192.36.148.17", "2001:7fe::53"},
    {'j', "192.58.128.30", "2001:503:c27::2:30"},
    {'k', "193.0.14.129", "2001:7fd::1"},
    {'l', "199.7.83.42", "2001:500:9f::42"},
    {'m', "202.12.27.33", "2001:dc3::35"},
}};

std::vector<wire::Name> root_server_names(const std::vector<Record>& records) {
  std::vector<wire::Name> names;
  for (const Record& record : records) {
    if (record.type != RRType::ns || !record.owner.is_root()) continue;
    if (const auto target = wire::target_of(record.rdata)) names.push_back(*target);
  }
  return names;
}

}  // namespace

Result<RootHints> parse_root_hints(std::string_view text, std::string_view source) {
  auto records = parse_records(text);
  if (!records) return with_source(records.error(), source);
  const std::vector<wire::Name> names = root_server_names(*records);
  RootHints hints;
  for (const Record& record : *records) {
    const auto address = wire::address_of(record.type, record.rdata);
    if (address && std::ranges::find(names, record.owner) != names.end()) {
      hints.emplace_back(record.owner, *address);
    }
  }
  if (hints.empty()) {
    const char* what = names.empty()
                           ? ": no NS record of the root"
                           : ": no A or AAAA record of a server that an NS of the root names";
    return Error{Errc::malformed, std::string(source) + what};
  }
  return hints;
}

Result<RootHints> read_root_hints(const std::string& path) {
  const auto text = read_file(path, kRootHintsBytesMax);
  if (!text) return text.error();
  return parse_root_hints(*text, path);
}

RootHints builtin_root_hints() {
  RootHints hints;
  for (const BuiltinServer& server : kBuiltin) {
    const auto name = wire::Name::from_text(std::string(1, server.letter) + ".root-servers.net.");
    for (const char* address : {server.ipv4, server.ipv6}) {
      hints.emplace_back(*name, *IpAddress::from_text(address));
    }
  }
  return hints;
}

}  // namespace siskin::text
