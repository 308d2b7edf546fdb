/// Hooks that add what a server has no right to say.
#pragma once

#include "sim/message.hpp"
#include "siskin/base/ip.hpp"

namespace siskin::sim::lies {

/// Every reply carries in authority an NS set of `zone`, and in additional the address.
Hook servers_of(const wire::Name& zone, const IpAddress& address);

/// A reply whose answer ends with an alias into `zone` goes on with an address there.
Hook poisoned_tail(const wire::Name& zone, const IpAddress& address);

/// Every reply carries the set in that section.
Hook adds(wire::Section section, const wire::RRset& set);

/// Replies to questions of `name` carry this answer, AA and nothing else.
Hook answers(const wire::Name& name, std::vector<wire::RRset> answer);

/// The reply is an answer with AA: this address, if it is one that fits the question.
Hook always(const IpAddress& address);

}  // namespace siskin::sim::lies
