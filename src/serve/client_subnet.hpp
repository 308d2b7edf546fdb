/// The client subnet of one query (RFC 7871), from what came in to what goes back.
#pragma once

#include <optional>

#include "serve/request.hpp"
#include "siskin/policy/client_subnet.hpp"
#include "siskin/wire/query.hpp"

namespace siskin::serve {

/// Sets request.subnet.  False: the query's option is malformed or has a scope, which is FORMERR
/// (§7.2.1).
bool take_subnet(const policy::ClientSubnets& subnets, const IpAddress& client,
                 const wire::QueryView& query, Request& request) noexcept;

/// The option that goes back: the client's own, if it sent one, with the scope of the answer
/// (§7.2.2); never another's (fault B85).  To a client whose address was not believed the scope is
/// 0, for whatever it asks in somebody's name, the answer is the same.
std::optional<wire::ClientSubnet> subnet_to_return(const Request& request,
                                                   std::uint8_t scope) noexcept;

}  // namespace siskin::serve
