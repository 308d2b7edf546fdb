/// Pieces of scenario text that the player's own tests share.
#pragma once

#include <string>

namespace siskin::scenarios {

/// A file with a root hint at 192.0.2.1 and these ranges and steps.
inline std::string script(const std::string& body, const std::string& options = "") {
  return "server:\n qname-minimisation: no\n" + options +
         "stub-zone:\n name: \".\"\n stub-addr: 192.0.2.1\nCONFIG_END\n"
         "SCENARIO_BEGIN a test\n" +
         body + "SCENARIO_END\n";
}

/// An entry whose question is `question`, with more lines behind it.
inline std::string entry(const std::string& head, const std::string& question,
                         const std::string& rest = "") {
  return "ENTRY_BEGIN\n" + head + "\nSECTION QUESTION\n" + question + "\n" + rest + "ENTRY_END\n";
}

/// The root answers with authority what its zone holds.
inline std::string root_range(const std::string& entries, const std::string& steps = "0 100") {
  return "RANGE_BEGIN " + steps + "\n ADDRESS 192.0.2.1\n" + entries + "RANGE_END\n";
}

}  // namespace siskin::scenarios
