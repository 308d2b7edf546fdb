/// A whole DNS message as a value: what scenario files write, servers send and clients get.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::scenarios {

struct Question {
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  wire::RRClass klass = wire::RRClass::in;

  friend bool operator==(const Question&, const Question&) = default;
};

struct Record {
  wire::Name owner;
  wire::RRType type = wire::RRType::none;
  wire::RRClass klass = wire::RRClass::in;
  std::uint32_t ttl = 0;            ///< seconds
  std::vector<std::uint8_t> rdata;  ///< names inside uncompressed
};

struct Opt {
  std::uint16_t udp_size = 1232;
  std::uint8_t version = 0;
  bool dnssec_ok = false;
  std::vector<std::uint8_t> options;  ///< codes, lengths, data
};

/// Answer, authority, additional; the last without the OPT.
using Sections = std::array<std::vector<Record>, 3>;

struct Message {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< the second word of the header without the RCODE
  wire::Rcode rcode = wire::Rcode::noerror;
  std::vector<Question> questions;
  Sections sections;
  std::optional<Opt> opt;

  const std::vector<Record>& section(wire::Section which) const {
    return sections[static_cast<std::size_t>(which)];
  }
};

/// Wire form without any compression.
std::vector<std::uint8_t> encode(const Message& message);

/// Errors: malformed.
Result<Message> decode(wire::Bytes bytes);

/// The lines of a message: header, EDNS, question, records by section.
std::vector<std::string> to_lines(const Message& message);
std::string to_line(const Question& question);

}  // namespace siskin::scenarios
