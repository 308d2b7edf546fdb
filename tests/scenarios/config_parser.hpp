/// The configuration part of a scenario file: the body of an unbound.conf.
#pragma once

#include "scenarios/lines.hpp"
#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

/// Reads up to and with CONFIG_END into `scenario`.
void parse_config(Lines& lines, Scenario& scenario);

}  // namespace siskin::scenarios
