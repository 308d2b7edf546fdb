#include "serve/client_subnet.hpp"

namespace siskin::serve {

bool take_subnet(const policy::ClientSubnets& subnets, const IpAddress& client,
                 const wire::QueryView& query, Request& request) noexcept {
  std::optional<wire::ClientSubnet> option;
  if (query.edns) {
    const auto data = wire::find_option(query.edns->options, wire::EdnsOption::client_subnet);
    if (data) option = wire::ClientSubnet::parse(*data);
    if (data && (!option || option->scope != 0)) return false;
  }
  const auto choice = subnets.choose(client, option);
  const Network nobody;
  request.subnet = RequestSubnet{
      policy::may_be_tailored(query.type) ? choice.network : nobody,
      option,
      choice.is_from_option,
  };
  return true;
}

std::optional<wire::ClientSubnet> subnet_to_return(const Request& request,
                                                   std::uint8_t scope) noexcept {
  if (!request.subnet) return std::nullopt;
  std::optional<wire::ClientSubnet> option = request.subnet->option;
  if (option) option->scope = request.subnet->is_from_option ? scope : std::uint8_t{0};
  return option;
}

}  // namespace siskin::serve
