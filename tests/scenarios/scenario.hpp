/// A scenario file taken apart: configuration, what servers say and when, and the steps.
///
/// The language is the one of Unbound's .rpl files: text by lines, `;` begins a comment.
///
///     <options as in unbound.conf>
///     CONFIG_END
///     SCENARIO_BEGIN <title>
///     RANGE_BEGIN <first step> <last step> ... RANGE_END      canned answers of one server
///     STEP <number> <TYPE> ...                                numbers strictly rising
///     SCENARIO_END
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/message.hpp"
#include "siskin/base/ip.hpp"
#include "siskin/base/time.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::scenarios {

/// One option of the configuration part.
struct Setting {
  std::size_t section = 0;  ///< counts the clauses ("server:", "stub-zone:") from 1; 0: before any
  std::string section_name;
  std::string key;
  std::vector<std::string> values;  ///< words, quotes taken off
  std::size_t line = 0;
};

/// What a message must share with the entry's; all that is set must hold.
struct Match {
  bool opcode = false;
  bool qname = false;
  bool qtype = false;
  bool question = false;
  bool subdomain = false;  ///< the name asked for is at or below the entry's
  bool rcode = false;
  bool answer = false;
  bool authority = false;
  bool additional = false;
  bool flags = false;
  bool all = false;
  bool all_noedns = false;
  bool ttl = false;  ///< the other words compare TTLs too
  bool dnssec_ok = false;
  bool noedns = false;
  bool ednsdata = false;
  bool client_cookie = false;
  bool server_cookie = false;
  bool any_ede = false;
  std::optional<std::uint16_t> ede;
  std::optional<runtime::Transport> transport;
};

/// What is done to a canned answer before it is sent.  The ID becomes the query's in any case:
/// files that leave copy_id away count on queries whose ID is 0.
struct Adjust {
  bool copy_id = false;        ///< in a CHECK_OUT_QUERY: the entry is also the answer
  bool copy_query = false;     ///< the question becomes the query's
  bool do_not_answer = false;  ///< silence
  bool ecs_from_entry =
      false;  ///< client subnet of the entry's, its scope set to the source prefix
  bool increment_ecs_scope = false;
};

struct Entry {
  std::size_t line = 0;
  Match match;
  Adjust adjust;
  Message message;
  std::optional<std::vector<std::uint8_t>> raw;  ///< sent instead of the message
};

/// What the server at `addresses` (empty: any) says while the step is in [first, last].
struct Range {
  std::size_t line = 0;
  unsigned first = 0;
  unsigned last = 0;
  std::vector<IpAddress> addresses;
  std::vector<Entry> entries;
};

enum class StepType : std::uint8_t {
  query,            ///< a client asks
  check_answer,     ///< a client must have got this
  check_out_query,  ///< the resolver must have asked this of a server
  reply,            ///< answers the most recent query to a server
  timeout,          ///< the most recent query to a server is not answered in time
  error,            ///< ... ends with an error of the network
  nothing,
  traffic,  ///< what servers can answer is answered before the next step, as always
  time_passes,
  flush_message,  ///< the cache forgets a name and type
};

struct Step {
  unsigned number = 0;
  StepType type = StepType::nothing;
  std::size_t line = 0;
  std::optional<IpAddress> address;
  std::optional<Entry> entry;
  Duration elapse{};
  std::optional<Question> question;  ///< of flush_message
};

struct Scenario {
  std::string path;
  std::string title;
  std::vector<Setting> settings;
  std::vector<Range> ranges;
  std::vector<Step> steps;
  /// What the file uses of the language that this player lacks, in words.
  std::vector<std::string> lacks;
};

const char* to_string(StepType type) noexcept;

}  // namespace siskin::scenarios
