/// One node of the document to one checked value.
#pragma once

#include <cstdint>
#include <optional>

#include "config/document.hpp"
#include "config/option.hpp"
#include "config/report.hpp"

namespace siskin::config {

/// Nothing: the node does not fit the option, and `report` says why, one entry for each fault.
/// `machine_bytes`: what "50%" is taken of; 0: unknown.
std::optional<Value> read_value(const Option& option, const Node& node, std::uint64_t machine_bytes,
                                Report& report);

}  // namespace siskin::config
